from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.model import ChartData, Series
from companion.domain.rich_output.problem import Refused
from companion.domain.rich_output.snapshot import SnapshotDamaged, read_snapshot, to_snapshot

NUMBERS = st.none() | st.integers(-(2**52), 2**52) | st.floats(allow_nan=False, allow_infinity=False)
GOOD = {
    "version": 1,
    "resolved_charts": [{"block_index": 0, "labels": ["a"], "series": [{"label": "x", "values": [1]}]}],
}


@given(st.lists(NUMBERS, min_size=1, max_size=100))
def test_a_snapshot_reads_back_as_the_data_it_was_made_of(values):
    data = ChartData(tuple(f"l{index}" for index in range(len(values))), (Series("x", tuple(values)),))
    assert read_snapshot(to_snapshot({2: data})) == {2: data}


def test_nothing_is_kept_where_no_file_was_read():
    assert to_snapshot({}) is None


def test_too_much_data_is_refused_with_its_size():
    data = ChartData(("\u20ac" * 120,) * 100, (Series("x", (1,) * 100),))
    with pytest.raises(Refused, match="snapshot_too_large"):
        to_snapshot({0: data, 1: data})


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("version",), True),
        (("resolved_charts",), []),
        (("resolved_charts", 0, "block_index"), 4),
        (("resolved_charts", 0, "labels"), ["a", "b"]),
        (("resolved_charts", 0, "series", 0, "label"), ""),
        (("resolved_charts", 0, "series", 0, "values"), [float("inf")]),
        (("resolved_charts", 0, "series", 0, "values"), [False]),
    ],
)
def test_anything_else_is_damaged(place, value):
    assert read_snapshot(GOOD)
    damaged = copy.deepcopy(GOOD)
    inner = damaged
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(SnapshotDamaged):
        read_snapshot(damaged)
