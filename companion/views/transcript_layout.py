"""One message as a column of placed pieces, laid out only as far as it is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QRect, QSize

from companion.domain.outline import Outline, of_part
from companion.domain.transcript import Message, Part, part_key
from companion.views.blocks import draw_part, status_of
from companion.views.renderer import Drawing, FixedDrawing, Mark, PartPlace, Piece, Scene
from companion.views.text_piece import TextPiece

BUBBLE_SHARE = 0.78
BUBBLE_PAD_X_PX, BUBBLE_PAD_Y_PX = 13, 9


class EmbedPiece(Piece):
    """The room that a real widget takes; `transcript_embeds` puts the widget there."""

    def __init__(self, scene: Scene, part: Part, key: str, heights: dict[str, int]) -> None:
        (outline,) = of_part(part)[:1] or (Outline(""),)
        super().__init__(scene, outline)
        self.part = part
        self.key = key
        self._heights = heights

    def estimate(self, width_px: int) -> int:
        """Return the height the widget reported, or the one remembered for it."""
        if self.key in self._heights:
            return self._heights[self.key]
        embeds = self.scene.embeds
        return embeds.remembered_height(self.key, self.part) if embeds else 0

    def measure(self, width_px: int) -> None:
        """Take all the width."""
        self.size = QSize(width_px, self.estimate(width_px))
        self.is_measured = True

    def paint(self, painter: object, marks: Sequence[Mark], clip: QRect) -> None:
        """Draw nothing: the widget does."""


@dataclass(slots=True)
class Placed:
    """A piece with its place in the message."""

    piece: Piece
    rect: QRect = field(default_factory=QRect)


class MessageLayout:
    """The drawings of a message and where their pieces stand, from the column's left edge."""

    def __init__(self, scene: Scene, message: Message, heights: dict[str, int]) -> None:
        self.message = message
        self.placed: list[Placed] = []
        self.bubble: QRect | None = None
        self.height = 0
        self._scene = scene
        self._heights = heights
        self._drawings: list[Drawing] = []
        self._status: Piece | None = None
        self._bubble_of: tuple[int, list[Piece]] | None = None
        self._take_parts(())

    def update(self, message: Message) -> None:
        """Take a newer state of the message; parts that did not change keep their pieces."""
        old, self.message = self.message.parts, message
        self._take_parts(old)

    def _take_parts(self, old: tuple[Part, ...]) -> None:
        message = self.message
        drawings = []
        for number, part in enumerate(message.parts):
            known = self._drawings[number] if number < len(self._drawings) else None
            if known is not None and (old[number] == part or known.update(part)):
                drawings.append(known)
            else:
                drawings.append(self._draw(number, part))
        self._drawings = drawings
        self._status = status_of(message, self._scene)

    def _draw(self, number: int, part: Part) -> Drawing:
        place = PartPlace(part_key(self.message, number), self.message.role == "user")
        embeds = self._scene.embeds
        if embeds is not None and embeds.handles(part):
            return FixedDrawing(EmbedPiece(self._scene, part, place.key, self._heights))
        return draw_part(self._scene, part, place)

    @property
    def pieces(self) -> list[Piece]:
        """All pieces in the order of the message's outline; the status line last."""
        pieces = [piece for drawing in self._drawings for piece in drawing.pieces]
        return [*pieces, self._status] if self._status else pieces

    def realize(self, width_px: int, top_px: int, bottom_px: int) -> None:
        """Lay out what lies between two heights of the message; estimate the rest."""
        pieces = self.pieces
        if self.message.role == "user":
            self._realize_bubble(pieces, width_px)
            return
        self.bubble = None
        y_px = 0
        self.placed = []
        for number, piece in enumerate(pieces):
            y_px += self._scene.style.px(piece.gap_px) if number else 0
            height = self._height_at(piece, width_px, y_px, (top_px, bottom_px))
            self.placed.append(Placed(piece, QRect(0, y_px, width_px, height)))
            y_px += height
        self.height = y_px

    def _height_at(self, piece: Piece, width_px: int, y_px: int, seen: tuple[int, int]) -> int:
        if piece.is_measured and piece.measured_for_px == width_px:
            return piece.size.height()
        height = piece.estimate(width_px)
        if y_px + height >= seen[0] and y_px <= seen[1]:
            piece.measure_for(width_px)
            return piece.size.height()
        return height

    def _realize_bubble(self, pieces: list[Piece], width_px: int) -> None:
        # A bubble is as wide as its widest line, so all of it is laid out.
        if self._bubble_of == (width_px, pieces) and all(piece.is_measured for piece in pieces):
            return
        self._bubble_of = (width_px, pieces)
        px = self._scene.style.px
        pad_x, pad_y = px(BUBBLE_PAD_X_PX), px(BUBBLE_PAD_Y_PX)
        widest = int(width_px * BUBBLE_SHARE) - 2 * pad_x
        inner = [piece for piece in pieces if not piece.is_aside]
        needed = px(24)
        for piece in inner:
            piece.measure_for(widest)
            needed = max(needed, min(widest, piece.natural_width()))
        left = width_px - needed - pad_x
        y_px = pad_y
        self.placed = []
        for number, piece in enumerate(inner):
            if isinstance(piece, TextPiece):
                piece.measure_for(needed)
            y_px += px(piece.gap_px) if number else 0
            self.placed.append(Placed(piece, QRect(left, y_px, needed, piece.size.height())))
            y_px += piece.size.height()
        self.height = y_px + pad_y if inner else 0
        self.bubble = QRect(left - pad_x, 0, needed + 2 * pad_x, self.height) if inner else None
        for piece in pieces[len(inner) :]:
            self._place_aside(piece, width_px)

    def _place_aside(self, piece: Piece, width_px: int) -> None:
        piece.measure_for(width_px)
        width = min(width_px, piece.natural_width())
        piece.measure_for(width)
        y_px = self.height + self._scene.style.px(piece.gap_px)
        self.placed.append(Placed(piece, QRect(width_px - width, y_px, width, piece.size.height())))
        self.height = y_px + piece.size.height()


def estimate_height(message: Message, width_px: int, scene: Scene) -> int:
    """Return about how high *message* will be, from the lengths of its texts alone."""
    px = scene.style.px
    share = BUBBLE_SHARE if message.role == "user" else 1.0
    per_line = max(8, int(width_px * share / (7.4 * scene.style.zoom)))
    height = px(2 * BUBBLE_PAD_Y_PX) if message.role == "user" else 0
    for number, part in enumerate(message.parts):
        height += px(14) if number else 0
        if scene.embeds is not None and scene.embeds.handles(part):
            height += scene.embeds.remembered_height(part_key(message, number), part)
        elif isinstance(text := getattr(part, "text", None), str):
            height += px(21) * (text.count("\n") + 1 + len(text) // per_line)
        else:
            height += px(20)
    return height
