from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.domain.sizing import MAX_CHANGES, MAX_HEIGHT_PX, MIN_HEIGHT_PX, HeightFollower, clamp_height

heights = st.floats(allow_nan=True, allow_infinity=True)


@given(heights)
def test_every_report_becomes_whole_pixels_within_the_bounds(height):
    clamped = clamp_height(height)
    assert isinstance(clamped, int)
    assert MIN_HEIGHT_PX <= clamped <= MAX_HEIGHT_PX


def test_a_part_of_a_pixel_is_given_a_whole_one():
    assert HeightFollower().report(333.2, 0) == 334


def test_a_page_that_wavers_by_four_pixels_keeps_its_height():
    follower = HeightFollower()
    follower.report(200, 0)
    assert follower.report(196, 1) is None
    assert follower.report(195, 2) == 195


def test_a_page_that_grows_by_one_pixel_is_not_cut():
    follower = HeightFollower(200)
    assert follower.report(201, 0) == 201


def test_a_page_that_changes_without_end_is_not_followed_any_more():
    follower = HeightFollower()
    changes = [follower.report(100 + 10 * (i % 2) * (i + 1), i / 100) for i in range(40)]
    assert len([change for change in changes if change is not None]) == MAX_CHANGES
    assert not follower.is_following


def test_a_page_that_changes_slowly_is_followed_for_ever():
    follower = HeightFollower()
    assert all(follower.report(100 + 50 * (i % 2), i * 0.5) for i in range(200))


def test_a_page_that_walks_by_the_same_step_is_stopped():
    follower, now_s, height = HeightFollower(300), 0.0, 300
    for _ in range(100):
        now_s += 10
        height = follower.report(height + 15, now_s) or height
    assert height <= 300 + 4 * 15
    assert not follower.is_following


def test_a_new_width_or_a_touch_starts_afresh():
    follower = HeightFollower(100)
    for i in range(10):
        follower.report(100 + 15 * (i + 1), i)
    assert follower.report(600, 20) is None
    follower.follow_again()
    assert follower.report(600, 21) == 600


def test_a_page_that_reports_what_it_was_given_does_not_use_up_its_changes():
    follower = HeightFollower()
    follower.report(300, 0)
    assert [follower.report(300, i / 1000) for i in range(1000)] == [None] * 1000
    assert follower.is_following


@given(st.lists(st.tuples(heights, st.floats(min_value=0, max_value=0.5))))
def test_no_page_moves_the_transcript_more_often_than_the_rule_allows(reports):
    follower, now_s, changed_at = HeightFollower(), 0.0, []
    for height, gap in reports:
        now_s += gap
        if follower.report(height, now_s) is not None:
            changed_at.append(now_s)
    assert all(b - a > 2.0 for a, b in zip(changed_at, changed_at[MAX_CHANGES:], strict=False))


@given(st.lists(heights, max_size=50))
def test_the_height_shown_is_always_within_the_bounds(reports):
    follower = HeightFollower()
    for i, height in enumerate(reports):
        follower.report(height, i * 10)
        assert follower.height_px is None or MIN_HEIGHT_PX <= follower.height_px <= MAX_HEIGHT_PX
