"""Sees the real clicks and key presses that a web view is given.

A page can claim a click but not make one: what counts is the event that Qt
delivers, before the engine and its processes see it.
"""

from __future__ import annotations

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin, QEvent.Type.TabletPress)
_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class InputWatch(QObject):
    """Watches a web view and the child that draws it, which the engine makes and replaces."""

    acted = Signal()
    """A person clicked, touched, or pressed a key that activates things."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self._watch(view)

    def _watch(self, target: QObject) -> None:
        target.installEventFilter(self)
        for child in target.children():
            if isinstance(child, QWidget):
                child.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take note; hold nothing back."""
        kind = event.type()
        if kind == QEvent.Type.ChildAdded and isinstance(event, QChildEvent):
            if event.child().isWidgetType():
                event.child().installEventFilter(self)
        elif watched is self._view:
            # What a child did not use comes by here a second time.
            return False
        elif kind in _PRESSES or (
            kind == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and not event.isAutoRepeat()
            and event.key() in _KEYS
        ):
            self.acted.emit()
        return False
