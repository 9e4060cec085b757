from __future__ import annotations

from gateway_client.protocol.blocks.thinking import ThinkingBlock


def test_reasoning_is_read_from_either_field_and_is_no_part_of_the_answer():
    block = ThinkingBlock("hm")
    assert ThinkingBlock.from_wire({"type": "thinking", "thinking": "hm"}) == block
    assert ThinkingBlock.from_wire({"type": "thinking", "text": "hm"}) == block
    assert ThinkingBlock.from_wire(block.to_wire()) == block
    assert block.projection() == ""


def test_reasoning_that_is_no_text_is_none():
    assert ThinkingBlock.from_wire({"type": "thinking"}) is None
    assert ThinkingBlock.from_wire({"type": "thinking", "thinking": ["hm"]}) is None
