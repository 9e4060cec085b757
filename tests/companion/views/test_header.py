from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from companion.views.header import FindBar, Header


@pytest.fixture
def header(qtbot):
    header = Header()
    qtbot.addWidget(header)
    header.resize(500, 48)
    header.show()
    return header


@pytest.fixture
def bar(qtbot):
    bar = FindBar()
    qtbot.addWidget(bar)
    bar.open()
    return bar


def test_a_long_title_is_cut_and_whole_in_the_tool_tip(header):
    title = "A very long title " * 20
    header.show_title(title, "Guide (no model)")
    label = header.findChild(QLabel, "headerTitle")
    assert label.text().endswith("…")
    assert label.toolTip() == title


def test_the_menu_offers_the_themes_and_marks_the_chosen_one(header):
    chosen = []
    header.theme_chosen.connect(chosen.append)
    header.show_theme_choice("dark")
    actions = {action.data(): action for action in header.menu.actions() if action.data()}
    assert [name for name, action in actions.items() if action.isChecked()] == ["dark"]
    actions["high-contrast"].trigger()
    assert chosen == ["high-contrast"]


def test_text_gets_larger_smaller_and_normal(header):
    steps = []
    header.zoom_requested.connect(steps.append)
    for words in ("Larger text", "Smaller text", "Normal text"):
        next(a for a in header.findChildren(QAction) if a.text() == words).trigger()
    assert steps == [1, -1, 0]


def test_the_menu_opens_without_a_nested_loop(header, qtbot):
    more = next(b for b in header.findChildren(QPushButton) if b.accessibleName() == "More")
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(header.menu.isVisible)
    header.menu.close()


def test_find_tells_what_is_typed_and_how_many_there_are(bar, qtbot):
    typed = []
    bar.text_changed.connect(typed.append)
    qtbot.keyClicks(bar.findChild(QLineEdit), "ab")
    assert typed == ["a", "ab"]
    bar.show_count(3)
    assert "3 found" in [label.text() for label in bar.findChildren(QLabel)]
    bar.show_count(0)
    assert "nothing found" in [label.text() for label in bar.findChildren(QLabel)]


def test_enter_goes_on_and_escape_closes(bar, qtbot):
    went, closed = [], []
    bar.next_requested.connect(lambda: went.append(1))
    bar.closed.connect(lambda: closed.append(1))
    qtbot.waitExposed(bar)
    qtbot.keyClick(bar.findChild(QLineEdit), Qt.Key.Key_Return)
    bar.close_find()
    assert went == [1]
    assert closed == [1]
    assert not bar.isVisible()
