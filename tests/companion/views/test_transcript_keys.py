from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from companion.domain.transcript import ToolActivity
from companion.views.theme import LIGHT
from companion.views.transcript import TranscriptView
from gateway_client.protocol.blocks import WidgetBlock
from tests.support.transcripts import BoxFactory, is_at_end, said, shown, talk

Key = Qt.Key


@pytest.fixture
def view(qtbot):
    return shown(qtbot, talk(60))


def test_arrows_and_pages_scroll_and_up_stops_following(qtbot, view):
    end = view._scroll.top_px
    qtbot.keyClick(view, Key.Key_Up)
    assert view._scroll.top_px < end
    assert not view._scroll.follow.is_following
    qtbot.keyClick(view, Key.Key_PageUp)
    page_up = view._scroll.top_px
    assert page_up < end - 300
    qtbot.keyClick(view, Key.Key_PageDown)
    qtbot.keyClick(view, Key.Key_Down)
    assert view._scroll.top_px > page_up


def test_home_and_end_go_to_the_ends(qtbot, view):
    qtbot.keyClick(view, Key.Key_Home)
    assert view._scroll.top_px == 0
    qtbot.keyClick(view, Key.Key_End)
    assert is_at_end(view)
    assert view._scroll.follow.is_following


def test_j_and_k_go_from_message_to_message_and_keep_it_in_sight(qtbot, view):
    qtbot.keyClick(view, Key.Key_K)
    assert view._focus.row == 59
    for _ in range(20):
        qtbot.keyClick(view, Key.Key_K)
    assert view._focus.row == 39
    assert view._spots.row_rect(39).intersects(view.viewport().rect())
    qtbot.keyClick(view, Key.Key_J)
    assert view._focus.row == 40


def test_c_copies_the_focused_message_and_m_as_it_was_written(qtbot):
    view = shown(qtbot, (said("a", "Some **bold** words."),))
    qtbot.keyClick(view, Key.Key_J)
    qtbot.keyClick(view, Key.Key_C)
    assert QGuiApplication.clipboard().text() == "Some bold words."
    qtbot.keyClick(view, Key.Key_M)
    assert QGuiApplication.clipboard().text() == "Some **bold** words."


def test_ctrl_a_and_ctrl_c_copy_everything(qtbot):
    view = shown(qtbot, talk(3, lines=1))
    qtbot.keyClick(view, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("Question 0?\n\nAnswer 1.")
    assert QGuiApplication.clipboard().text().endswith("Question 2?")


def test_space_opens_and_closes_the_cards_of_the_focused_message(qtbot):
    tools = tuple(ToolActivity(str(number), "browse", "done") for number in range(2))
    view = shown(qtbot, (replace(said("t"), parts=tools),))
    qtbot.keyClick(view, Key.Key_J)
    for is_open in (True, False):
        qtbot.keyClick(view, Key.Key_Space)
        assert [piece.is_open for piece in view._rows.layout(0).pieces] == [is_open, is_open]


def test_r_sends_a_failed_message_again_and_delete_forgets_it_and_no_other(qtbot):
    messages = (
        said("user:1", "Hi", role="user", state="failed"),
        said("user:2", role="user", state="accepted"),
    )
    view, asked, forgotten = shown(qtbot, messages), [], []
    view.retry_requested.connect(asked.append)
    view.discard_requested.connect(forgotten.append)
    for _ in messages:
        qtbot.keyClick(view, Key.Key_J)
        qtbot.keyClick(view, Key.Key_R)
        qtbot.keyClick(view, Key.Key_Delete)
    assert asked == ["user:1"]
    assert forgotten == ["user:1"]


def test_enter_goes_into_the_widget_of_the_focused_message(qtbot):
    factory = BoxFactory()
    view = shown(qtbot, (replace(said("w"), parts=(WidgetBlock("1", "/x"),)),), embeds=factory)
    view.activateWindow()
    qtbot.keyClick(view, Key.Key_J)
    qtbot.keyClick(view, Key.Key_Return)
    qtbot.waitUntil(factory.made["w/widget/1"].hasFocus)


def test_escape_lets_go_first_and_then_is_the_windows(qtbot):
    class Window(QWidget):
        keys = ()

        def keyPressEvent(self, event):
            if event.key() != Key.Key_Control:
                self.keys = (*self.keys, event.key())

    window = Window()
    qtbot.addWidget(window)
    view = TranscriptView(LIGHT)
    QVBoxLayout(window).addWidget(view)
    window.show()
    view.set_messages(talk(3))
    view.select_all()
    qtbot.keyClick(view, Key.Key_Escape)
    assert view.selected_text() == ""
    assert window.keys == ()
    qtbot.keyClick(view, Key.Key_Escape)
    qtbot.keyClick(view, Key.Key_F2)
    qtbot.keyClick(view, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.keys == (Key.Key_Escape, Key.Key_F2, Key.Key_K)
