"""The keyboard in a transcript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from companion.views.transcript_copy import Selected
from companion.views.transcript_focus import MessageFocus
from companion.views.transcript_scroll import STEP_PX, Scroll
from companion.views.transcript_spots import Spots


class Commands(Protocol):
    """What keys ask of the view."""

    def copy(self) -> None:
        """Copy what is selected, or the focused message."""

    def copy_message(self, row: int, *, as_markdown: bool = False) -> None:
        """Copy a whole message."""

    def toggle_cards(self, row: int) -> None:
        """Open or close the cards of a message."""

    def enter_embed(self, row: int) -> bool:
        """Move the focus into the first widget of a message."""

    def retry(self, row: int) -> None:
        """Send a message again that was not sent."""

    def discard(self, row: int) -> None:
        """Forget a message that was not sent."""

    def show_menu(self, row: int) -> None:
        """Open the context menu of a message."""


class Keys:
    """Which key does what. Letters act only while the transcript has the focus."""

    def __init__(
        self, commands: Commands, scroll: Scroll, spots: Spots, selected: Selected, focus: MessageFocus
    ) -> None:
        self._commands = commands
        self._scroll = scroll
        self._spots = spots
        self._selected = selected
        self._focus = focus

    def press(self, event: QKeyEvent) -> bool:
        """Do what the key stands for; say whether it stands for anything here."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self._commands.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._scroll.hold()
            self._selected.select_all()
        elif event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return False
        else:
            return self._move(event.key()) or self._act(event.key())
        return True

    def _move(self, key: int) -> bool:
        page = max(STEP_PX, self._scroll.view_px - 2 * STEP_PX)
        distances = {
            Qt.Key.Key_Up: -STEP_PX * 2,
            Qt.Key.Key_Down: STEP_PX * 2,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
        }
        if key in distances:
            self._scroll.by(distances[Qt.Key(key)])
        elif key == Qt.Key.Key_Home:
            self._scroll.hold()
            self._scroll.show(0, 0, -10_000)
        elif key == Qt.Key.Key_End:
            self._scroll.jump()
        elif key in (Qt.Key.Key_J, Qt.Key.Key_K):
            self._focus.step(1 if key == Qt.Key.Key_J else -1, self._spots.visible_rows())
        elif key == Qt.Key.Key_Escape:
            return self._escape()
        else:
            return False
        return True

    def _escape(self) -> bool:
        if self._selected.is_empty and self._focus.row is None:
            return False
        self._selected.set(None)
        self._focus.clear()
        return True

    def _act(self, key: int) -> bool:
        row = self._focus.row
        if row is None:
            return False
        commands = self._commands
        actions: dict[int, Callable[[], object]] = {
            Qt.Key.Key_C: lambda: commands.copy_message(row),
            Qt.Key.Key_M: lambda: commands.copy_message(row, as_markdown=True),
            Qt.Key.Key_R: lambda: commands.retry(row),
            Qt.Key.Key_Delete: lambda: commands.discard(row),
            Qt.Key.Key_Space: lambda: commands.toggle_cards(row),
            Qt.Key.Key_Return: lambda: commands.enter_embed(row),
            Qt.Key.Key_Enter: lambda: commands.enter_embed(row),
            Qt.Key.Key_Menu: lambda: commands.show_menu(row),
        }
        action = actions.get(key)
        if action is None:
            return False
        action()
        return True
