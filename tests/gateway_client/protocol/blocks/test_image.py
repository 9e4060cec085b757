from __future__ import annotations

from gateway_client.protocol.blocks.image import ImageBlock


def test_a_picture_goes_over_the_wire_and_back_and_is_named_in_text():
    block = ImageBlock("AA==", "image/png")
    assert ImageBlock.from_wire(block.to_wire()) == block
    assert block.projection() == "[picture, image/png]"


def test_a_picture_that_is_only_an_address_is_none():
    assert ImageBlock.from_wire({"type": "image", "url": "https://example.org/a.png"}) is None
    assert ImageBlock.from_wire({"type": "image", "data": "AA=="}) is None
