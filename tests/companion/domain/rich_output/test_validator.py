from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.payload import compact_bytes, read_arguments
from companion.domain.rich_output.problem import MAX_PROBLEMS, Refused
from companion.domain.rich_output.validator import validate
from tests.support.rich_output import case_id, cases

INPUTS = cases("input")
LEXICAL = [case for case in cases("paths") if "workspace" not in case]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def written(case):
    """The arguments as the case gives them: values, or the text that a model wrote."""
    text = case.get("args_text", case.get("args_text_build"))
    return case["args"] if text is None else read_arguments(text)


@pytest.mark.parametrize("case", INPUTS, ids=case_id)
def test_arguments_are_judged_as_written_down(case):
    expected = case["expect"]
    if expected["ok"]:
        assert validate(written(case)).blocks
        return
    with pytest.raises(Refused) as refused:
        validate(written(case))
    assert (refused.value.first.code, refused.value.first.pointer) == (expected["code"], expected["pointer"])


@pytest.mark.parametrize("case", [case for case in INPUTS if "bytes" in case], ids=case_id)
def test_sizes_are_measured_as_written_down(case):
    assert compact_bytes(written(case)) == case["bytes"]


@pytest.mark.parametrize("case", LEXICAL, ids=case_id)
@pytest.mark.parametrize("platform", ["posix", "windows"])
def test_paths_of_files_are_judged_by_their_text(case, platform):
    if case.get("platform", platform) != platform:
        platform = case["platform"]
    expected = case["expect"]
    if expected["ok"]:
        assert validate(case["args"], platform).blocks
        return
    with pytest.raises(Refused) as refused:
        validate(case["args"], platform)
    assert (refused.value.first.code, refused.value.first.pointer) == (expected["code"], expected["pointer"])


def test_a_name_that_only_windows_forbids_is_taken_elsewhere():
    card = {"version": 1, "title": "T", "blocks": [{"type": "file", "path": "aux.txt"}]}
    assert validate(card, "posix").blocks
    with pytest.raises(Refused, match="path_invalid"):
        validate(card, "windows")


def test_several_problems_are_told_at_once_and_no_more_than_five():
    items = [{"label": "", "value": 5}] * 6
    with pytest.raises(Refused) as refused:
        validate({"version": 2, "title": "", "blocks": [{"type": "metrics", "items": items}], "x": 1})
    codes = [problem.code for problem in refused.value.problems]
    assert codes == ["field_unknown", "version_unsupported", "field_length", "field_length", "field_type"]
    assert len(codes) == MAX_PROBLEMS


@given(JSON)
def test_anything_is_judged_without_another_error(value):
    with pytest.raises(Refused):
        validate(value)


@given(JSON, st.sampled_from(["type", "title", "labels", "series", "csv", "summary", "chart_type"]))
def test_a_chart_with_anything_in_one_field_is_judged(value, name):
    chart = {"type": "chart", "chart_type": "bar", "title": "C", "summary": "S"}
    chart |= {"labels": ["a"], "series": [{"label": "x", "values": [1]}], name: value}
    with suppress(Refused):
        assert len(validate({"version": 1, "title": "T", "blocks": [chart]}).blocks) == 1
