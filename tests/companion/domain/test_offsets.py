from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.offsets import Offsets

HEIGHTS = st.lists(st.integers(0, 9000), max_size=60)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(0, 9000)),
        st.tuples(st.just("set"), st.integers(0, 59), st.integers(0, 9000)),
        st.tuples(st.just("truncate"), st.integers(0, 60)),
    ),
    max_size=40,
)


@given(HEIGHTS, CHANGES)
def test_offsets_are_the_sums_of_the_heights_before_after_any_changes(heights, changes):
    offsets, plain = Offsets(heights), list(heights)
    for name, *values in changes:
        if name == "append":
            offsets.append(values[0])
            plain.append(values[0])
        elif name == "truncate":
            offsets.truncate(values[0])
            del plain[values[0] :]
        elif values[0] < len(plain):
            assert offsets.set(values[0], values[1]) == values[1] - plain[values[0]]
            plain[values[0]] = values[1]
    assert len(offsets) == len(plain)
    assert [offsets.offset(row) for row in range(len(plain) + 1)] == [
        sum(plain[:row]) for row in range(len(plain) + 1)
    ]
    assert offsets.total == sum(plain)
    assert [offsets.height(row) for row in range(len(plain))] == plain


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(-20, 3000))
def test_the_row_found_covers_the_place(heights, y_px):
    offsets = Offsets(heights)
    row = offsets.find(y_px)
    if 0 <= y_px < offsets.total:
        assert offsets.offset(row) <= y_px < offsets.offset(row) + heights[row]
    elif y_px >= offsets.total:
        assert row == len(heights) - 1
    else:
        assert offsets.offset(row) == 0


def test_finding_in_no_rows_is_an_error():
    with pytest.raises(IndexError):
        Offsets().find(0)
