"""A piece that is one quiet line until a person opens it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from companion.domain.outline import Outline
from companion.views.markdown_document import Prose, ProseWriter, char_format
from companion.views.renderer import Action, Scene
from companion.views.text_piece import TextPiece
from companion.views.theme import RADIUS_PX, SMALL_PX

MAX_SHOWN_CHARACTERS = 60_000
_TITLE_LINE_PX = 20


class FoldPiece(TextPiece):
    """A title with an arrow; below it, when open, what the outline calls folded."""

    labels: frozenset[str] = frozenset()
    """Lines of the folded text that are headings of what follows."""
    is_code = True

    def __init__(self, scene: Scene, outline: Outline, key: str) -> None:
        super().__init__(scene, outline)
        self._key = key

    def inset(self) -> tuple[int, int, int, int]:
        """Return the room for the arrow, and for the frame when open."""
        px = self.scene.style.px
        inset = (px(26), px(8), px(12), px(10)) if self.is_open else (px(15), 0, 0, 0)
        return self.lifted(*inset)

    @property
    def is_foldable(self) -> bool:
        """Always."""
        return True

    @property
    def is_open(self) -> bool:
        """Whether a person opened it."""
        return self._key in self.scene.opened

    def set_open(self, is_open: bool) -> None:
        """Open or close it."""
        if is_open:
            self.scene.opened.add(self._key)
        else:
            self.scene.opened.discard(self._key)
        self.forget()

    def estimate(self, width_px: int) -> int:
        """Return the height of the title, or of all."""
        return super().estimate(width_px) if self.is_open else self.scene.style.px(_TITLE_LINE_PX)

    def write_title(self, writer: ProseWriter) -> None:
        """Write the title, small and muted."""
        style = self.scene.style
        format_ = char_format(style, "muted", style.body(SMALL_PX))
        writer.line(self.outline.plain, format_, line_px=_TITLE_LINE_PX)

    def write(self) -> Prose:
        """Write the title and, when open, the rest."""
        writer = ProseWriter(self.scene.style)
        self.write_title(writer)
        if self.is_open:
            self._write_folded(writer)
        return writer.prose

    def _write_folded(self, writer: ProseWriter) -> None:
        style = self.scene.style
        label = char_format(style, "muted", style.body(SMALL_PX))
        content = char_format(style, "text", style.mono(12) if self.is_code else style.body(13))
        text = self.outline.folded
        hidden = len(text) - MAX_SHOWN_CHARACTERS
        for line in text[:MAX_SHOWN_CHARACTERS].split("\n"):
            is_label = line in self.labels
            writer.line(
                line, label if is_label else content, line_px=18 if self.is_code or is_label else LINE_PX
            )
        if hidden > 0:
            writer.line(f"{hidden:,} more characters are not shown here.", label, gap_px=6)

    def paint_ground(self, painter: QPainter) -> None:
        """Draw the arrow, and a frame around an open card."""
        style, theme = self.scene.style, self.scene.style.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, top, _, _ = self.inset()
        if self.is_open:
            half = theme.border_px / 2
            painter.setPen(QPen(theme.color("line"), theme.border_px))
            painter.setBrush(theme.color("card"))
            frame = QRectF(QPointF(0, 0), self.size.toSizeF()).adjusted(half, half, -half, -half)
            painter.drawRoundedRect(frame, style.px(RADIUS_PX), style.px(RADIUS_PX))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("muted"))
        middle = QPointF(left - style.px(11), top + style.px(_TITLE_LINE_PX) / 2 + style.zoom)
        painter.drawPolygon(_arrow(middle, 3.5 * style.zoom, is_open=self.is_open))

    def action_at(self, point: QPoint) -> Action | None:
        """Return that a click on the title opens or closes."""
        _, top, _, _ = self.inset()
        bottom = top + self.scene.style.px(_TITLE_LINE_PX)
        width = self.size.width() if self.is_open else self.natural_width()
        if QRect(0, 0, width, bottom).contains(point):
            return Action("toggle")
        return super().action_at(point)


LINE_PX = 20


def _arrow(middle: QPointF, half: float, *, is_open: bool) -> QPolygonF:
    corners = [(-0.6, -1.0), (-0.6, 1.0), (0.9, 0.0)]
    if is_open:
        corners = [(-1.0, -0.6), (1.0, -0.6), (0.0, 0.9)]
    return QPolygonF([middle + QPointF(x * half, y * half) for x, y in corners])
