"""The typed pieces of a message, and the table that reads them from the wire.

A block type that is not in the table is kept as an `UnknownBlock`, whose
projection stands for it: a newer gateway never makes a message unreadable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from gateway_client.protocol.blocks.image import ImageBlock
from gateway_client.protocol.blocks.text import TextBlock
from gateway_client.protocol.blocks.thinking import ThinkingBlock
from gateway_client.protocol.blocks.tool_call import ToolCallBlock
from gateway_client.protocol.blocks.unknown import UnknownBlock
from gateway_client.protocol.blocks.widget import WidgetBlock

Block: TypeAlias = TextBlock | ThinkingBlock | ToolCallBlock | ImageBlock | WidgetBlock | UnknownBlock

BLOCKS: dict[str, Callable[[Mapping[str, Any]], Block | None]] = {
    "text": TextBlock.from_wire,
    "thinking": ThinkingBlock.from_wire,
    "toolCall": ToolCallBlock.from_wire,
    "image": ImageBlock.from_wire,
    "canvas": WidgetBlock.from_wire,
}
"""Wire type to reader. A reader answers None for a block it cannot make sense of."""


def parse_content(content: object) -> tuple[Block, ...]:
    """Read the `content` of a wire message: a text, or a list of blocks.

    Never raises: what cannot be read becomes an `UnknownBlock`.
    """
    if isinstance(content, str):
        return (TextBlock(content),) if content else ()
    if not isinstance(content, list):
        return ()
    return tuple(parse_block(item) for item in content if isinstance(item, Mapping))


def parse_block(item: Mapping[str, Any]) -> Block:
    """Read one block of the wire; never raises."""
    reader = BLOCKS.get(str(item.get("type")))
    block = reader(item) if reader else None
    return block if block is not None else UnknownBlock.from_wire(item)


def projection(blocks: tuple[Block, ...]) -> str:
    """Return the plain text that stands for *blocks* where nothing is drawn."""
    return "\n\n".join(text for block in blocks if (text := block.projection()))


__all__ = [
    "BLOCKS",
    "Block",
    "ImageBlock",
    "TextBlock",
    "ThinkingBlock",
    "ToolCallBlock",
    "UnknownBlock",
    "WidgetBlock",
    "parse_block",
    "parse_content",
    "projection",
]
