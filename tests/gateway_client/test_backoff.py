from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gateway_client.backoff import FIRST_DELAY_S, JITTER, LONGEST_DELAY_S, delay_s


def test_delays_double_from_half_a_second_to_half_a_minute():
    assert [delay_s(attempt, 0.0) for attempt in range(1, 9)] == [0.5, 1, 2, 4, 8, 16, 30, 30]


@given(st.integers(min_value=0, max_value=10**9), st.floats(0, 1, exclude_max=True))
def test_every_delay_lies_within_its_bounds(attempt, chance):
    delay = delay_s(attempt, chance)
    assert FIRST_DELAY_S * (1 - JITTER) <= delay <= LONGEST_DELAY_S


@given(st.integers(1, 50), st.floats(0, 1, exclude_max=True))
def test_chance_only_shortens(attempt, chance):
    assert delay_s(attempt, chance) <= delay_s(attempt, 0.0)
