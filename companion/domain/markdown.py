"""Markdown text to blocks, again and again while it grows. Pure.

Rules of the incremental parse:

1. A block before the last *settled* one cannot change when text is appended. A
   block is settled when its first two lines are complete: one unfinished line may
   still join the block above (`#` before `#x`), and a table shows itself in its
   second line.
2. So an appended text is parsed from the last settled block on, and blocks that
   come out equal are handed back as the same objects.
3. Reference definitions act on what stands before them; a text that has any is
   parsed in full.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt

from companion.domain.markdown_blocks import Block
from companion.domain.markdown_tokens import TokenReader

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed text with what the next parse needs."""

    text: str
    """The source, with line feeds only."""
    blocks: tuple[Block, ...]
    breaks: bool = False
    has_references: bool = False

    def source(self, block: Block) -> str:
        """Return the Markdown that a top-level *block* was read from."""
        first, end = block.lines
        return "\n".join(self.text.split("\n")[first:end]).rstrip("\n")


def parse(text: str, previous: Document | None = None, *, breaks: bool = False) -> Document:
    """Read *text* as blocks; the same blocks as without *previous*, only sooner.

    Args:
        text: The whole source, not only what was added.
        previous: What an earlier, shorter state of the text was parsed to.
        breaks: Whether a line end inside a paragraph stays one, as in what people type.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if previous is None or previous.breaks != breaks or not text.startswith(previous.text):
        return _parse_all(text, breaks)
    if text == previous.text:
        return previous
    if previous.has_references or not previous.blocks:
        return _reusing(_parse_all(text, breaks), previous)
    kept = _settled(previous)
    first_line = previous.blocks[kept].lines[0]
    tail = text.split("\n", first_line)[-1] if first_line else text
    blocks, has_references = _read(tail, first_line, breaks)
    if has_references:
        return _reusing(_parse_all(text, breaks), previous)
    return _reusing(Document(text, previous.blocks[:kept] + blocks, breaks), previous)


def _parse_all(text: str, breaks: bool) -> Document:
    blocks, has_references = _read(text, 0, breaks)
    return Document(text, blocks, breaks, has_references)


def _read(text: str, first_line: int, breaks: bool) -> tuple[tuple[Block, ...], bool]:
    env: dict[str, Any] = {}
    tokens = _PARSER.parse(text, env)
    blocks = TokenReader(tokens, first_line=first_line, breaks=breaks).read_blocks()
    return blocks, bool(env.get("references"))


def _settled(document: Document) -> int:
    complete_lines = document.text.count("\n")
    index = len(document.blocks) - 1
    while index > 0 and document.blocks[index].lines[0] + 2 > complete_lines:
        index -= 1
    return index


def _reusing(document: Document, previous: Document) -> Document:
    shared = 0
    for new, old in zip(document.blocks, previous.blocks, strict=False):
        if new is not old and new != old:
            break
        shared += 1
    blocks = previous.blocks[:shared] + document.blocks[shared:]
    return Document(document.text, blocks, document.breaks, document.has_references)
