"""Painting of the rows in sight."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from companion.views.renderer import Mark
from companion.views.theme import RADIUS_PX, RADIUS_USER_PX
from companion.views.transcript_copy import Selected
from companion.views.transcript_find import Finder
from companion.views.transcript_layout import MessageLayout, Placed
from companion.views.transcript_rows import Rows
from companion.views.transcript_spots import Spots

FOCUS_MARGIN_PX = 6


class Painting:
    """Draws rows with what is selected and found in them."""

    def __init__(self, rows: Rows, spots: Spots, selected: Selected, finder: Finder) -> None:
        self._rows = rows
        self._spots = spots
        self._selected = selected
        self._finder = finder

    def paint(self, painter: QPainter, area: QRect, focused_row: int | None) -> None:
        """Draw what lies in *area* of the viewport."""
        painter.fillRect(area, self._rows.scene.style.theme.color("bg"))
        for row in self._spots.visible_rows():
            rect = self._spots.row_rect(row)
            reach = FOCUS_MARGIN_PX + 2
            if not rect.adjusted(-reach, -reach, reach, reach).intersects(area):
                continue
            self._paint_row(painter, row, rect, area)
            if row == focused_row:
                self._paint_focus(painter, rect)

    def _paint_row(self, painter: QPainter, row: int, rect: QRect, area: QRect) -> None:
        layout = self._rows.layout(row)
        if layout.bubble is not None:
            self._paint_bubble(painter, layout, rect.topLeft())
        for number, placed in enumerate(layout.placed):
            where = placed.rect.translated(rect.topLeft())
            if where.intersects(area) and placed.piece.is_measured:
                self._paint_piece(painter, (row, number), placed, where, area)

    def _paint_piece(
        self, painter: QPainter, number: tuple[int, int], placed: Placed, where: QRect, area: QRect
    ) -> None:
        painter.save()
        try:
            painter.translate(where.topLeft())
            placed.piece.paint(painter, self._marks(number, placed), area.translated(-where.topLeft()))
        finally:
            painter.restore()

    def _marks(self, number: tuple[int, int], placed: Placed) -> list[Mark]:
        marks = self._finder.marks_in(*number, placed.piece)
        selected = self._selected.mark_in(*number)
        return [*marks, selected] if selected else marks

    def _paint_bubble(self, painter: QPainter, layout: MessageLayout, corner: QPoint) -> None:
        style, theme = self._rows.scene.style, self._rows.scene.style.theme
        assert layout.bubble is not None, "only messages with a bubble come here"
        rect = QRectF(layout.bubble.translated(corner))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.color("user"))
        painter.setPen(Qt.PenStyle.NoPen)
        if theme.border_px > 1:
            # In high contrast the ground is no tint, so a border tells whose message it is.
            painter.setPen(QPen(theme.color("line"), theme.border_px))
            rect.adjust(1, 1, -1, -1)
        painter.drawRoundedRect(rect, style.px(RADIUS_USER_PX), style.px(RADIUS_USER_PX))

    def _paint_focus(self, painter: QPainter, rect: QRect) -> None:
        style, theme = self._rows.scene.style, self._rows.scene.style.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 2))
        margin = FOCUS_MARGIN_PX
        painter.drawRoundedRect(
            rect.adjusted(-margin, -margin, margin, margin), style.px(RADIUS_PX), style.px(RADIUS_PX)
        )
