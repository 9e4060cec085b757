from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.views.renderer import Style
from companion.views.theme import DARK
from companion.views.transcript_rows import CACHED_LAYOUTS, PADDING_PX, Rows, first_difference
from tests.support.transcripts import WORDS, said, scene, talk


def rows_of(messages, width_px=500):
    rows = Rows(scene())
    rows.width_px = width_px
    rows.set_messages(messages)
    return rows


def realized(rows):
    while rows.realize(0, rows.total_px):
        pass
    return rows


def test_the_first_difference_is_found_by_identity():
    old = talk(2000)
    assert first_difference(old, old) == 2000
    assert first_difference(old, (*old, said("new"))) == 2000
    for place in (0, 511, 512, 1999):
        new = (*old[:place], said("other", "x"), *old[place + 1 :])
        assert first_difference(old, new) == place
    assert first_difference(old, ()) == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(lists=st.lists(st.lists(st.integers(0, 12), unique=True), min_size=1, max_size=5))
def test_rows_stand_as_if_the_last_list_were_the_first(qapp, lists):
    rows = Rows(scene())
    rows.width_px = 500
    for keys in lists:
        rows.set_messages(tuple(said(str(key), f"{key} " + WORDS * key) for key in keys))
    fresh = rows_of(rows.messages)
    assert rows.messages == fresh.messages
    assert [rows.top_px(row) for row in range(len(rows))] == [fresh.top_px(row) for row in range(len(rows))]
    assert all(rows.number_of(message.key) == row for row, message in enumerate(rows.messages))
    assert realized(rows).total_px == realized(fresh).total_px


def test_messages_added_at_the_end_are_told_and_move_nothing(qapp):
    old = talk(4)
    rows = rows_of(old)
    change = rows.set_messages((*old, said("new")))
    assert [message.key for message in change.appended] == ["new"]
    assert change.new_rows is None
    assert not change.is_new_conversation


def test_history_set_before_moves_the_rows_and_appends_nothing(qapp):
    old = talk(4)
    rows = rows_of(old)
    change = rows.set_messages((said("earlier"), *old))
    assert change.appended == ()
    assert change.new_rows == {0: 1, 1: 2, 2: 3, 3: 4}


def test_another_conversation_is_known_as_one(qapp):
    rows = rows_of(talk(4))
    assert rows.set_messages((said("other"),)).is_new_conversation
    assert rows.set_messages(()).is_new_conversation


def test_an_unchanged_message_keeps_its_layout_and_a_changed_one_its_pieces(qapp):
    old = (said("a"), said("b", "one\ntwo\n\nthree", state="streaming"))
    rows = realized(rows_of(old))
    layout, first = rows.layout(0), rows.layout(1).pieces[0]
    change = rows.set_messages((old[0], replace(old[1], parts=said("b", "one\ntwo\n\nthree four").parts)))
    assert rows.layout(0) is layout
    assert rows.layout(1).pieces[0] is first
    assert [after.key for _, after in change.updated] == ["b"]


def test_only_so_many_layouts_are_kept(qapp):
    rows = rows_of(talk(300))
    for top in range(0, rows.total_px, 400):
        rows.realize(top, top + 500)
    assert len(rows._layouts) <= CACHED_LAYOUTS


def test_opening_lays_out_only_what_is_asked_for(qapp):
    rows = rows_of(talk(2000))
    rows.realize(rows.total_px - 600, rows.total_px)
    assert 0 < len(rows._layouts) < 30


def test_a_row_is_found_by_its_height(qapp):
    rows = realized(rows_of(talk(6)))
    assert rows.top_px(0) == PADDING_PX
    for row in range(6):
        assert rows.row_at(rows.top_px(row)) == row
        assert rows.row_at(rows.top_px(row) + rows.height_px(row) - 1) == row


def test_the_spot_to_hold_on_to_is_the_first_piece_that_begins_in_sight(qapp):
    rows = realized(rows_of(talk(6)))
    top = rows.top_px(2)
    assert rows.spot_at(top, until_px=top + 300) == (2, 0, top + 9)
    within = rows.top_px(3) + 1
    assert rows.spot_at(within, until_px=within + 300).row == 4
    assert rows.spot_at(within, until_px=within + 5).row == 3


def test_outlines_are_read_once_for_each_state_of_a_message(qapp):
    old = (said("a", "**x**"),)
    rows = rows_of(old)
    assert not rows.has_outlines(0)
    assert rows.outlines(0) is rows.outlines(0)
    rows.set_messages((said("a", "**y**"),))
    assert rows.outlines(0)[0].plain == "y"


def test_another_width_or_style_changes_the_heights(qapp):
    rows = realized(rows_of(talk(6)))
    height = rows.total_px
    rows.set_width(250)
    assert realized(rows).total_px > height
    rows.set_width(500)
    rows.set_style(Style(DARK, 1.5))
    assert realized(rows).total_px > height * 1.2
