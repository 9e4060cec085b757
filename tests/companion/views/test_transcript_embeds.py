from __future__ import annotations

from dataclasses import replace

from companion.domain.transcript import Message
from companion.views.theme import DARK
from gateway_client.protocol.blocks import TextBlock, WidgetBlock
from tests.support.transcripts import BoxFactory, is_at_end, shown, talk


def with_widget(key="w", view_id="1"):
    return Message(key, "assistant", (TextBlock("Here:"), WidgetBlock(view_id, "/x")), "complete")


def test_a_widget_stands_in_its_room_in_the_column(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (*talk(2), with_widget()), embeds=factory)
    box = factory.made["w/widget/1"]
    row = view._spots.row_rect(2)
    assert box.isVisible()
    assert (box.x(), box.width(), box.height()) == (row.left(), row.width(), 100)
    assert row.top() < box.y() <= row.bottom()


def test_widgets_live_only_near_the_viewport(qtbot):
    factory = BoxFactory(400)
    view = shown(qtbot, tuple(with_widget(f"w{number}") for number in range(60)), embeds=factory)
    assert 0 < len(factory.made) < 8
    assert "w59/widget/1" in factory.made
    view._scroll.by(-100_000)
    assert "w0/widget/1" in factory.made
    assert "w59/widget/1" in factory.closed
    assert len(factory.made) < 8


def test_a_new_height_moves_what_is_below_and_follows_the_end(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (*talk(10), with_widget()), embeds=factory)
    box = factory.made["w/widget/1"]
    box.height_changed.emit(300)
    assert box.height() == 300
    assert is_at_end(view)


def test_a_widget_that_grows_above_the_eye_does_not_move_the_text(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (with_widget(), *talk(40)), embeds=factory)
    view._scroll.by(-100_000)
    view._scroll.by(150)
    top = view._spots.row_rect(3).top()
    factory.made["w/widget/1"].height_changed.emit(600)
    assert view._spots.row_rect(3).top() == top


def test_a_reported_height_is_kept_for_when_the_widget_comes_again(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (*talk(60), with_widget()), embeds=factory)
    factory.made["w/widget/1"].height_changed.emit(250)
    view._scroll.by(-100_000)
    assert factory.closed == ["w/widget/1"]
    view.jump_to_newest()
    assert factory.made["w/widget/1"].height() == 250


def test_an_equal_part_keeps_the_widget_and_another_gets_a_new_one(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (with_widget(),), embeds=factory)
    first = factory.made["w/widget/1"]
    view.set_messages((replace(with_widget(), state="stopped"),))
    assert factory.made["w/widget/1"] is first
    view.set_messages((with_widget(view_id="2"),))
    assert factory.made["w/widget/2"] is not first
    assert factory.closed == ["w/widget/1"]


def test_a_widget_with_the_focus_is_kept_out_of_sight(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (*talk(60), with_widget()), embeds=factory)
    view.activateWindow()
    box = factory.made["w/widget/1"]
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    view._scroll.by(-100_000)
    assert factory.closed == []
    assert not box.geometry().intersects(view.viewport().rect())


def test_the_widgets_of_another_conversation_are_closed(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (with_widget(),), embeds=factory)
    view.set_messages(talk(3))
    assert factory.closed == ["w/widget/1"]
    assert factory.made == {}


def test_the_theme_reaches_the_widgets_and_their_wheel_reaches_the_view(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (*talk(30), with_widget()), embeds=factory)
    view.set_theme(DARK)
    assert factory.themes == ["light", "dark"]
    before = view._scroll.top_px
    factory.made["w/widget/1"].wheel_left.emit(120)
    assert view._scroll.top_px == before - 72


def test_shutting_down_closes_every_widget(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (with_widget(),), embeds=factory)
    view.shut_down()
    assert factory.closed == ["w/widget/1"]


def test_a_widget_lives_on_when_text_comes_in_front_of_it(qtbot):
    factory = BoxFactory(100)
    view = shown(qtbot, (with_widget(),), embeds=factory)
    first = factory.made["w/widget/1"]
    before = with_widget()
    view.set_messages((replace(before, parts=(TextBlock("One moment."), *before.parts)),))
    assert factory.made["w/widget/1"] is first
    assert factory.closed == []
