from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.numbers import CellRefused, read_cell, shortest


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**20), 10**20))
def test_the_shortest_text_reads_back_as_the_same_number(value):
    assert read_cell(shortest(value)) == float(value)


@given(st.text(max_size=12))
def test_a_cell_is_a_number_or_empty_or_refused(cell):
    with suppress(CellRefused):
        number = read_cell(cell)
        assert number is None or float(cell) == number


@pytest.mark.parametrize(
    ("cell", "hint"), [("1_000", "thousands_separator"), ("٣", "text"), ("1e400", "overflow")]
)
def test_what_only_python_reads_as_a_number_is_refused(cell, hint):
    with pytest.raises(CellRefused) as refused:
        read_cell(cell)
    assert refused.value.hint == hint
