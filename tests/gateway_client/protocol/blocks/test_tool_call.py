from __future__ import annotations

from gateway_client.protocol.blocks.tool_call import ToolCallBlock


def test_a_call_goes_over_the_wire_and_back_and_is_no_text():
    block = ToolCallBlock("c1", "show_widget", {"title": "Cat"})
    assert block.to_wire() == {
        "type": "toolCall",
        "id": "c1",
        "name": "show_widget",
        "arguments": {"title": "Cat"},
    }
    assert ToolCallBlock.from_wire(block.to_wire()) == block
    assert block.projection() == ""


def test_a_call_without_id_or_name_is_none_and_odd_arguments_are_empty():
    assert ToolCallBlock.from_wire({"name": "a"}) is None
    assert ToolCallBlock.from_wire({"id": "1"}) is None
    assert ToolCallBlock.from_wire({"id": "1", "name": "a", "arguments": "{"}) == ToolCallBlock("1", "a")
