"""The conversation on screen: a scroll area of our own that draws messages.

Heights are estimated and corrected when a message comes near; text is painted
from cached documents; real widgets live only near the viewport. What belongs
together stands in a file of its own: rows, scrolling, embeds, selection, search,
mouse, keyboard. This class holds them and passes events on.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from companion.domain.transcript import Message
from companion.views.renderer import EmbedFactory, Scene, Style
from companion.views.theme import Theme
from companion.views.transcript_commands import TranscriptCommands
from companion.views.transcript_copy import Selected
from companion.views.transcript_embeds import Embeds
from companion.views.transcript_find import Finder
from companion.views.transcript_keys import Keys
from companion.views.transcript_paint import Painting
from companion.views.transcript_pill import Pill
from companion.views.transcript_pointer import Pointer
from companion.views.transcript_rows import Rows
from companion.views.transcript_scroll import Scroll
from companion.views.transcript_spots import Spots
from companion.views.transcript_work import Work

MIN_ZOOM, MAX_ZOOM = 0.7, 2.0


class TranscriptView(QAbstractScrollArea):
    """Shows messages, follows what arrives, and lets a person read, find, select and copy."""

    link_activated = Signal(str)
    """An http, https or mailto address that was clicked."""
    retry_requested = Signal(str)
    """The key of a message that was not sent and shall be tried again."""
    discard_requested = Signal(str)
    """The key of a message that was not sent and shall be forgotten."""
    new_below_changed = Signal(int)
    """How many messages came below while a person reads above."""
    find_count_changed = Signal(int)
    """The number of matches, when it became known better than `find` said."""

    _is_made = False

    def __init__(
        self, theme: Theme, embeds: EmbedFactory | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        work = self._work = Work()
        # Bound to the worker alone: a method of a view that is being deleted is never called.
        self.destroyed.connect(partial(Work.close, work))
        self._rows = Rows(Scene(Style(theme), work, embeds))
        self._scroll = Scroll(self, self._rows)
        self._spots = Spots(self, self._rows, self._scroll)
        self._selected = Selected(self, self._rows)
        self._finder = Finder(self, self._rows, self._scroll)
        self._embeds = Embeds(self.viewport(), self._rows, self._scroll)
        self._pointer = Pointer(self, self._spots, self._scroll, self._selected)
        self._commands = TranscriptCommands(
            self, self._rows, self._scroll, self._spots, self._selected, self._embeds
        )
        self._focus = self._commands.focus
        self._keys = Keys(self._commands, self._scroll, self._spots, self._selected, self._focus)
        self._painting = Painting(self._rows, self._spots, self._selected, self._finder)
        self._pill = Pill(self.viewport())
        self._pill.set_style(self._rows.scene.style)
        self._connect()
        self._is_made = True

    def _connect(self) -> None:
        viewport_update = self.viewport().update
        self._work.finished.connect(self._scroll.settle)
        self._scroll.settled.connect(self._show_settled)
        self._scroll.new_below_changed.connect(self.new_below_changed)
        self._embeds.resized.connect(self._scroll.settle)
        self._embeds.wheel_left.connect(self._scroll.wheel)
        for changed in (self._selected.changed, self._finder.changed, self._focus.changed):
            changed.connect(viewport_update)
        self._finder.count_changed.connect(self.find_count_changed)
        self._pointer.acted.connect(self._commands.act)
        self._commands.link_activated.connect(self.link_activated)
        self._commands.retry_requested.connect(self.retry_requested)
        self._commands.discard_requested.connect(self.discard_requested)
        self._pill.clicked.connect(self._leave_pill)

    def set_messages(self, messages: tuple[Message, ...]) -> None:
        """Show *messages*; those that are the same objects as before cost nothing."""
        change = self._rows.set_messages(messages)
        if change.is_new_conversation:
            self._scroll.start_over()
            self._selected.set(None)
        else:
            self._selected.take(change)
            self._scroll.take(change)
        self._focus.take(change)
        self._finder.messages_changed()
        self._scroll.settle()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._restyle(Style(theme, self._rows.scene.style.zoom))
        self._embeds.set_theme()

    def set_zoom(self, factor: float) -> None:
        """Draw larger or smaller: 1.0 is as designed, from 0.7 to 2.0."""
        bounded = max(MIN_ZOOM, min(factor, MAX_ZOOM))
        self._restyle(Style(self._rows.scene.style.theme, bounded))

    def _restyle(self, style: Style) -> None:
        if style == self._rows.scene.style:
            return
        self._rows.set_style(style)
        self._pill.set_style(style)
        self._rows.set_width(self._spots.column.width())
        self._scroll.settle()

    def jump_to_newest(self) -> None:
        """Go to the newest line and follow what arrives."""
        self._scroll.jump()

    def scroll_to_message(self, key: str) -> None:
        """Bring the message with *key* to the top and put the focus on it; unknown keys do nothing."""
        row = self._rows.number_of(key)
        if row is not None:
            self._scroll.show(row, 0, -self._rows.scene.style.px(18))
            self._focus.set(row, reveal=False)

    # The name that every reader looks for; what Qt calls `find` takes a window's number.
    def find(self, text: str) -> int:  # type: ignore[override]
        """Mark all matches of *text*, go to the first in or below sight, and return their number."""
        return self._finder.start(text)

    def find_next(self) -> None:
        """Go to the next match, after the last to the first."""
        self._finder.step(1)

    def find_previous(self) -> None:
        """Go to the match before, before the first to the last."""
        self._finder.step(-1)

    def clear_find(self) -> None:
        """Close the search."""
        self._finder.clear()

    def selected_text(self) -> str:
        """Return what is selected, without looks."""
        return self._selected.text()

    def copy(self) -> None:
        """Copy what is selected, or the focused message, to the clipboard."""
        self._commands.copy()

    def copy_as_markdown(self) -> None:
        """Copy what is selected as it was written."""
        self._commands.copy_markdown()

    def select_all(self) -> None:
        """Select every message."""
        self._selected.select_all()

    def shut_down(self) -> None:
        """Delete the embedded widgets and stop the worker, before the view is deleted."""
        self._embeds.close()
        self._work.close()

    def _show_settled(self) -> None:
        self._embeds.place(self._spots.column.left())
        is_far = not self._scroll.follow.is_following and self._scroll.below_px > self._scroll.view_px
        self._pill.tell(self._scroll.follow.new_below, is_far=is_far)
        self.viewport().update()

    def _leave_pill(self) -> None:
        self._scroll.jump()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows in sight."""
        painter = QPainter(self.viewport())
        try:
            row = self._focus.row if self.hasFocus() else None
            self._painting.paint(painter, event.rect(), row)
        finally:
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        self._rows.set_width(self._spots.column.width())
        self._scroll.settle()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Follow the scroll bar; *dy* is how far the contents move down."""
        self._scroll.moved_by_person(-dy)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll by pixels where the device says them, else by lines; Ctrl is for zooming."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        if event.pixelDelta().y():
            self._scroll.by(-event.pixelDelta().y())
        else:
            self._scroll.wheel(event.angleDelta().y())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand the key to `Keys`; what it does not know goes to the window."""
        if not self._keys.press(event):
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a selection."""
        self._pointer.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        self._pointer.double_click(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw a selection."""
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a selection, or do what was clicked."""
        self._pointer.release(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of what is under the mouse, or of the focused message."""
        row = self._focus.row
        if event.reason() == QContextMenuEvent.Reason.Keyboard and row is not None:
            self._commands.show_menu(row)
        else:
            self._commands.show_menu_at(event.pos())
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the focus is elsewhere."""
        super().focusOutEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out again when the system's font changed; Qt tells it while the view is being made, too."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._is_made:
            self._rows.set_style(self._rows.scene.style)
            self._scroll.settle()
