from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.a2ui import strict_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_written_is_read_again(value):
    assert strict_json.same(strict_json.parse(strict_json.dump(value)), value)


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "-Infinity",
        "1e999",
        "[1,]",
        "/**/1",
        "\ufeff1",
        '"\\ud800"',
        '"\ud800"',
        "",
        "[" * 65 + "]" * 65,
    ],
)
def test_what_is_no_strict_json_is_refused(text):
    with pytest.raises(ValueError):
        strict_json.parse(text)


def test_brackets_inside_a_text_are_no_levels():
    text = json.dumps(["[" * 200, '\\"{' * 100])
    assert strict_json.parse(text) == json.loads(text)


def test_a_pair_of_surrogates_is_one_character():
    assert strict_json.parse('"\\ud83d\\ude00"') == "😀"


def test_sizes_are_bytes():
    assert strict_json.size("日") == 3


@pytest.mark.parametrize(("left", "right"), [(True, 1), (0, False), ("1", 1)])
def test_values_of_different_types_are_not_the_same(left, right):
    assert not strict_json.same(left, right)
