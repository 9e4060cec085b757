"""Finding text in a transcript, in messages that were never laid out too.

Messages are sifted by their source, then read exactly: as many as fit into a
moment at once, the others between events. Until a message is read exactly, its
rough count stands for it, so the number may still change a little.
"""

from __future__ import annotations

import re
import time
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from companion.domain.outline import rough_text
from companion.domain.transcript import Message
from companion.views.renderer import Mark, Piece
from companion.views.transcript_rows import Rows
from companion.views.transcript_scroll import Scroll

FIRST_TURN_S = 0.05
TURN_S = 0.012
REFRESH_MS = 150


class Hit(NamedTuple):
    """The *nth* match in a piece of a row."""

    row: int
    piece: int
    nth: int


class Finder(QObject):
    """The search, its matches, and the one that a person looks at."""

    count_changed = Signal(int)
    changed = Signal()

    def __init__(self, parent: QObject, rows: Rows, scroll: Scroll) -> None:
        super().__init__(parent)
        self._rows = rows
        self._scroll = scroll
        self._text = ""
        self._pattern: re.Pattern[str] | None = None
        self._exact: dict[int, list[Hit]] = {}
        self._rough: dict[int, int] = {}
        self._current: Hit | None = None
        self._count = 0
        self._rough_texts: dict[str, tuple[Message, str]] = {}
        self._reading = QTimer(self, interval=0)
        self._reading.timeout.connect(self._read_on)
        self._refreshing = QTimer(self, interval=REFRESH_MS, singleShot=True)
        self._refreshing.timeout.connect(self._refresh)

    @property
    def is_active(self) -> bool:
        """Whether a search is open."""
        return self._pattern is not None

    @property
    def count(self) -> int:
        """How many matches there are, as far as is known."""
        return sum(map(len, self._exact.values())) + sum(self._rough.values())

    @property
    def current(self) -> Hit | None:
        """The match that was gone to last."""
        return self._current

    def start(self, text: str) -> int:
        """Search for *text* without regard to case, and go to the first match in or below sight."""
        if not text:
            self.clear()
            return 0
        self._text = text
        self._pattern = re.compile(re.escape(text), re.IGNORECASE)
        self._current = None
        self._scroll.hold()
        self._scroll.follow = self._scroll.follow.search_opened()
        self._sift()
        row = self._rows.row_at(self._scroll.top_px) if len(self._rows) else 0
        self._go(self._next_from(Hit(row, -1, -1), 1))
        self._count = self.count
        return self._count

    def clear(self) -> None:
        """Close the search."""
        self._reading.stop()
        self._refreshing.stop()
        self._pattern = None
        self._exact, self._rough, self._current = {}, {}, None
        self._scroll.follow = self._scroll.follow.search_closed(self._scroll.below_px)
        self.changed.emit()

    def step(self, direction: int) -> None:
        """Go to the next match (1) or the one before (-1), around the ends."""
        if self._pattern is not None:
            start = self._current or Hit(0, -1, -1)
            self._go(self._next_from(start, direction))

    def messages_changed(self) -> None:
        """Search again soon: messages came, grew or went."""
        if self._pattern is not None and not self._refreshing.isActive():
            self._refreshing.start()

    def _refresh(self) -> None:
        self._sift()
        self._tell()

    def _sift(self) -> None:
        assert self._pattern is not None
        self._exact, self._rough = {}, {}
        for row, message in enumerate(self._rows.messages):
            count = self._rough_count(message)
            if count:
                self._rough[row] = count
        if not self._read_until(time.monotonic() + FIRST_TURN_S):
            self._reading.start()
        self.changed.emit()

    def _rough_count(self, message: Message) -> int:
        assert self._pattern is not None
        sources = (getattr(part, "text", "") for part in message.parts)
        count = sum(len(self._pattern.findall(source)) for source in sources)
        # Words that marks stand between are found in the text without marks only.
        return count or len(self._pattern.findall(self._rough_text(message)))

    def _rough_text(self, message: Message) -> str:
        known = self._rough_texts.get(message.key)
        if known is None or known[0] is not message:
            if len(self._rough_texts) > 2 * len(self._rows) + 64:
                self._rough_texts.clear()
            known = (message, rough_text(message))
            self._rough_texts[message.key] = known
        return known[1]

    def _read_on(self) -> None:
        if self._read_until(time.monotonic() + TURN_S):
            self._reading.stop()
        self._tell()

    def _read_until(self, deadline: float) -> bool:
        while self._rough:
            # The newest messages first: they are the likeliest to be on screen.
            self._read(next(reversed(self._rough)))
            if time.monotonic() > deadline:
                break
        return not self._rough

    def _read(self, row: int) -> list[Hit]:
        assert self._pattern is not None
        if self._rough.pop(row, None) is not None:
            hits = []
            for number, outline in enumerate(self._rows.outlines(row)):
                found = self._pattern.findall(outline.searchable)
                hits += [Hit(row, number, nth) for nth in range(len(found))]
            if hits:
                self._exact[row] = hits
        return self._exact.get(row, [])

    def _tell(self) -> None:
        if self.count != self._count:
            self._count = self.count
            self.count_changed.emit(self._count)

    def _next_from(self, start: Hit, direction: int) -> Hit | None:
        rows = sorted({*self._exact, *self._rough}, reverse=direction < 0)
        beyond = [row for row in rows if (row - start.row) * direction >= 0]
        around = [row for row in rows if row not in set(beyond)] + [start.row]
        for row in beyond:
            hits = self._read(row)[::direction]
            for hit in hits:
                if hit > start if direction > 0 else hit < start:
                    return hit
        for row in around:
            hits = self._read(row)[::direction]
            if hits:
                return hits[0]
        return None

    def _go(self, hit: Hit | None) -> None:
        self._current = hit
        if hit is not None:
            piece = self._opened_piece(hit)
            ranges = piece.hits(self._pattern) if piece and self._pattern else []
            place = ranges[min(hit.nth, len(ranges) - 1)][0] if ranges else 0
            line_top = piece.rect_of(place).top() if piece else 0
            self._scroll.show(hit.row, hit.piece, line_top - self._scroll.view_px // 3)
        self.changed.emit()

    def _opened_piece(self, hit: Hit) -> Piece | None:
        piece = self._rows.realize_piece(hit.row, hit.piece)
        if piece is None or self._pattern is None or not piece.is_foldable or piece.is_open:
            return piece
        if hit.nth >= len(piece.hits(self._pattern)):
            piece.set_open(True)
            return self._rows.realize_piece(hit.row, hit.piece)
        return piece

    def marks_in(self, row: int, number: int, piece: Piece) -> list[Mark]:
        """Return the matches in a piece that is drawn."""
        if self._pattern is None:
            return []
        here = self._current if self._current and self._current[:2] == (row, number) else None
        hits = piece.hits(self._pattern)
        shown = min(here.nth, len(hits) - 1) if here else -1
        return [
            Mark(start, end, "current" if nth == shown else "found") for nth, (start, end) in enumerate(hits)
        ]
