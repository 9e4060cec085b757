from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from companion.views.theme import DARK, LIGHT
from companion.views.transcript import TranscriptView
from companion.views.transcript_work import Work
from tests.support.transcripts import WORDS, is_at_end, said, shown, talk


def turn_wheel(view, angle=0, pixels=0, modifiers=Qt.KeyboardModifier.NoModifier):
    event = QWheelEvent(
        QPointF(50, 50),
        QPointF(50, 50),
        QPoint(0, pixels),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)
    return event


def test_an_empty_conversation_is_shown_and_scrolled_without_harm(qtbot):
    view = shown(qtbot)
    for key in (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_J, Qt.Key.Key_Up, Qt.Key.Key_PageDown):
        qtbot.keyClick(view, key)
    turn_wheel(view, 120)
    view.select_all()
    view.jump_to_newest()
    assert view.find("x") == 0
    assert view.selected_text() == ""


def test_the_same_messages_again_lay_nothing_out(qtbot, monkeypatch):
    messages = talk(100)
    view = shown(qtbot, messages)
    made = []
    monkeypatch.setattr(view._rows, "_update", lambda *args: made.append(args))
    before = dict(view._rows._layouts)
    view.set_messages(messages)
    assert made == []
    assert dict(view._rows._layouts) == before


def test_a_streamed_word_reads_one_message_however_long_the_conversation_is(qtbot, monkeypatch):
    messages = (*talk(3000), said("run", "It", state="streaming"))
    view = shown(qtbot, messages)
    updated = []
    update = view._rows._update
    monkeypatch.setattr(view._rows, "_update", lambda row, m: (updated.append(row), update(row, m)))
    view.set_messages((*messages[:-1], said("run", "It is", state="streaming")))
    assert updated == [3000]


def test_wheels_scroll_by_lines_and_touchpads_by_pixels(qtbot):
    view = shown(qtbot, talk(60))
    end = view._scroll.top_px
    turn_wheel(view, 120)
    assert view._scroll.top_px == end - 72
    turn_wheel(view, -8, pixels=-10)
    assert view._scroll.top_px == end - 62


def test_the_wheel_with_ctrl_is_left_for_zooming(qtbot):
    view = shown(qtbot, talk(60))
    end = view._scroll.top_px
    event = turn_wheel(view, 120, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert not event.isAccepted()
    assert view._scroll.top_px == end


def test_zoom_is_bounded_and_keeps_the_end_in_view(qtbot):
    view = shown(qtbot, talk(20))
    for asked, got in ((9.0, 2.0), (0.1, 0.7), (1.3, 1.3)):
        view.set_zoom(asked)
        assert view._rows.scene.style.zoom == got
        assert is_at_end(view)


def test_a_theme_is_taken_with_the_zoom_kept(qtbot):
    view = shown(qtbot, talk(4))
    view.set_zoom(1.5)
    view.set_theme(DARK)
    assert view._rows.scene.style.theme is DARK
    assert view._rows.scene.style.zoom == 1.5


def test_a_message_is_gone_to_by_its_key(qtbot):
    view = shown(qtbot, talk(200))
    view.scroll_to_message("m20")
    assert 0 <= view._spots.row_rect(20).top() < 40
    assert view._focus.row == 20
    top = view._scroll.top_px
    view.scroll_to_message("nobody")
    assert view._scroll.top_px == top


def test_long_texts_and_code_come_back_from_the_worker_into_the_view(qtbot):
    text = "A **bold** line of text.\n\n" * 800 + "```python\ndef f(): pass\n```"
    view = shown(qtbot, (said("a", text),))
    qtbot.waitUntil(lambda: view._rows.layout(0).pieces[0].outline.plain == "A bold line of text.")
    qtbot.waitUntil(lambda: view._work.is_idle)
    assert is_at_end(view)
    assert view._rows.layout(0).pieces[-1]._runs


def test_a_growing_answer_keeps_what_was_written_where_it_stands(qtbot):
    messages = talk(2)
    answer = said("run", "", state="streaming")
    view = shown(qtbot, (*messages, answer), size=(640, 900))
    tops = set()
    for words in range(1, 12):
        text = f"First paragraph.\nGoes on.\n\n{WORDS * words}"
        view.set_messages((*messages, replace(answer, parts=said("", text).parts)))
        tops.add(view._spots.row_rect(2).top())
    assert len(tops) == 1


def test_a_view_that_is_deleted_ends_its_worker(qtbot, monkeypatch):
    closed = []
    monkeypatch.setattr(Work, "close", closed.append)
    view = TranscriptView(LIGHT)
    view.deleteLater()
    qtbot.waitUntil(lambda: not isValid(view))
    assert len(closed) == 1


@pytest.mark.parametrize("width", [120, 300, 2000])
def test_every_width_is_drawn(qtbot, width):
    view = shown(qtbot, talk(6), size=(width, 300))
    assert not view.viewport().grab().isNull()
    column = view._spots.column
    for row in view._spots.visible_rows():
        assert view._rows.layout(row).placed[0].rect.left() >= 0
        assert view._rows.layout(row).placed[0].rect.right() < column.width()


def test_a_new_system_font_is_laid_out_again(qtbot):
    view = shown(qtbot, talk(4))
    layout = view._rows.layout(3)
    QApplication.sendEvent(view, QEvent(QEvent.Type.FontChange))
    assert view._rows.layout(3) is not layout
