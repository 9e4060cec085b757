"""A selection that runs over many messages. Pure.

A place is (row, piece, offset): the message, the painted piece of it, and the
place in that piece's text in UTF-16 units, because that is how Qt counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place between two characters of a transcript."""

    row: int
    piece: int = 0
    offset: int = 0


PIECE_END = 1 << 40
"""An offset or piece number past every end: "to the end of it"."""


@dataclass(frozen=True, slots=True)
class Selection:
    """From where it was begun to where it was drawn, in either direction."""

    anchor: Place
    head: Place

    @property
    def start(self) -> Place:
        """The earlier end."""
        return min(self.anchor, self.head)

    @property
    def end(self) -> Place:
        """The later end."""
        return max(self.anchor, self.head)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is selected."""
        return self.anchor == self.head

    @property
    def rows(self) -> range:
        """The rows it touches."""
        return range(self.start.row, self.end.row + 1)

    def extended(self, head: Place) -> Selection:
        """Return the selection drawn to another end."""
        return Selection(self.anchor, head)

    def range_in(self, row: int, piece: int, length: int) -> tuple[int, int] | None:
        """Return which of the *length* units of a piece are selected, or None."""
        here = (row, piece)
        first, last = (self.start.row, self.start.piece), (self.end.row, self.end.piece)
        if not first <= here <= last:
            return None
        begin = min(self.start.offset, length) if here == first else 0
        end = min(self.end.offset, length) if here == last else length
        return (begin, end) if begin < end else None

    def covers_row(self, row: int) -> bool:
        """Whether every piece of *row* is surely selected."""
        return Place(row) >= self.start and Place(row, PIECE_END, PIECE_END) <= self.end

    def moved(self, new_row: Callable[[int], int | None]) -> Selection | None:
        """Return it after rows moved; None when the row of an end is gone."""
        anchor, head = new_row(self.anchor.row), new_row(self.head.row)
        if anchor is None or head is None:
            return None
        return Selection(
            Place(anchor, self.anchor.piece, self.anchor.offset),
            Place(head, self.head.piece, self.head.offset),
        )


def everything(row_count: int) -> Selection | None:
    """Select all of *row_count* rows."""
    if row_count == 0:
        return None
    return Selection(Place(0), Place(row_count - 1, PIECE_END, PIECE_END))
