from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.gateway.runs.loop import offered_specs
from companion.gateway.tool import Tool, ToolError, ToolResult, find, select

NAMES = [f"tool_{letter}" for letter in "abcdefgh"]
CAPS = ["inline-widgets", "tool-events", "canvas"]


async def nothing(_context, _arguments):
    return ToolResult("done")


def tool(name="tool_a", requires=(), **properties):
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return Tool(name, "does nothing", schema, nothing, requires=frozenset(requires))


def as_bytes(tools) -> bytes:
    return json.dumps([spec.to_json() for spec in offered_specs(tools)]).encode()


def test_a_tool_list_is_byte_equal_over_a_hundred_shuffles():
    tools = [tool(name, requires=CAPS[: number % 3]) for number, name in enumerate(NAMES)]
    caps = frozenset(CAPS)
    first = as_bytes(select(tools, caps))
    shuffler = random.Random(7)
    for _ in range(100):
        shuffler.shuffle(tools)
        assert as_bytes(select(tools, caps)) == first


tool_sets = st.lists(
    st.builds(tool, st.sampled_from(NAMES), st.sets(st.sampled_from(CAPS))), unique_by=lambda one: one.name
)


@given(tool_sets, st.frozensets(st.sampled_from([*CAPS, "unknown"])), st.randoms())
def test_exactly_the_tools_whose_requirements_are_met_are_offered_in_order(tools, caps, shuffler):
    selected = select(tools, caps)
    assert {one.name for one in selected} == {one.name for one in tools if one.requires <= caps}
    assert [one.name for one in selected] == sorted(one.name for one in selected)
    shuffled = list(tools)
    shuffler.shuffle(shuffled)
    assert select(shuffled, caps) == selected


@given(tool_sets, st.frozensets(st.sampled_from(CAPS)), st.frozensets(st.sampled_from(CAPS)))
def test_more_capabilities_never_take_a_tool_away(tools, caps, more):
    names = [{one.name for one in select(tools, given)} for given in (caps, caps | more)]
    assert names[0] <= names[1]


def test_a_tool_that_was_not_offered_is_refused_by_name():
    offered = select([tool("seen"), tool("hidden", requires=["inline-widgets"])], frozenset())
    assert find(offered, "seen").name == "seen"
    with pytest.raises(ToolError, match=r"no tool 'hidden'.*The tools are: seen\."):
        find(offered, "hidden")


def test_arguments_are_judged_by_the_schema_with_their_place():
    counting = tool(count={"type": "integer", "minimum": 1})
    counting.check({"count": 1})
    with pytest.raises(ToolError, match="tool_a: count: 0 is less than the minimum of 1"):
        counting.check({"count": 0})
    with pytest.raises(ToolError, match="'other' was unexpected"):
        counting.check({"other": 1})


def test_a_refusal_does_not_repeat_a_whole_document():
    with pytest.raises(ToolError) as caught:
        tool(count={"type": "integer"}).check({"count": "x" * 100_000})
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", ["", "Upper", "with space", "1st", "a-b", "a" * 65])
def test_a_name_that_models_cannot_call_is_refused(name):
    with pytest.raises(ValueError, match="lower case"):
        tool(name)


@pytest.mark.parametrize("schema", [{}, {"type": "string"}, {"type": "object", "properties": 1}])
def test_a_schema_that_is_none_is_refused(schema):
    with pytest.raises(ValueError, match="parameters of tool 'a'"):
        Tool("a", "", schema, nothing)
