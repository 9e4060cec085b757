from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.a2ui import bindings
from companion.domain.a2ui.bindings import MISSING
from companion.domain.a2ui.strict_json import same

NAMES = st.text("abc019", min_size=1, max_size=2)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(".".join)


@given(st.dictionaries(NAMES, VALUES, max_size=3), PATHS, VALUES)
def test_what_is_written_is_read_again_and_the_old_model_stays(model, path, value):
    before = copy.deepcopy(model)
    changed = bindings.write(model, path, value)
    assert model == before
    if changed is not None:
        assert same(bindings.read(changed, path), value)


@given(st.dictionaries(NAMES, VALUES, max_size=3), PATHS)
def test_a_pointer_reads_what_dots_read(model, path):
    assert bindings.read(model, path) is bindings.read(model, "/" + path.replace(".", "/"))


@pytest.mark.parametrize("path", ["", ".", None, 5, "a.9", "a.-1", "a.x", "__class__"])
def test_a_path_that_leads_nowhere_is_missing(path):
    assert bindings.read({"a": [1]}, path) is MISSING


def test_a_pointer_spells_slash_and_tilde():
    assert bindings.read({"a/b": {"c~d": 1}}, "/a~1b/c~0d") == 1


@pytest.mark.parametrize(("path", "model"), [("", {}), ("a.5", {"a": [1]}), ("a.x", {"a": []})])
def test_a_place_that_cannot_be_made_is_not_written(path, model):
    assert bindings.write(model, path, "x") is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (True, "true"), (1.0, "1"), (2.5, "2.5"), ([1, {"a": None}], '[1,{"a":null}]')],
)
def test_values_read_as_texts(value, text):
    assert bindings.text_of(value) == text


@pytest.mark.parametrize(
    ("value", "number"),
    [("2.5", 2.5), ("3", 3), (True, None), ("x", None), ("inf", None), (None, None), (7, 7)],
)
def test_numbers_may_be_written_as_texts(value, number):
    assert bindings.number_of(value) == number


@pytest.mark.parametrize(
    ("value", "truth"), [([], True), ({}, True), ("false", True), (0, False), (MISSING, False)]
)
def test_truth_is_that_of_javascript(value, truth):
    assert bindings.is_true(value) is truth
