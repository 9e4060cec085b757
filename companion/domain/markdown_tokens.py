"""From a Markdown parser's tokens to blocks. Pure.

Markup of other languages inside the text stays text: the parser is told not to
know HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from markdown_it.token import Token

from companion.domain.markdown_blocks import (
    Align,
    Block,
    Code,
    Heading,
    Item,
    Items,
    Lines,
    Paragraph,
    Quote,
    Rule,
    Span,
    Spans,
    Table,
)
from companion.domain.markdown_inline import read_spans

BULLET, UNCHECKED, CHECKED = "•", "☐", "☑"

_TASK = re.compile(r"\[([ xX])\](?:\s+|$)")


class TokenReader:
    """Reads a flat run of tokens once, from front to back."""

    def __init__(self, tokens: list[Token], *, first_line: int, breaks: bool) -> None:
        self._tokens = tokens
        self._next = 0
        self._first_line = first_line
        self._breaks = breaks

    def read_blocks(self, until: str = "") -> tuple[Block, ...]:
        """Read blocks up to the token type *until*, which is taken too, or to the end."""
        return tuple(self._blocks(until))

    def _blocks(self, until: str) -> Iterator[Block]:
        while self._next < len(self._tokens):
            token = self._take()
            if token.type == until:
                return
            block = self._block(token)
            if block is not None:
                yield block

    def _take(self) -> Token:
        token = self._tokens[self._next]
        self._next += 1
        return token

    def _lines(self, token: Token) -> Lines:
        first, end = token.map or (0, 0)
        return first + self._first_line, end + self._first_line

    def _block(self, token: Token) -> Block | None:
        lines = self._lines(token)
        match token.type:
            case "paragraph_open":
                return Paragraph(self._inline("paragraph_close"), lines)
            case "heading_open":
                return Heading(int(token.tag[1:]), self._inline("heading_close"), lines)
            case "fence" | "code_block":
                return self._code(token, lines)
            case "hr":
                return Rule(lines)
            case "blockquote_open":
                return Quote(self.read_blocks("blockquote_close"), lines)
            case "bullet_list_open" | "ordered_list_open":
                return self._list(token, lines)
            case "table_open":
                return self._table(lines)
        return None

    def _inline(self, close: str) -> Spans:
        spans: Spans = ()
        while (token := self._take()).type != close:
            spans = read_spans(token.children or [], breaks=self._breaks)
        return spans

    def _code(self, token: Token, lines: Lines) -> Code:
        words = token.info.split()
        content_lines = token.content.count("\n")
        is_closed = token.type == "code_block" or lines[1] - lines[0] >= content_lines + 2
        language = words[0].lower() if words else ""
        return Code(language, token.content.removesuffix("\n"), lines, is_closed)

    def _list(self, token: Token, lines: Lines) -> Items:
        is_ordered = token.type == "ordered_list_open"
        number = int(token.attrs.get("start", 1))
        close = token.type.replace("open", "close")
        items = []
        while self._take().type != close:
            blocks = self.read_blocks("list_item_close")
            marker = f"{number}." if is_ordered else BULLET
            items.append(_as_task(Item(marker, blocks)))
            number += 1
        return Items(tuple(items), lines)

    def _table(self, lines: Lines) -> Table:
        rows: list[tuple[Spans, ...]] = []
        aligns: list[Align] = []
        cells: list[Spans] = []
        while (token := self._take()).type != "table_close":
            if token.type == "th_open":
                aligns.append(_align(token))
            elif token.type == "inline":
                cells.append(read_spans(token.children or [], breaks=self._breaks))
            elif token.type == "tr_close":
                rows.append(tuple(cells))
                cells = []
        return Table(rows[0], tuple(rows[1:]), tuple(aligns), lines)


def _align(token: Token) -> Align:
    style = str(token.attrs.get("style", ""))
    word = style.removeprefix("text-align:")
    # The three words are the only ones the parser writes.
    return cast(Align, word if word in ("left", "center", "right") else "")


def _as_task(item: Item) -> Item:
    first = item.blocks[0] if item.blocks else None
    if not isinstance(first, Paragraph) or not first.spans:
        return item
    span = first.spans[0]
    task = None if span.code or span.link else _TASK.match(span.text)
    if task is None:
        return item
    checked = task[1] != " "
    rest = Span(span.text[task.end() :], span.bold, span.italic, span.strike)
    paragraph = Paragraph((*((rest,) if rest.text else ()), *first.spans[1:]), first.lines)
    return Item(CHECKED if checked else UNCHECKED, (paragraph, *item.blocks[1:]), checked)
