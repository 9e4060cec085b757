"""From a point of the viewport to a place in the text, and back."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractScrollArea

from companion.domain.selection import Place
from companion.views.renderer import Action, Piece
from companion.views.theme import READING_WIDTH_PX
from companion.views.transcript_rows import Rows
from companion.views.transcript_scroll import Scroll

MARGIN_PX = 22


@dataclass(frozen=True, slots=True)
class Spot:
    """A piece under a point, and the point seen from the piece's corner."""

    row: int
    number: int
    piece: Piece
    point: QPoint


class Spots:
    """Knows where the column stands and what lies under a point."""

    def __init__(self, area: QAbstractScrollArea, rows: Rows, scroll: Scroll) -> None:
        self._area = area
        self._rows = rows
        self._scroll = scroll

    @property
    def column(self) -> QRect:
        """The column for reading, in the viewport."""
        px = self._rows.scene.style.px
        # The whole area counts, with the scroll bar's place: the text must not move when the bar comes.
        whole = self._area.contentsRect().width()
        width = max(px(80), min(px(READING_WIDTH_PX), whole - 2 * MARGIN_PX))
        return QRect((whole - width) // 2, 0, width, self._area.viewport().height())

    def visible_rows(self) -> range:
        """The rows that are at least partly in sight."""
        if not len(self._rows):
            return range(0)
        top = self._scroll.top_px
        return range(self._rows.row_at(top), self._rows.row_at(top + self._scroll.view_px) + 1)

    def row_rect(self, row: int) -> QRect:
        """Return where *row* is, in the viewport."""
        column = self.column
        top = self._rows.top_px(row) - self._scroll.top_px
        return QRect(column.left(), top, column.width(), self._rows.height_px(row))

    def at(self, point: QPoint) -> Spot | None:
        """Return the piece exactly under *point*."""
        spot = self.nearest(point)
        if spot is None or not QRect(QPoint(0, 0), spot.piece.size).contains(spot.point):
            return None
        return spot

    def nearest(self, point: QPoint) -> Spot | None:
        """Return the piece at the height of *point*, or the one nearest above it."""
        if not len(self._rows):
            return None
        y_px = point.y() + self._scroll.top_px
        row = self._rows.row_at(y_px)
        inner_y = y_px - self._rows.top_px(row)
        chosen: Spot | None = None
        for number, placed in enumerate(self._rows.layout(row).placed):
            if chosen is not None and placed.rect.top() > inner_y:
                break
            corner = QPoint(
                self.column.left() + placed.rect.left(), self._rows.top_px(row) + placed.rect.top()
            )
            seen = QPoint(point.x() - corner.x(), y_px - corner.y())
            chosen = Spot(row, number, placed.piece, seen)
        return chosen

    def place_at(self, point: QPoint) -> Place | None:
        """Return the place in the text nearest to *point*."""
        spot = self.nearest(point)
        if spot is None:
            return None
        if spot.point.y() < 0:
            return Place(spot.row, spot.number, 0)
        return Place(spot.row, spot.number, spot.piece.place_at(spot.point))

    def action_at(self, point: QPoint) -> tuple[Action, Spot] | None:
        """Return what a click at *point* does, and on which piece."""
        spot = self.at(point)
        action = spot.piece.action_at(spot.point) if spot else None
        return (action, spot) if action and spot else None
