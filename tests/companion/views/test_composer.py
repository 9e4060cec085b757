from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QPushButton, QWidget

from companion.views.composer import Composer


@pytest.fixture
def composer(qtbot):
    host = QWidget()
    host.resize(800, 800)
    qtbot.addWidget(host)
    composer = Composer(host)
    composer.resize(700, 120)
    host.show()
    composer.sent = []
    composer.stopped = []
    composer.submitted.connect(composer.sent.append)
    composer.stop_requested.connect(lambda: composer.stopped.append(1))
    composer.host = host
    return composer


def button(composer):
    return composer.findChild(QPushButton, "sendButton")


def test_enter_sends_and_empties_the_field(composer, qtbot):
    qtbot.keyClicks(composer.text, "hello")
    qtbot.keyClick(composer.text, Qt.Key.Key_Return)
    assert composer.sent == ["hello"]
    assert composer.draft() == ""


def test_shift_enter_breaks_the_line(composer, qtbot):
    qtbot.keyClicks(composer.text, "a")
    qtbot.keyClick(composer.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.text, "b")
    assert composer.draft() == "a\nb"
    assert composer.sent == []


def test_blank_text_is_not_sent(composer, qtbot):
    qtbot.keyClicks(composer.text, "  ")
    qtbot.keyClick(composer.text, Qt.Key.Key_Return)
    assert composer.sent == []
    assert not button(composer).isEnabled()


def test_enter_that_ends_a_composition_does_not_send(composer, qtbot):
    qtbot.keyClicks(composer.text, "x")
    QCoreApplication.sendEvent(composer.text, QInputMethodEvent("にほん", []))
    qtbot.keyClick(composer.text, Qt.Key.Key_Return)
    assert composer.sent == []
    commit = QInputMethodEvent("", [])
    commit.setCommitString("日本")
    QCoreApplication.sendEvent(composer.text, commit)
    qtbot.keyClick(composer.text, Qt.Key.Key_Return)
    assert composer.sent == []
    qtbot.keyClick(composer.text, Qt.Key.Key_Return)
    assert composer.sent == ["x日本"]


def test_one_button_sends_or_stops(composer, qtbot):
    composer.show_busy(True)
    assert button(composer).text() == "Stop"
    qtbot.mouseClick(button(composer), Qt.MouseButton.LeftButton)
    assert composer.stopped == [1]
    qtbot.keyClicks(composer.text, "more")
    assert button(composer).text() == "Send"


def test_a_stop_that_is_on_its_way_can_not_be_asked_twice(composer):
    composer.show_busy(True, is_stopping=True)
    assert button(composer).text() == "Stopping…"
    assert not button(composer).isEnabled()


def test_escape_stops_only_while_an_answer_is_on_its_way(composer, qtbot):
    qtbot.keyClick(composer.text, Qt.Key.Key_Escape)
    assert composer.stopped == []
    composer.show_busy(True)
    qtbot.keyClick(composer.text, Qt.Key.Key_Escape)
    assert composer.stopped == [1]


def test_a_page_fills_the_field_and_never_sends(composer):
    composer.set_draft("Mine")
    composer.fill("from the page")
    assert composer.draft() == "Mine\nfrom the page"
    assert composer.sent == []


def test_the_field_grows_with_its_lines_up_to_two_fifths_of_the_window(composer):
    one = composer.text.height()
    composer.set_draft("line\n" * 4)
    assert composer.text.height() > one
    composer.set_draft("line\n" * 200)
    assert composer.text.height() <= 0.4 * composer.host.height() + 1


def test_the_field_and_the_button_have_names(composer):
    assert composer.text.accessibleName() == "Message the agent"
    assert button(composer).accessibleName() == "Send the message"
