from __future__ import annotations

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from companion.gateway.runs.cleaning import clean, clean_text

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner) | st.tuples(inner),
)


@given(anything)
def test_whatever_comes_can_go_over_the_wire(value):
    json.dumps(clean(value), allow_nan=False, ensure_ascii=False).encode()


@given(
    st.dictionaries(st.text(), st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
)
def test_what_is_fit_already_stays_as_it_is(value):
    assert clean(value) == value


def test_halves_of_pairs_and_endless_numbers_are_replaced():
    assert clean_text("a\ud800b") == "a?b"
    assert clean({"n": [math.inf, math.nan, 1.5]}) == {"n": [None, None, 1.5]}
