"""The messages of a transcript as rows: which are laid out, and where each begins."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

from companion.domain.offsets import Offsets
from companion.domain.outline import Outline, of_message
from companion.domain.transcript import Message
from companion.views.renderer import Piece, Scene, Style
from companion.views.transcript_layout import MessageLayout, estimate_height

CACHED_LAYOUTS = 64
PADDING_PX = 18
ROW_GAP_PX = 14
_CHUNK = 512


@dataclass(frozen=True, slots=True)
class Change:
    """What a new list of messages changed."""

    appended: tuple[Message, ...]
    """Messages added after the last one that was there before."""
    is_new_conversation: bool
    new_rows: dict[int, int] | None
    """Where old rows went, if any moved or went away; None if none did."""
    updated: tuple[tuple[Message, Message], ...] = ()
    """Messages that changed, before and after."""


class PieceSpot(NamedTuple):
    """A piece of a row, by number, with the place of its top in the whole transcript."""

    row: int
    number: int
    top_px: int


class Rows:
    """Messages, their heights, and the layouts of those seen last."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.messages: tuple[Message, ...] = ()
        self.width_px = 0
        self.embed_heights: dict[str, int] = {}
        self._offsets = Offsets()
        self._layouts: OrderedDict[str, MessageLayout] = OrderedDict()
        self._outlines: dict[str, tuple[Message, tuple[Outline, ...]]] = {}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.messages)

    @property
    def total_px(self) -> int:
        """Height of the whole transcript."""
        return self._offsets.total + 2 * PADDING_PX

    def number_of(self, key: str) -> int | None:
        """Return the row of the message with *key*."""
        return self._numbers.get(key)

    def top_px(self, row: int) -> int:
        """Return where *row* begins."""
        return PADDING_PX + self._offsets.offset(row)

    def row_at(self, y_px: int) -> int:
        """Return the row that covers a height of the transcript; there must be rows."""
        return self._offsets.find(y_px - PADDING_PX)

    def height_px(self, row: int) -> int:
        """Return the height of *row* without the gap below it."""
        return self._offsets.height(row) - self._gap_px()

    def set_messages(self, messages: tuple[Message, ...]) -> Change:
        """Take a new list; messages that are the same objects cost nothing."""
        old = self.messages
        first = first_difference(old, messages)
        keeps_rows = len(messages) >= len(old) and all(
            before.key == after.key for before, after in zip(old[first:], messages[first:], strict=False)
        )
        self.messages = messages
        if keeps_rows:
            return self._change_in_place(old, first)
        return self._replace_from(old, first)

    def _change_in_place(self, old: tuple[Message, ...], first: int) -> Change:
        updated = []
        for row in range(first, len(old)):
            before, after = old[row], self.messages[row]
            if before is not after:
                updated.append((before, after))
                self._update(row, after)
        appended = self.messages[len(old) :]
        for row, message in enumerate(appended, len(old)):
            self._numbers[message.key] = row
            self._offsets.append(self._estimate(message))
        return Change(appended, not old, None, tuple(updated))

    def _replace_from(self, old: tuple[Message, ...], first: int) -> Change:
        known = {message.key: (row, message) for row, message in enumerate(old)}
        heights = {message.key: self._offsets.height(row) for row, message in enumerate(old)}
        self._offsets.truncate(first)
        self._numbers = {message.key: row for row, message in enumerate(self.messages)}
        new_rows: dict[int, int] = {row: row for row in range(first)}
        last_known, updated = first - 1, []
        for row, message in enumerate(self.messages[first:], first):
            self._offsets.append(heights.get(message.key) or self._estimate(message))
            if message.key in known:
                old_row, before = known[message.key]
                new_rows[old_row] = last_known = row
                if before is not message:
                    updated.append((before, message))
                    self._update(row, message)
        for key in [key for key in self._layouts if key not in self._numbers]:
            del self._layouts[key]
        return Change(self.messages[last_known + 1 :], last_known < 0, new_rows, tuple(updated))

    def _update(self, row: int, message: Message) -> None:
        layout = self._layouts.get(message.key)
        if layout is None:
            self._offsets.set(row, self._estimate(message))
        else:
            layout.update(message)

    def _gap_px(self) -> int:
        return self.scene.style.px(ROW_GAP_PX)

    def _estimate(self, message: Message) -> int:
        return estimate_height(message, self.width_px, self.scene) + self._gap_px()

    def set_width(self, width_px: int) -> None:
        """Take a new width of the column; layouts are kept and measured again when seen."""
        if width_px != self.width_px:
            self.width_px = width_px
            self._offsets.rebuild(map(self._estimate, self.messages))

    def set_style(self, style: Style) -> None:
        """Take a new theme or zoom: everything is laid out again when seen."""
        self.scene.style = style
        self._layouts.clear()
        self._offsets.rebuild(map(self._estimate, self.messages))

    def layout(self, row: int) -> MessageLayout:
        """Return the layout of *row*, made if it is not there."""
        message = self.messages[row]
        layout = self._layouts.get(message.key)
        if layout is None:
            layout = MessageLayout(self.scene, message, self.embed_heights)
            self._layouts[message.key] = layout
        self._layouts.move_to_end(message.key)
        return layout

    def realize(self, top_px: int, bottom_px: int) -> bool:
        """Lay out the rows between two heights; say whether any height changed."""
        if not self.messages:
            return False
        changed, row = False, self.row_at(top_px)
        first = row
        while row < len(self.messages) and (y_px := self.top_px(row)) <= bottom_px:
            changed |= self._realize_row(row, top_px - y_px, bottom_px - y_px)
            row += 1
        while len(self._layouts) > max(CACHED_LAYOUTS, row - first + 8):
            self._layouts.popitem(last=False)
        return changed

    def _realize_row(self, row: int, top_px: int, bottom_px: int) -> bool:
        layout = self.layout(row)
        layout.realize(self.width_px, top_px, bottom_px)
        return bool(self._offsets.set(row, layout.height + self._gap_px()))

    def realize_piece(self, row: int, number: int) -> Piece | None:
        """Lay out one piece of *row* wherever it is; None if there is no such piece."""
        layout = self.layout(row)
        pieces = layout.pieces
        if number >= len(pieces):
            return None
        self._realize_row(row, 0, 0)
        if not pieces[number].is_measured:
            pieces[number].measure_for(self.width_px)
            self._realize_row(row, 0, 0)
        return pieces[number]

    def piece_top_px(self, row: int, number: int) -> int:
        """Return where a piece begins; where its row begins if the piece is not there."""
        placed = self.layout(row).placed
        return self.top_px(row) + (placed[number].rect.top() if number < len(placed) else 0)

    def spot_at(self, y_px: int, *, until_px: int) -> PieceSpot | None:
        """Return the first piece that begins at or below *y_px* and above *until_px*.

        If there is none, the piece that covers *y_px*: text under the eye stays
        where it is, whatever grows above it.
        """
        if not self.messages:
            return None
        row, covering = self.row_at(y_px), None
        while row < len(self.messages) and (top_px := self.top_px(row)) < until_px:
            placed = self.layout(row).placed
            if not placed:
                covering = covering or PieceSpot(row, 0, top_px)
            for number, entry in enumerate(placed):
                spot = PieceSpot(row, number, top_px + entry.rect.top())
                if y_px <= spot.top_px < until_px:
                    return spot
                if spot.top_px < y_px:
                    covering = spot
            row += 1
        return covering

    def outlines(self, row: int) -> tuple[Outline, ...]:
        """Return what the pieces of *row* say; parsed once for each state of a message."""
        message = self.messages[row]
        known = self._outlines.get(message.key)
        if known is None or known[0] is not message:
            if len(self._outlines) > 2 * len(self.messages) + 64:
                self._outlines.clear()
            known = (message, of_message(message))
            self._outlines[message.key] = known
        return known[1]

    def has_outlines(self, row: int) -> bool:
        """Say whether the outlines of *row* are known without parsing."""
        message = self.messages[row]
        known = self._outlines.get(message.key)
        return known is not None and known[0] is message


def first_difference(old: tuple[Message, ...], new: tuple[Message, ...]) -> int:
    """Return the first index at which two lists hold different objects.

    Comparing slices lets the interpreter skip equal objects, so ten thousand
    unchanged messages cost some microseconds.
    """
    shortest = min(len(old), len(new))
    start = 0
    while start < shortest and old[start : start + _CHUNK] == new[start : start + _CHUNK]:
        start += _CHUNK
    while start < shortest and old[start] is new[start]:
        start += 1
    return min(start, shortest)
