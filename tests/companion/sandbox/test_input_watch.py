from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from companion.sandbox.input_watch import InputWatch


@pytest.fixture
def watched(qtbot):
    outer = QWidget()
    early = QWidget(outer)
    acted = []
    watch = InputWatch(outer)
    watch.acted.connect(lambda: acted.append(True))
    late = QWidget(outer)
    qtbot.addWidget(outer)
    outer.show()
    yield early, late, acted
    outer.close()


@pytest.mark.parametrize("which", [0, 1], ids=["a child that was there", "a child that came later"])
def test_a_click_on_a_child_is_seen(watched, which):
    QTest.mouseClick(watched[which], Qt.MouseButton.LeftButton)
    assert watched[2] == [True]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_key_that_activates_is_seen(watched, key):
    QTest.keyClick(watched[0], key)
    assert watched[2]


def test_typing_and_moving_are_no_click(watched):
    QTest.keyClick(watched[0], Qt.Key.Key_A)
    QTest.mouseMove(watched[0])
    assert watched[2] == []
