"""Where each row begins, when rows have heights that change. Pure.

A prefix-sum (Fenwick) tree: appending, changing and finding a row cost
O(log n), so a long conversation costs no more per change than a short one.
"""

from __future__ import annotations

from collections.abc import Iterable


class Offsets:
    """Row heights in pixels, and the sums of the heights before each row."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights: list[int] = []
        self._tree: list[int] = [0]
        self.rebuild(heights)

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        """Height of all rows together, in pixels."""
        return self.offset(len(self._heights))

    def rebuild(self, heights: Iterable[int]) -> None:
        """Replace all rows, in O(n)."""
        self._heights = list(heights)
        self._tree = [0, *self._heights]
        for index in range(1, len(self._tree)):
            parent = index + (index & -index)
            if parent < len(self._tree):
                self._tree[parent] += self._tree[index]

    def append(self, height: int) -> None:
        """Add a row of *height* pixels at the end."""
        index = len(self._tree)
        node, child, step = height, index - 1, index & -index
        while child > index - step:
            node += self._tree[child]
            child -= child & -child
        self._heights.append(height)
        self._tree.append(node)

    def truncate(self, count: int) -> None:
        """Keep the first *count* rows; nodes of the tree never look past their own row."""
        del self._heights[count:]
        del self._tree[count + 1 :]

    def height(self, row: int) -> int:
        """Return the height of *row* in pixels."""
        return self._heights[row]

    def set(self, row: int, height: int) -> int:
        """Give *row* a new height and return by how many pixels it grew."""
        grown = height - self._heights[row]
        self._heights[row] = height
        index = row + 1
        while grown and index < len(self._tree):
            self._tree[index] += grown
            index += index & -index
        return grown

    def offset(self, row: int) -> int:
        """Return the pixels above *row*; for `len(self)` that is the height of all."""
        total = 0
        while row > 0:
            total += self._tree[row]
            row -= row & -row
        return total

    def find(self, y_px: int) -> int:
        """Return the row that covers *y_px*; the first or last row for a place outside.

        Rows without height are passed over where another row covers the place.

        Raises:
            IndexError: If there are no rows.
        """
        if not self._heights:
            raise IndexError("there are no rows")
        index, left = 0, max(y_px, 0)
        step = 1 << (len(self._heights).bit_length() - 1)
        while step:
            following = index + step
            if following < len(self._tree) and self._tree[following] <= left:
                index = following
                left -= self._tree[following]
            step >>= 1
        return min(index, len(self._heights) - 1)
