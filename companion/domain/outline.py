"""What each drawn piece of a message says, whether it is drawn or not. Pure.

Searching, copying and reading aloud work on outlines, so they reach messages
that were never laid out. A drawn message has exactly these pieces, in this order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from companion.domain import markdown
from companion.domain.markdown_blocks import Code, plain_text
from companion.domain.transcript import Message, Notice, Part, ToolActivity
from gateway_client.protocol.blocks import ImageBlock, TextBlock, ThinkingBlock, UnknownBlock, WidgetBlock

NOTICE_WORDS = {"error": "Error", "stopped": "Stopped", "info": "Note"}

_MARKUP = re.compile(r"[*_~`]|^[ \t]*(?:#{1,6}|>|[-+]|```\S*)[ \t]|\]\([^)\s]*\)|\[", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outline:
    """The text of one piece."""

    plain: str
    markdown: str = ""
    folded: str = ""
    """What a closed card hides: found, but not copied."""

    @property
    def searchable(self) -> str:
        """All that a search looks at."""
        return f"{self.plain}\n{self.folded}" if self.folded else self.plain


def of_message(message: Message) -> tuple[Outline, ...]:
    """Return the outlines of all pieces of *message*."""
    breaks = message.role == "user"
    return tuple(outline for part in message.parts for outline in of_part(part, breaks=breaks))


def of_part(part: Part, *, breaks: bool = False) -> tuple[Outline, ...]:
    """Return the outlines of the pieces of *part*; a text has one per Markdown block."""
    match part:
        case TextBlock():
            return of_document(markdown.parse(part.text, breaks=breaks))
        case ThinkingBlock():
            return (Outline("Thinking", "", part.text.strip()),) if part.text.strip() else ()
        case ToolActivity():
            title = tool_title(part)
            return (Outline(title, f"*{title}*", tool_details(part)),)
        case Notice():
            text = f"{NOTICE_WORDS[part.kind]}: {part.text}"
            return (Outline(text, f"**{NOTICE_WORDS[part.kind]}:** {part.text}"),)
        case ImageBlock() | WidgetBlock() | UnknownBlock():
            text = part.projection()
            return (Outline(text, text),)
    assert_never(part)


def of_document(document: markdown.Document) -> tuple[Outline, ...]:
    """Return one outline per block of a parsed text."""
    lines = document.text.split("\n")
    outlines = []
    for block in document.blocks:
        source = "\n".join(lines[block.lines[0] : block.lines[1]]).rstrip("\n")
        if isinstance(block, Code) and not block.is_closed:
            source += "\n```"
        outlines.append(Outline(plain_text(block), source))
    return tuple(outlines)


def tool_title(tool: ToolActivity) -> str:
    """Return the line of a tool card: name, state, and how long it took."""
    words = [tool.name or "tool", tool.state]
    if tool.duration_ms is not None:
        words.append(duration_words(tool.duration_ms))
    return " · ".join(words)


def tool_details(tool: ToolActivity) -> str:
    """Return what an open tool card shows: arguments and result, each under its word."""
    arguments = json.dumps(dict(tool.arguments), ensure_ascii=False, indent=2, default=str)
    parts = [f"Arguments\n{arguments}" if tool.arguments else "No arguments"]
    if tool.result_text:
        parts.append(f"Result\n{tool.result_text}")
    elif tool.state == "running":
        parts.append("No result yet")
    return "\n\n".join(parts)


def duration_words(duration_ms: int) -> str:
    """Return a duration as a person says it."""
    if duration_ms < 60_000:
        return f"{duration_ms / 1000:.1f} s"
    minutes, seconds = divmod(round(duration_ms / 1000), 60)
    return f"{minutes} min {seconds} s"


def join_plain(outlines: Iterable[Outline]) -> str:
    """Return the plain text of a whole message."""
    return "\n\n".join(outline.plain for outline in outlines if outline.plain)


def join_markdown(outlines: Iterable[Outline]) -> str:
    """Return the Markdown of a whole message."""
    return "\n\n".join(outline.markdown for outline in outlines if outline.markdown)


def rough_text(message: Message) -> str:
    """Return about what *message* says, without parsing it: for a first count of finds."""
    return "\n".join(_rough_part(part) for part in message.parts)


def _rough_part(part: Part) -> str:
    if isinstance(part, TextBlock):
        return _MARKUP.sub("", part.text)
    return "\n".join(outline.searchable for outline in of_part(part))
