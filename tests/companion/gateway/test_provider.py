from __future__ import annotations

from companion.gateway.provider import ToolSpec


def test_a_tool_as_a_model_sees_it_has_a_name_words_and_a_schema():
    schema = {"type": "object"}
    assert ToolSpec("draw", "draws", schema).to_json() == {
        "name": "draw",
        "description": "draws",
        "parameters": schema,
    }
