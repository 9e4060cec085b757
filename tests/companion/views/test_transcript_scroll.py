from __future__ import annotations

from dataclasses import replace

from companion.domain.transcript import ToolActivity
from tests.support.transcripts import WORDS, is_at_end, said, shown, talk


def eye(view):
    """What stands at the top of the viewport: the key of a message and how far from its edge."""
    rows, scroll = view._rows, view._scroll
    spot = rows.spot_at(scroll.top_px, until_px=scroll.top_px + scroll.view_px)
    return rows.messages[spot.row].key, spot.number, spot.top_px - scroll.top_px


def test_a_conversation_opens_at_its_end(qtbot):
    view = shown(qtbot, talk(200))
    assert is_at_end(view)
    assert view._scroll.below_px == 0


def test_what_arrives_is_followed_at_the_end(qtbot):
    messages = talk(20)
    view = shown(qtbot, messages)
    answer = said("run", "", state="streaming")
    for words in range(1, 40, 3):
        view.set_messages((*messages, replace(answer, parts=said("", WORDS * words).parts)))
        assert is_at_end(view)


def test_one_turn_of_the_wheel_upwards_stops_following(qtbot):
    messages = talk(20)
    view = shown(qtbot, messages)
    view._scroll.by(-3)
    before = eye(view)
    view.set_messages((*messages, said("new", WORDS * 10)))
    assert eye(view) == before
    assert view._scroll.follow.state == "reading"


def test_scrolling_to_the_end_follows_again(qtbot):
    messages = talk(20)
    view = shown(qtbot, messages)
    view._scroll.by(-300)
    view._scroll.by(290)
    view.set_messages((*messages, said("new", WORDS * 10)))
    assert is_at_end(view)


def test_text_under_the_eye_stays_while_heights_above_become_known(qtbot):
    view = shown(qtbot, talk(300, lines=8))
    for _ in range(60):
        view._scroll.hold()
        before = eye(view)
        view._scroll.settle()
        assert eye(view) == before
        view._scroll.by(-170)


def test_scrolling_up_moves_by_what_was_asked_although_heights_were_estimates(qtbot):
    view = shown(qtbot, talk(300, lines=8))
    for _ in range(40):
        key, number, top = eye(view)
        view._scroll.by(-50)
        row = view._rows.number_of(key)
        assert view._rows.piece_top_px(row, number) - view._scroll.top_px == top + 50


def test_history_that_comes_above_does_not_move_what_is_read(qtbot):
    messages = talk(40)
    view = shown(qtbot, messages)
    view._scroll.by(-400)
    before = eye(view)
    earlier = tuple(said(f"e{number}", WORDS * 5) for number in range(30))
    view.set_messages((*earlier, *messages))
    assert eye(view) == before


def test_a_message_that_grows_above_does_not_move_what_is_read(qtbot):
    messages = talk(20)
    view = shown(qtbot, messages)
    view._scroll.by(-200)
    before = eye(view)
    row = view._rows.number_of(before[0])
    grown = replace(messages[row - 1], parts=said("", WORDS * 60).parts)
    view.set_messages((*messages[: row - 1], grown, *messages[row:]))
    assert eye(view) == before


def test_another_width_keeps_the_message_that_is_read_in_sight(qtbot):
    view = shown(qtbot, talk(60))
    view._scroll.by(-2000)
    key, _, _ = eye(view)
    view.resize(420, 480)
    row = view._rows.number_of(key)
    assert row in view._spots.visible_rows()


def test_messages_that_arrive_below_are_counted_until_the_end_is_reached(qtbot):
    messages = talk(20)
    view = shown(qtbot, messages)
    view._scroll.by(-300)
    with qtbot.waitSignal(view.new_below_changed) as told:
        view.set_messages((*messages, said("n1"), said("n2")))
    assert told.args == [2]
    with qtbot.waitSignal(view.new_below_changed) as told:
        view.jump_to_newest()
    assert told.args == [0]
    assert is_at_end(view)


def test_a_growing_answer_is_not_counted_again(qtbot):
    messages = (*talk(20), said("run", "a", state="streaming"))
    view = shown(qtbot, messages)
    view._scroll.by(-300)
    view.set_messages((*messages[:-1], said("run", "a b")))
    assert view._scroll.follow.new_below == 0


def test_sending_a_message_goes_to_the_end(qtbot):
    messages = talk(20)
    view = shown(qtbot, messages)
    view._scroll.by(-300)
    view.set_messages((*messages, said("user:1", "Sent", role="user", state="sending")))
    assert is_at_end(view)


def test_another_conversation_opens_at_its_end(qtbot):
    view = shown(qtbot, talk(60))
    view._scroll.by(-900)
    view.set_messages(tuple(said(f"x{number}", WORDS) for number in range(50)))
    assert is_at_end(view)
    assert view._scroll.follow.is_following


def test_opening_a_card_keeps_its_title_in_place(qtbot):
    tool = ToolActivity("1", "browse", "done", {"a": 1}, "line\n" * 30)
    messages = (*talk(10), replace(said("t"), parts=(tool,)), *(said(f"z{n}", WORDS) for n in range(6)))
    view = shown(qtbot, messages)
    row = view._rows.number_of("t")
    before = view._spots.row_rect(row).top()
    view._commands.toggle_cards(row)
    assert view._spots.row_rect(row).top() == before
    assert view._rows.height_px(row) > 300


def test_revealing_moves_no_further_than_needed(qtbot):
    view = shown(qtbot, talk(60))
    top = view._scroll.top_px
    view._scroll.reveal(top + 50, top + 90)
    assert view._scroll.top_px == top
    view._scroll.reveal(top - 100, top - 60)
    assert top - 120 < view._scroll.top_px < top - 100
