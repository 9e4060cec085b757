"""A part that cannot be drawn: its words stand for it, in a dashed frame."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from companion.domain.outline import of_part
from companion.domain.transcript import Part
from companion.views.markdown_document import Prose, ProseWriter, char_format
from companion.views.renderer import Drawing, FixedDrawing, PartPlace, Scene
from companion.views.text_piece import TextPiece
from companion.views.theme import RADIUS_PX


class ProjectionPiece(TextPiece):
    """The projection of a part."""

    inset_px = (12, 9, 12, 9)

    def write(self) -> Prose:
        """Write the words, muted."""
        style = self.scene.style
        writer = ProseWriter(style)
        format_ = char_format(style, "muted", style.body(13))
        for line in self.outline.plain.split("\n"):
            writer.line(line, format_, line_px=20)
        return writer.prose

    def paint_ground(self, painter: QPainter) -> None:
        """Draw the frame."""
        style, theme = self.scene.style, self.scene.style.theme
        half = theme.border_px / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("line2"), theme.border_px, Qt.PenStyle.DashLine))
        frame = QRectF(QPointF(0, 0), self.size.toSizeF()).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(frame, style.px(RADIUS_PX), style.px(RADIUS_PX))


def draw_unknown(scene: Scene, part: Part, place: PartPlace) -> Drawing:
    """Draw the words that stand for *part*."""
    return FixedDrawing(*(ProjectionPiece(scene, outline) for outline in of_part(part)))
