from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.domain.follow import BOTTOM_PX, Follow

EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("scrolled"), st.integers(-500, 500), st.integers(0, 2000)),
        st.just(("held",)),
        st.just(("jumped",)),
        st.just(("search_opened",)),
        st.tuples(st.just("search_closed"), st.integers(0, 2000)),
        st.tuples(st.just("arrived"), st.integers(1, 5)),
    )
)


def test_scrolling_up_by_one_pixel_stops_following_even_near_the_bottom():
    assert Follow().scrolled(-1, 1).state == "reading"


def test_reaching_the_last_24_pixels_downwards_follows_again():
    reading = Follow("reading", 3)
    assert reading.scrolled(10, BOTTOM_PX) == Follow()
    assert reading.scrolled(10, BOTTOM_PX + 1) == reading


def test_messages_that_arrive_are_counted_only_while_not_following():
    assert Follow().arrived(2).new_below == 0
    assert Follow().held().arrived(2).arrived(1).new_below == 3


def test_a_search_is_not_ended_by_reaching_the_bottom():
    assert Follow().search_opened().scrolled(100, 0).state == "searching"


def test_closing_a_search_at_the_bottom_follows_and_elsewhere_reads():
    searching = Follow().search_opened()
    assert searching.search_closed(0).state == "following"
    assert searching.search_closed(400).state == "reading"


@given(EVENTS)
def test_while_following_nothing_is_ever_counted_as_new(events):
    follow = Follow()
    for name, *values in events:
        follow = getattr(follow, name)(*values)
        assert not (follow.is_following and follow.new_below)


@given(EVENTS)
def test_a_jump_always_follows(events):
    follow = Follow()
    for name, *values in events:
        follow = getattr(follow, name)(*values)
    assert follow.jumped() == Follow()
