"""Markdown as values: blocks that hold runs of text. Pure.

`plain_text` is what a block says without its looks: what is found, read aloud
and copied. The drawn documents hold the same text, apart from the marks
between the cells of a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Lines: TypeAlias = tuple[int, int]
"""First line and the line after the last, counted from zero in the source."""

Align: TypeAlias = Literal["", "left", "center", "right"]


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text with one look. A line feed is a break within the paragraph."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    link: str = ""
    """An address that may be opened (http, https, mailto), or nothing."""


Spans: TypeAlias = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    spans: Spans
    lines: Lines


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 6."""

    level: int
    spans: Spans
    lines: Lines


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code with the language it names, lower case."""

    language: str
    text: str
    lines: Lines
    is_closed: bool = True
    """False while the closing fence has not been written."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""

    lines: Lines


@dataclass(frozen=True, slots=True)
class Table:
    """A table: every row has as many cells as the header."""

    header: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    aligns: tuple[Align, ...]
    lines: Lines


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list; *checked* is None where it is no task."""

    marker: str
    blocks: tuple[Block, ...]
    checked: bool | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """A list, numbered or not: the markers say which."""

    items: tuple[Item, ...]
    lines: Lines


@dataclass(frozen=True, slots=True)
class Quote:
    """Quoted blocks."""

    blocks: tuple[Block, ...]
    lines: Lines


Block: TypeAlias = Paragraph | Heading | Code | Rule | Table | Items | Quote


def spans_text(spans: Spans) -> str:
    """Return the text of *spans* without looks."""
    return "".join(span.text for span in spans)


def plain_text(block: Block) -> str:
    """Return what *block* says, without its looks; lines are joined by line feeds."""
    match block:
        case Paragraph() | Heading():
            return spans_text(block.spans)
        case Code():
            return block.text
        case Rule():
            return ""
        case Table():
            return "\n".join("\t".join(map(spans_text, row)) for row in (block.header, *block.rows))
        case Items():
            return "\n".join(_item_text(item) for item in block.items)
        case Quote():
            return "\n".join(map(plain_text, block.blocks))


def _item_text(item: Item) -> str:
    inner = "\n".join(map(plain_text, item.blocks))
    return f"{item.marker} {inner}".rstrip()
