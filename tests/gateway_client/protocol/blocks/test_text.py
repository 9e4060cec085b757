from __future__ import annotations

from gateway_client.protocol.blocks.text import TextBlock


def test_a_text_goes_over_the_wire_and_back_and_stands_for_itself():
    block = TextBlock("# Hi")
    assert block.to_wire() == {"type": "text", "text": "# Hi"}
    assert TextBlock.from_wire(block.to_wire()) == block
    assert block.projection() == "# Hi"


def test_a_text_block_without_text_is_none():
    assert TextBlock.from_wire({"type": "text"}) is None
    assert TextBlock.from_wire({"type": "text", "text": 7}) is None
