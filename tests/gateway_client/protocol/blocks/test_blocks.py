from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_client.protocol.blocks import (
    BLOCKS,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    UnknownBlock,
    WidgetBlock,
    parse_block,
    parse_content,
    projection,
)
from tests.support.values import json_values, objects_with, texts
from tests.support.vectors import RECORDINGS, frames


def recorded_content(name):
    """Yield the content of every message that went over the wire."""
    for frame in frames(name, "in"):
        payload = frame.get("payload") or {}
        yield from (row["content"] for row in payload.get("messages", []) if "content" in row)
        if isinstance(payload.get("message"), dict):
            yield payload["message"].get("content")


def test_a_text_is_one_block_and_an_empty_one_none():
    assert parse_content("hi") == (TextBlock("hi"),)
    assert parse_content("") == ()
    assert parse_content(None) == ()


def test_a_list_keeps_its_order_and_drops_what_is_no_object():
    content = [{"type": "text", "text": "a"}, 7, {"type": "thinking", "thinking": "b"}, None]
    assert parse_content(content) == (TextBlock("a"), ThinkingBlock("b"))


def test_a_block_that_is_unknown_or_malformed_stands_as_its_text():
    assert parse_block({"type": "hologram", "text": "look"}) == UnknownBlock("hologram", "look")
    assert parse_block({"type": "text", "text": 7}) == UnknownBlock("text")
    assert parse_block({}) == UnknownBlock("untyped")


@pytest.mark.parametrize("name", RECORDINGS)
def test_recorded_messages_hold_known_blocks_alone(name):
    blocks = [block for content in recorded_content(name) for block in parse_content(content)]
    assert [block for block in blocks if isinstance(block, UnknownBlock)] == []


def test_the_plain_text_of_a_message_leaves_out_what_says_nothing():
    blocks = (TextBlock("a"), ThinkingBlock("secret"), ToolCallBlock("1", "t"), WidgetBlock("v", "u", "Cat"))
    assert projection(blocks) == "a\n\n[widget: Cat]"


@given(
    objects_with(
        type=st.sampled_from([*BLOCKS, "other"]),
        text=texts,
        thinking=texts,
        id=texts,
        name=texts,
        arguments=json_values,
        data=texts,
        mimeType=texts,
        preview=objects_with(viewId=texts, url=texts, title=texts, preferredHeight=st.integers()),
        rawText=texts,
    )
)
def test_any_object_is_a_block_that_comes_back_from_the_wire(item):
    block = parse_block(item)
    assert isinstance(block.projection(), str)
    if not isinstance(block, UnknownBlock):
        assert parse_block(block.to_wire()) == block


@given(json_values)
def test_any_content_can_be_read(content):
    assert isinstance(projection(parse_content(content)), str)


def test_every_kind_has_a_reader():
    assert set(BLOCKS) == {"text", "thinking", "toolCall", "image", "canvas"}
    assert isinstance(parse_block({"type": "image", "data": "AA==", "mimeType": "image/png"}), ImageBlock)
