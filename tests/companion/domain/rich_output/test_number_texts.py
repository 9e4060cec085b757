from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.number_texts import full_text, short_text
from tests.support.rich_output import case_id, cases


@pytest.mark.parametrize("case", cases("rendering", "number_cases"), ids=case_id)
def test_numbers_are_written_as_written_down(case):
    expected = case["expect"]
    assert full_text(case["value"]) == expected["table_en_US"]
    assert short_text(case["value"]) == expected["tooltip_en_US"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_full_text_reads_back_as_the_same_number(value):
    assert float(full_text(value).replace(",", "")) == value
