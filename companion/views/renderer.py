"""What drawing code gets and gives: pieces of a message, and the widgets inside it.

A message is drawn as a column of *pieces*. Most are painted and cost nothing
while they are out of sight; a part that needs a real widget is an *embed*,
which lives only near the viewport. Renderers (`views/blocks`) make the pieces
of one part; the transcript places them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QWidget

from companion.domain.outline import Outline
from companion.domain.transcript import Part
from companion.views.theme import BODY_PX, Theme, body_font, mono_font

PART_GAP_PX = 14
BLOCK_GAP_PX = 10

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Style:
    """A theme at a zoom: where drawing code gets its colours, sizes and fonts."""

    theme: Theme
    zoom: float = 1.0

    def px(self, length_px: float) -> int:
        """Return a length at this zoom, at least one pixel unless it is none."""
        return max(1, round(length_px * self.zoom)) if length_px else 0

    def body(self, px: float = BODY_PX, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """Return the font for text."""
        return body_font(self.px(px), weight=weight)

    def mono(self, px: float = 12.5) -> QFont:
        """Return the font for code."""
        return mono_font(self.px(px))


@dataclass(frozen=True, slots=True)
class Mark:
    """A range of a piece's text that is shown differently, in UTF-16 units."""

    start: int
    end: int
    kind: Literal["selected", "found", "current"]


@dataclass(frozen=True, slots=True)
class Action:
    """What a click on a place would do."""

    kind: Literal["link", "toggle", "copy", "retry"]
    value: str = ""
    """The address of a link, or the text to copy."""


class Jobs(Protocol):
    """Runs work off the drawing thread."""

    def submit(self, job: Callable[[], T], take: Callable[[T], None]) -> None:
        """Run *job* elsewhere and hand its result to *take* here; then all is drawn again."""


class EmbedWidget(QWidget):
    """A real widget inside the transcript, made near the viewport and deleted far from it."""

    height_changed = Signal(int)
    """The height it wants, in pixels."""
    wheel_left = Signal(int)
    """A turn of the wheel that it did not use, as an angle delta."""

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of *theme*."""

    def closing(self) -> None:
        """Let go of what must not outlive the widget; it is deleted next."""


class EmbedFactory(Protocol):
    """Makes the widgets for parts that cannot be painted."""

    def handles(self, part: Part) -> bool:
        """Say whether *part* is drawn by a widget of this factory."""

    def create(self, key: str, part: Part, parent: QWidget) -> EmbedWidget:
        """Make the widget of *part*; *key* is the message's key and the part's number."""

    def remembered_height(self, key: str, part: Part) -> int:
        """Return the height in pixels to keep free while there is no widget."""


@dataclass(slots=True)
class Scene:
    """What all pieces of a transcript share."""

    style: Style
    jobs: Jobs
    embeds: EmbedFactory | None = None
    opened: set[str] = field(default_factory=set)
    """Keys of the cards that a person opened."""


@dataclass(frozen=True, slots=True)
class PartPlace:
    """Where a part stands."""

    key: str
    """The message's key and the part's number: `run:1/0`."""
    is_persons: bool = False


class Piece:
    """One drawn unit of a message: its text, its size, and what a click on it does."""

    gap_px = PART_GAP_PX
    """Room above it, before zoom, unless it is the first of its message."""
    is_aside = False
    """Whether it stands under a person's bubble instead of inside it."""

    def __init__(self, scene: Scene, outline: Outline) -> None:
        self.scene = scene
        self.outline = outline
        self.size = QSize()
        self.is_measured = False
        self.measured_for_px = 0
        """The width it was measured for; its own may be smaller."""

    def measure_for(self, width_px: int) -> None:
        """Measure for a width, unless that was done."""
        if not self.is_measured or self.measured_for_px != width_px:
            self.measure(width_px)
            self.measured_for_px = width_px

    def estimate(self, width_px: int) -> int:
        """Return about how high it will be, cheaply."""
        return estimate_text(self.outline.plain, width_px, self.scene.style)

    def measure(self, width_px: int) -> None:
        """Lay out at *width_px* and set the size exactly."""
        raise NotImplementedError

    def natural_width(self) -> int:
        """Return the width it needs at most, once measured."""
        return self.size.width()

    def paint(self, painter: QPainter, marks: Sequence[Mark], clip: QRect) -> None:
        """Draw with the origin at the piece's corner; only *clip* is needed."""
        raise NotImplementedError

    def place_at(self, point: QPoint) -> int:
        """Return the place in the text that is nearest to *point*."""
        return 0

    def word_at(self, place: int) -> tuple[int, int]:
        """Return the word around a place in the text."""
        return place, place

    def text_between(self, start: int, end: int) -> str:
        """Return the plain text of a range."""
        return self.outline.plain

    def hits(self, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
        """Return the ranges that *pattern* matches in the text as it is drawn now."""
        return []

    def rect_of(self, place: int) -> QRect:
        """Return where a place in the text is drawn."""
        return QRect(QPoint(0, 0), self.size)

    def action_at(self, point: QPoint) -> Action | None:
        """Return what a click at *point* does."""
        return None

    def links(self) -> list[str]:
        """Return the addresses that the piece leads to."""
        return []

    @property
    def is_foldable(self) -> bool:
        """Whether it can be opened and closed."""
        return False

    @property
    def is_open(self) -> bool:
        """Whether all of it is shown."""
        return True

    def set_open(self, is_open: bool) -> None:
        """Open or close it; it has to be measured again."""


class Drawing(Protocol):
    """The pieces of one part, kept while the part grows."""

    @property
    def pieces(self) -> Sequence[Piece]:
        """The pieces, from top to bottom."""

    def update(self, part: Part) -> bool:
        """Take a newer state of the part; False if only a new drawing can show it."""


Renderer: TypeAlias = Callable[[Scene, Any, PartPlace], Drawing]
"""Makes the drawing of a part; each takes the type of part it stands for in `RENDERERS`."""


class FixedDrawing:
    """A drawing that a new part replaces as a whole."""

    def __init__(self, *pieces: Piece) -> None:
        self.pieces: Sequence[Piece] = pieces

    def update(self, part: Part) -> bool:
        """Refuse: the pieces show the old part."""
        return False


def estimate_text(text: str, width_px: int, style: Style) -> int:
    """Return about how high *text* is in a column of *width_px*, without laying it out."""
    per_line = max(8, int(width_px / (7.4 * style.zoom)))
    lines = text.count("\n") + 1 + len(text) // per_line
    return lines * style.px(21)


TEXT_CURSOR = Qt.CursorShape.IBeamCursor
ACTION_CURSOR = Qt.CursorShape.PointingHandCursor
