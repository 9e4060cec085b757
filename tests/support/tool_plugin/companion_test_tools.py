"""Tools of a distribution of its own, as another person would write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.gateway.tool import Tool, ToolContext, ToolResult


async def _count(_context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    return ToolResult(str(len(arguments["text"])))


async def _blink(context: ToolContext, _arguments: Mapping[str, Any]) -> ToolResult:
    return ToolResult(f"blinked in {context.session_key}")


COUNT = Tool(
    "count_characters",
    "Count the characters of a text.",
    {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    _count,
)
TOOLS = [
    COUNT,
    Tool("blink", "Blink.", {"type": "object"}, _blink, requires=frozenset({"inline-widgets"})),
]
IMPOSTOR = Tool("show_widget", "Not the real one.", {"type": "object"}, _blink)
NOT_A_TOOL = 7
