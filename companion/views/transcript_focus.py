"""The message that the keyboard is on, and what assistive technology hears about it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from companion.domain.outline import join_plain
from companion.domain.transcript import Message
from companion.views.transcript_rows import Change, Rows
from companion.views.transcript_scroll import Scroll

MAX_SPOKEN_CHARACTERS = 600
_SPEAKERS = {"user": "You", "assistant": "Agent", "system": "System"}


class MessageFocus(QObject):
    """Which message is focused; found again by its key when rows move."""

    changed = Signal()
    announced = Signal(str)
    """What was said aloud."""

    def __init__(self, view: QWidget, rows: Rows, scroll: Scroll) -> None:
        super().__init__(view)
        self._view = view
        self._rows = rows
        self._scroll = scroll
        self._key = ""
        view.setAccessibleName("Conversation")
        self._describe()

    @property
    def row(self) -> int | None:
        """The focused row, if any."""
        return self._rows.number_of(self._key) if self._key else None

    def step(self, direction: int, visible: range) -> None:
        """Go to the message below (1) or above (-1); the first time to one in sight."""
        if not len(self._rows):
            return
        row = self.row
        if row is None:
            target = visible[-1] if direction < 0 else visible[0]
        else:
            target = max(0, min(row + direction, len(self._rows) - 1))
        self.set(target)

    def set(self, row: int, *, reveal: bool = True) -> None:
        """Put the focus on *row* and say its text."""
        self._key = self._rows.messages[row].key
        if reveal:
            self._scroll.hold()
            self._rows.realize_piece(row, 0)
            top = self._rows.top_px(row)
            self._scroll.reveal(top, top + self._rows.height_px(row))
        self._view.setAccessibleName(f"Conversation. {self.spoken(row)}")
        QAccessible.updateAccessibility(QAccessibleEvent(self._view, QAccessible.Event.NameChanged))
        self.changed.emit()

    def clear(self) -> None:
        """Put the focus on no message."""
        if self._key:
            self._key = ""
            self._view.setAccessibleName("Conversation")
            self.changed.emit()

    def spoken(self, row: int) -> str:
        """Return who said what, and what became of it, bounded for the ear."""
        message = self._rows.messages[row]
        text = join_plain(self._rows.outlines(row))
        if len(text) > MAX_SPOKEN_CHARACTERS:
            text = text[:MAX_SPOKEN_CHARACTERS].rsplit(" ", 1)[0] + " …"
        state = {"failed": "Not sent. ", "queued": "Waiting to be sent. "}.get(message.state, "")
        return f"{_SPEAKERS[message.role]}: {state if message.role == 'user' else ''}{text}"

    def take(self, change: Change) -> None:
        """Say answers that came to their end, and messages that were not sent."""
        if self._key and self.row is None:
            self.clear()
        self._describe()
        ended = [after for before, after in change.updated if _has_ended(before, after)]
        for message in ended:
            row = self._rows.number_of(message.key)
            if row is not None:
                self.announce(self.spoken(row))

    def announce(self, text: str) -> None:
        """Let assistive technology say *text* when it has time."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, text))
        self.announced.emit(text)

    def _describe(self) -> None:
        count = len(self._rows)
        self._view.setAccessibleDescription(
            f"{count} message{'' if count == 1 else 's'}. J and K go from message to message."
        )


def _has_ended(before: Message, after: Message) -> bool:
    if after.role == "user":
        return after.state == "failed" and before.state != "failed"
    return before.state == "streaming" and after.state != "streaming"
