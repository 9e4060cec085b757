"""Where a person writes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from companion.views.theme import READING_WIDTH_PX

MAX_HEIGHT_SHARE = 0.4
MARGIN_PX = 22
HINT = "Enter sends · Shift+Enter for a new line"


class ComposerText(QPlainTextEdit):
    """The text field: Enter sends, Shift+Enter breaks the line, Esc stops.

    An Enter that ends an input method's composition never sends.
    """

    send_pressed = Signal()
    stop_pressed = Signal()
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composerText")
        self.setPlaceholderText("Message the agent")
        self.setAccessibleName("Message the agent")
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._is_composing = False
        self._just_committed = False

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember whether a composition is open, or ended in this very turn."""
        was_composing, self._is_composing = self._is_composing, bool(event.preeditString())
        self._just_committed = was_composing and not self._is_composing
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send, break the line, or stop."""
        committed, self._just_committed = self._just_committed, False
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if not self._is_composing and not committed:
                self.send_pressed.emit()
            event.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.stop_pressed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Let the box show the focus ring."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Let the box take the focus ring away."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def wanted_height(self) -> int:
        """Return the height in pixels that shows every line."""
        lines = max(1, round(self.document().size().height()))
        margins = round(2 * self.document().documentMargin())
        return lines * self.fontMetrics().lineSpacing() + margins + 2


class Composer(QWidget):
    """The text field in its box, one button that sends or stops, and a quiet line below."""

    submitted = Signal(str)
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._is_busy = False
        self._is_stopping = False
        self.text = ComposerText(self)
        self._button = QPushButton("Send", self)
        self._button.setObjectName("sendButton")
        self._hint = QLabel(HINT, self)
        self._hint.setObjectName("tiny")
        self._status = QLabel("", self)
        self._status.setObjectName("tiny")
        self._box = QFrame(self)
        self._box.setObjectName("composerBox")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self._box)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(8)
        row.addWidget(self.text, 1)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        hints = QHBoxLayout()
        hints.setContentsMargins(4, 0, 4, 0)
        hints.addWidget(self._hint)
        hints.addStretch(1)
        hints.addWidget(self._status)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(MARGIN_PX, 8, MARGIN_PX, 14)
        self._column.setSpacing(6)
        self._column.addWidget(self._box)
        self._column.addLayout(hints)

    def _connect(self) -> None:
        self.text.send_pressed.connect(self.submit)
        self.text.stop_pressed.connect(self._stop)
        self.text.textChanged.connect(self._follow_text)
        self.text.focus_changed.connect(self._show_focus)
        self._button.clicked.connect(self._press_button)
        self._follow_text()

    def submit(self) -> None:
        """Hand over the text, if there is any, and empty the field."""
        text = self.text.toPlainText()
        if text.strip():
            self.text.clear()
            self.submitted.emit(text)

    def fill(self, text: str) -> None:
        """Append *text* to what is written; only a person sends it."""
        before = self.text.toPlainText()
        self.set_draft(f"{before.rstrip()}\n{text}" if before.strip() else text)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def draft(self) -> str:
        """Return what is written and not sent."""
        return self.text.toPlainText()

    def set_draft(self, text: str) -> None:
        """Put *text* into the field, the cursor behind it."""
        self.text.setPlainText(text)
        cursor = self.text.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.text.setTextCursor(cursor)

    def show_busy(self, is_busy: bool, *, is_stopping: bool = False) -> None:
        """Turn the button into "Stop" while an answer is on its way."""
        self._is_busy, self._is_stopping = is_busy, is_stopping
        self._follow_text()

    def show_status(self, text: str) -> None:
        """Show a quiet word at the right below the field."""
        self._status.setText(text)

    def minimumSizeHint(self) -> QSize:
        """Return a size in which one line and the button fit."""
        return QSize(280, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand under the column for reading, and fit the field's height to the new width."""
        super().resizeEvent(event)
        side = max(MARGIN_PX, (self.width() - READING_WIDTH_PX) // 2)
        self._column.setContentsMargins(side, 8, side, 14)
        self._follow_text()

    def changeEvent(self, event: QEvent) -> None:
        """Fit the field's height to a new font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._follow_text()

    def _press_button(self) -> None:
        if self._is_busy and not self.text.toPlainText().strip():
            self._stop()
        else:
            self.submit()

    def _stop(self) -> None:
        if self._is_busy:
            self.stop_requested.emit()

    def _follow_text(self) -> None:
        has_text = bool(self.text.toPlainText().strip())
        stops = self._is_busy and not has_text
        words = "Stopping…" if self._is_stopping else "Stop" if stops else "Send"
        self._button.setText(words)
        self._button.setAccessibleName("Stop the answer" if stops else "Send the message")
        self._button.setEnabled((stops and not self._is_stopping) or has_text)
        host = self.window().height() if self.window() is not self else 800
        self.text.setFixedHeight(max(30, min(self.text.wanted_height(), round(host * MAX_HEIGHT_SHARE))))

    def _show_focus(self, has_focus: bool) -> None:
        self._box.setProperty("focused", has_focus)
        self._box.style().unpolish(self._box)
        self._box.style().polish(self._box)
