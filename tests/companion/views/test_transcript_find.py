from __future__ import annotations

from dataclasses import replace

from companion.domain.transcript import ToolActivity
from companion.views import transcript_find
from tests.support.transcripts import WORDS, said, shown, talk


def settled_count(qtbot, view):
    qtbot.waitUntil(lambda: not view._finder._rough)
    return view._finder.count


def test_matches_are_counted_in_messages_that_were_never_drawn(qtbot):
    messages = (said("first", "A **need**le lies here, and a NEEDLE there."), *talk(300))
    view = shown(qtbot, messages)
    assert view.find("needle") == 2
    assert view._finder.current.row == 0
    assert view._spots.row_rect(0).intersects(view.viewport().rect())


def test_a_word_in_every_message_is_counted_between_events(qtbot, monkeypatch):
    monkeypatch.setattr(transcript_find, "FIRST_TURN_S", 0.0)
    messages = talk(300)
    view = shown(qtbot, messages)
    view.find("answer")
    assert len(view._finder._rough) > 100
    assert settled_count(qtbot, view) == 600


def test_marks_are_not_searched_but_names_with_underscores_are(qtbot):
    view = shown(qtbot, (said("a", "Call `show_widget` with [a link](https://example.org/needle)."),))
    assert view.find("show_widget") == 1
    view.find("needle")
    assert settled_count(qtbot, view) == 0


def test_next_and_previous_go_around(qtbot):
    view = shown(qtbot, (said("a", "x one x"), *talk(40), said("b", "x two")))
    view._scroll.by(-100_000)
    assert view.find("x ") == 2
    seen = [view._finder.current]
    for _ in range(2):
        view.find_next()
        seen.append(view._finder.current)
    assert [hit.row for hit in seen] == [0, 41, 0]
    view.find_previous()
    assert view._finder.current.row == 41


def test_the_match_that_is_gone_to_is_in_sight(qtbot):
    view = shown(qtbot, (*talk(30), said("long", (WORDS + "\n\n") * 60 + "needle"), said("z", WORDS * 30)))
    view._scroll.by(-100_000)
    assert view.find("needle") == 1
    hit = view._finder.current
    piece = view._rows.layout(hit.row).pieces[hit.piece]
    assert piece.is_measured
    top = view._rows.piece_top_px(hit.row, hit.piece) - view._scroll.top_px
    assert 0 < top < view._scroll.view_px


def test_a_match_inside_a_closed_card_opens_it(qtbot):
    tool = ToolActivity("1", "browse", "done", {}, "a needle in the result")
    view = shown(qtbot, (*talk(4), replace(said("t"), parts=(tool,))))
    assert view.find("needle") == 1
    piece = view._rows.layout(4).pieces[0]
    assert piece.is_open
    (mark,) = view._finder.marks_in(4, 0, piece)
    assert mark.kind == "current"
    assert piece.text_between(mark.start, mark.end) == "needle"


def test_the_current_match_is_marked_apart_from_the_others(qtbot):
    view = shown(qtbot, (said("a", "word word word"),))
    view.find("WORD")
    view.find_next()
    piece = view._rows.layout(0).pieces[0]
    assert [mark.kind for mark in view._finder.marks_in(0, 0, piece)] == ["found", "current", "found"]


def test_searching_stops_following_and_closing_it_goes_on(qtbot):
    messages = talk(20)
    view = shown(qtbot, messages)
    view.find("question")
    assert view._scroll.follow.state == "searching"
    view.clear_find()
    assert view._scroll.follow.state in ("reading", "following")
    assert view._finder.marks_in(0, 0, view._rows.layout(0).pieces[0]) == []


def test_what_arrives_while_searching_is_searched_too(qtbot):
    messages = talk(4)
    view = shown(qtbot, messages)
    assert view.find("needle") == 0
    with qtbot.waitSignal(view.find_count_changed) as told:
        view.set_messages((*messages, said("n", "a needle")))
    assert told.args == [1]


def test_an_empty_search_is_none(qtbot):
    view = shown(qtbot, talk(4))
    assert view.find("") == 0
    assert not view._finder.is_active
    view.find_next()
    assert view._finder.current is None


def test_special_characters_mean_themselves(qtbot):
    view = shown(qtbot, (said("a", "what (is) this? a+b"),))
    assert view.find("(is) this?") == 1
    assert view.find("a.b") == 0
