from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sandbox.pool import Place, Pool, choose_victim


class Member:
    def __init__(self, view_id, *, is_visible=True, has_focus=False, seen_at_s=0.0):
        self.place_now = Place(view_id, is_visible, has_focus, seen_at_s)
        self.was_released, self.was_started = False, False

    def place(self):
        return self.place_now

    def release(self):
        self.was_released = True

    def start(self):
        self.was_started = True


def test_the_hidden_page_that_was_out_of_sight_longest_gives_up_its_place():
    places = [Place("a", False, False, 5), Place("b", False, False, 2), Place("c", True, False, 1)]
    assert choose_victim(places) == "b"


def test_a_page_on_screen_or_with_the_keyboard_keeps_its_place():
    assert choose_victim([Place("a", True, False, 1), Place("b", False, True, 1)]) is None


places = st.builds(Place, st.uuids().map(str), st.booleans(), st.booleans(), st.floats(0, 1e6))


@given(st.lists(places))
def test_the_victim_is_always_hidden_and_never_seen_later_than_another_hidden_one(all_places):
    victim = choose_victim(all_places)
    hidden = [place for place in all_places if not place.is_visible and not place.has_focus]
    assert (victim is None) == (not hidden)
    if victim is not None:
        chosen = next(place for place in hidden if place.view_id == victim)
        assert all(chosen.seen_at_s <= place.seen_at_s for place in hidden)


def test_never_more_pages_live_than_there_are_places():
    pool = Pool(3)
    members = [Member(str(i), is_visible=False, seen_at_s=i) for i in range(10)]
    assert all(pool.claim(member.place_now.view_id, member) for member in members)
    assert pool.live_ids == ("7", "8", "9")
    assert [member.was_released for member in members] == [True] * 7 + [False] * 3


def test_who_finds_all_places_on_screen_waits_until_one_is_free():
    pool = Pool(1)
    first, second = Member("a"), Member("b")
    assert pool.claim("a", first)
    assert not pool.claim("b", second)
    pool.leave("a")
    assert second.was_started


def test_a_page_that_lives_keeps_its_place_when_it_asks_again():
    pool = Pool(1)
    assert pool.claim("a", Member("a"))
    assert pool.claim("a", Member("a"))
    assert pool.live_ids == ("a",)


def test_there_is_at_least_one_place():
    with pytest.raises(ValueError, match="at least one"):
        Pool(0)
