from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.axis import axis_labels, value_axis
from tests.support.rich_output import case_id, cases

VALUES = st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), max_size=8)


@pytest.mark.parametrize("case", cases("rendering", "axis_cases"), ids=case_id)
def test_an_axis_has_the_ticks_and_labels_that_are_written_down(case):
    axis = value_axis(case["values"], case["chart_type"], case["want"], from_zero=case["zero_option"])
    expected = case["expect"]
    assert list(axis.ticks) == [Decimal(tick) for tick in expected["ticks"]]
    assert list(axis_labels(axis)) == expected["labels_en_US"]
    assert axis.is_empty == expected["empty"]


@given(VALUES, st.sampled_from(["line", "bar"]), st.integers(2, 6))
def test_every_axis_holds_its_values_between_few_distinct_ticks(values, kind, wanted):
    axis = value_axis(values, kind, wanted)
    assert 2 <= len(axis.ticks) <= wanted + 1
    assert len(set(axis_labels(axis))) == len(axis.ticks)
    share = axis.sharing()
    assert all(-1e-9 <= share(value) <= 1 + 1e-9 for value in values if value is not None)


@given(VALUES, st.integers(2, 6))
def test_bars_always_show_zero(values, wanted):
    assert 0 in value_axis(values, "bar", wanted).ticks
