from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from companion.domain.transcript import ToolActivity
from tests.support.transcripts import point_of, said, shown, talk

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


class Mouse:
    """Sends the mouse's events as a window system would, with a clock of its own."""

    def __init__(self, view):
        self.view = view
        self.now_ms = 10_000

    def _send(self, kind, point, button, buttons, modifiers=Qt.KeyboardModifier.NoModifier):
        viewport = self.view.viewport()
        where = QPointF(point)
        event = QMouseEvent(kind, where, QPointF(viewport.mapToGlobal(point)), button, buttons, modifiers)
        event.setTimestamp(self.now_ms)
        QApplication.sendEvent(viewport, event)

    def press(self, point, modifiers=Qt.KeyboardModifier.NoModifier):
        self._send(QEvent.Type.MouseButtonPress, point, LEFT, LEFT, modifiers)

    def move(self, point, *, held=True):
        self._send(QEvent.Type.MouseMove, point, NONE, LEFT if held else NONE)

    def release(self, point):
        self._send(QEvent.Type.MouseButtonRelease, point, LEFT, NONE)

    def click(self, point, modifiers=Qt.KeyboardModifier.NoModifier, *, soon=False):
        self.now_ms += 50 if soon else 5000
        self.press(point, modifiers)
        self.release(point)

    def drag(self, start, end):
        self.now_ms += 5000
        self.press(start)
        self.move(start + (end - start) / 2)
        self.move(end)


TWO = (said("q", "What is the answer?", role="user"), said("a", "It is **forty** two.\n\nAnd more."))


def test_a_drag_selects_over_messages(qtbot):
    view = shown(qtbot, TWO)
    mouse = Mouse(view)
    mouse.drag(point_of(view, 0, 0, 12), point_of(view, 1, 0, 11))
    assert view.selected_text() == "answer?\n\nIt is forty"
    mouse.release(point_of(view, 1, 0, 11))


def test_a_drag_upwards_selects_the_same(qtbot):
    view = shown(qtbot, TWO)
    Mouse(view).drag(point_of(view, 1, 0, 11), point_of(view, 0, 0, 12))
    assert view.selected_text() == "answer?\n\nIt is forty"


def test_shift_and_click_draws_the_selection_further(qtbot):
    view = shown(qtbot, TWO)
    mouse = Mouse(view)
    mouse.click(point_of(view, 0, 0, 0))
    mouse.click(point_of(view, 1, 1, 3), Qt.KeyboardModifier.ShiftModifier)
    assert view.selected_text() == "What is the answer?\n\nIt is forty two.\n\nAnd"


def test_a_click_selects_nothing_any_more(qtbot):
    view = shown(qtbot, TWO)
    mouse = Mouse(view)
    mouse.drag(point_of(view, 0, 0, 0), point_of(view, 1, 0, 5))
    mouse.release(point_of(view, 1, 0, 5))
    mouse.click(point_of(view, 0, 0, 3))
    assert view.selected_text() == ""


def test_two_clicks_select_a_word_and_three_a_paragraph(qtbot):
    view = shown(qtbot, TWO)
    mouse, point = Mouse(view), point_of(view, 1, 0, 8)
    mouse.click(point)
    mouse.click(point, soon=True)
    assert view.selected_text() == "forty"
    mouse.click(point, soon=True)
    assert view.selected_text() == "It is forty two."


def test_a_selection_stops_following(qtbot):
    view = shown(qtbot, talk(20))
    mouse = Mouse(view)
    mouse.drag(point_of(view, 19, 0, 0), point_of(view, 19, 0, 12))
    assert view._scroll.follow.state == "reading"


def test_dragging_below_the_edge_scrolls_on_and_selects(qtbot):
    view = shown(qtbot, talk(60))
    view._scroll.by(-100_000)
    mouse = Mouse(view)
    mouse.drag(point_of(view, 1, 0, 0), QPoint(200, view.viewport().height() + 40))
    qtbot.waitUntil(lambda: view._scroll.top_px > 300, timeout=5000)
    mouse.release(QPoint(200, view.viewport().height() + 40))
    assert "Answer 5." in view.selected_text()
    assert not view._pointer._drag_scroll.isActive()


def test_a_click_on_a_link_leads_there_but_a_drag_from_it_does_not(qtbot):
    view = shown(qtbot, (said("a", "go [there and on](https://example.org) now"),))
    mouse, followed = Mouse(view), []
    view.link_activated.connect(followed.append)
    mouse.click(point_of(view, 0, 0, 5))
    assert followed == ["https://example.org"]
    mouse.drag(point_of(view, 0, 0, 4), point_of(view, 0, 0, 14))
    mouse.release(point_of(view, 0, 0, 14))
    assert followed == ["https://example.org"]
    assert view.selected_text() == "here and o"


def test_a_click_on_retry_asks_to_send_again(qtbot):
    view = shown(qtbot, (said("user:1", "Hi", role="user", state="failed"),))
    with qtbot.waitSignal(view.retry_requested) as asked:
        Mouse(view).click(point_of(view, 0, 1, len("Not sent  ·  Re")))
    assert asked.args == ["user:1"]


def test_a_click_on_a_card_opens_and_closes_it(qtbot):
    view = shown(qtbot, (replace(said("t"), parts=(ToolActivity("1", "browse", "done", {}, "found"),)),))
    mouse = Mouse(view)
    for is_open in (True, False):
        mouse.click(point_of(view, 0, 0, 2))
        assert view._rows.layout(0).pieces[0].is_open is is_open


@pytest.mark.parametrize(
    ("place", "shape"), [(5, Qt.CursorShape.PointingHandCursor), (1, Qt.CursorShape.IBeamCursor)]
)
def test_the_cursor_shows_what_is_under_it(qtbot, place, shape):
    view = shown(qtbot, (said("a", "go [there](https://example.org)"),))
    Mouse(view).move(point_of(view, 0, 0, place), held=False)
    assert view.viewport().cursor().shape() == shape
