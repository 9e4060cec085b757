"""The mouse in a transcript: clicks, selections over many messages, the cursor's shape."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from companion.domain.selection import PIECE_END, Place, Selection
from companion.views.renderer import ACTION_CURSOR, TEXT_CURSOR, Action
from companion.views.transcript_copy import Selected
from companion.views.transcript_scroll import Scroll
from companion.views.transcript_spots import Spot, Spots

DRAG_SCROLL_MS = 30


class Pointer(QObject):
    """Turns the mouse's events into selections and actions."""

    acted = Signal(object, object)
    """An `Action` and the `Spot` it was clicked at."""
    pressed_row = Signal(int)

    def __init__(self, area: QAbstractScrollArea, spots: Spots, scroll: Scroll, selected: Selected) -> None:
        super().__init__(area)
        self._area = area
        self._spots = spots
        self._scroll = scroll
        self._selected = selected
        self._is_dragging = False
        self._pressed_at = QPoint()
        self._pressed_action: tuple[Action, Spot] | None = None
        self._clicks = 0
        self._last_click_ms = 0
        self._last_point = QPoint()
        self._drag_scroll = QTimer(self, interval=DRAG_SCROLL_MS)
        self._drag_scroll.timeout.connect(self._scroll_while_dragging)

    def press(self, event: QMouseEvent) -> None:
        """Begin a click, a selection, or draw one further with shift."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        self._count_click(point, event.timestamp())
        self._pressed_at = point
        self._is_dragging = True
        self._pressed_action = self._spots.action_at(point)
        place = self._spots.place_at(point)
        if place is None:
            return
        self.pressed_row.emit(place.row)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._scroll.hold()
            self._selected.extend(place)
        elif self._clicks >= 2 and self._pressed_action is None:
            self._select_around(point, place)
        else:
            self._selected.set(Selection(place, place))

    def _count_click(self, point: QPoint, now_ms: int) -> None:
        interval = QApplication.doubleClickInterval()
        is_near = (point - self._last_point).manhattanLength() <= QApplication.startDragDistance()
        is_soon = now_ms - self._last_click_ms <= interval
        self._clicks = self._clicks + 1 if is_near and is_soon else 1
        self._last_click_ms, self._last_point = now_ms, point

    def _select_around(self, point: QPoint, place: Place) -> None:
        spot = self._spots.nearest(point)
        if spot is None:
            return
        start, end = (0, PIECE_END) if self._clicks > 2 else spot.piece.word_at(place.offset)
        self._scroll.hold()
        self._selected.set(
            Selection(Place(place.row, place.piece, start), Place(place.row, place.piece, end))
        )
        self._is_dragging = False

    def double_click(self, event: QMouseEvent) -> None:
        """Select the word under the mouse."""
        self.press(event)

    def move(self, event: QMouseEvent) -> None:
        """Draw the selection, or show what a click here would do."""
        point = event.position().toPoint()
        if not (self._is_dragging and event.buttons() & Qt.MouseButton.LeftButton):
            self._show_cursor(point)
            return
        if (point - self._pressed_at).manhattanLength() < QApplication.startDragDistance():
            return
        self._last_point = point
        self._scroll.hold()
        self._draw_to(point)
        outside = point.y() < 0 or point.y() > self._area.viewport().height()
        if outside and not self._drag_scroll.isActive():
            self._drag_scroll.start()
        elif not outside:
            self._drag_scroll.stop()

    def _draw_to(self, point: QPoint) -> None:
        place = self._spots.place_at(point)
        if place is not None:
            self._selected.extend(place)

    def _scroll_while_dragging(self) -> None:
        height = self._area.viewport().height()
        y = self._last_point.y()
        by = y if y < 0 else max(0, y - height)
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.value() + max(-60, min(60, by)))
        self._draw_to(QPoint(self._last_point.x(), max(0, min(y, height))))

    def release(self, event: QMouseEvent) -> None:
        """End a selection, or do what was clicked."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._is_dragging = False
        self._drag_scroll.stop()
        point = event.position().toPoint()
        clicked, self._pressed_action = self._pressed_action, None
        moved = (point - self._pressed_at).manhattanLength() >= QApplication.startDragDistance()
        if clicked is None or moved:
            return
        action = self._spots.action_at(point)
        if action is not None and action[0] == clicked[0]:
            self.acted.emit(*action)

    def _show_cursor(self, point: QPoint) -> None:
        viewport = self._area.viewport()
        if self._spots.action_at(point) is not None:
            viewport.setCursor(ACTION_CURSOR)
        elif self._spots.at(point) is not None:
            viewport.setCursor(TEXT_CURSOR)
        else:
            viewport.unsetCursor()
