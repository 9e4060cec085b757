from __future__ import annotations

from gateway_client.protocol.blocks.unknown import UnknownBlock


def test_the_first_text_that_a_stranger_carries_is_kept():
    assert UnknownBlock.from_wire({"type": "x", "rawText": "raw", "title": "t"}) == UnknownBlock("x", "raw")
    assert UnknownBlock.from_wire({"type": "x", "text": "", "alt": "a"}) == UnknownBlock("x", "a")


def test_a_stranger_without_text_says_what_it_was():
    block = UnknownBlock.from_wire({"type": "hologram", "data": 1})
    assert "hologram" in block.projection()
    assert block.to_wire() == {"type": "hologram", "text": ""}
