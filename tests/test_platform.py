"""Judges the installed PySide6: it must count references rightly on this Python.

PySide6 6.12.0 on Python 3.11 does not; see resources/docs/decisions/0003-pyside6-markers.md.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

EVENTS = 200
NOISE = 20
"""References that other code may take or drop in between; a faulty PySide6 loses one per event."""


class Bell(QObject):
    rung = Signal()


class Canvas(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.painted = 0
        self.resized = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted += 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.resized += 1


def test_emitting_a_signal_keeps_every_reference_to_true(qapp):
    bell = Bell()
    heard = []
    bell.rung.connect(lambda: heard.append(1))
    before = sys.getrefcount(True)
    for _ in range(EVENTS):
        bell.rung.emit()
    assert len(heard) == EVENTS
    assert sys.getrefcount(True) > before - NOISE


def test_painting_and_resizing_keep_every_reference_to_none(qtbot):
    canvas = Canvas()
    canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    qtbot.addWidget(canvas)
    canvas.resize(40, 40)
    canvas.show()
    qtbot.waitUntil(lambda: canvas.painted > 0)
    painted, resized, before = canvas.painted, canvas.resized, sys.getrefcount(None)
    for index in range(EVENTS):
        canvas.resize(40 + index % 2, 40)
        canvas.repaint()
    assert canvas.painted >= painted + EVENTS
    assert canvas.resized >= resized + EVENTS - 1
    assert sys.getrefcount(None) > before - NOISE
