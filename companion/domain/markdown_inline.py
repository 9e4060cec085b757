"""From the tokens of one paragraph to runs of text. Pure.

Addresses that may not be opened leave their words without a link, and pictures
are named, never fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from markdown_it.token import Token

from companion.domain.markdown_blocks import Span, Spans

LINK_SCHEMES = frozenset({"http", "https", "mailto"})

_BARE_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"'`\\^{}|]+")


def safe_link(address: str) -> str:
    """Return *address* if a person may be sent there, else nothing."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if parts.scheme.lower() not in LINK_SCHEMES:
        return ""
    return address if parts.netloc or parts.scheme.lower() == "mailto" else ""


def read_spans(children: list[Token], *, breaks: bool) -> Spans:
    """Read the inline tokens of one paragraph; *breaks* keeps its line ends."""
    reader = _SpanReader("\n" if breaks else " ")
    for token in children:
        reader.read(token)
    return tuple(reader.spans)


class _SpanReader:
    def __init__(self, soft_break: str) -> None:
        self.spans: list[Span] = []
        self._soft_break = soft_break
        self._depth = {"strong": 0, "em": 0, "s": 0}
        self._links: list[str] = []

    def read(self, token: Token) -> None:
        name, _, side = token.type.rpartition("_")
        if name in self._depth:
            self._depth[name] += 1 if side == "open" else -1
            return
        match token.type:
            case "link_open":
                self._links.append(safe_link(str(token.attrs.get("href", ""))))
            case "link_close":
                self._links.pop()
            case "code_inline":
                self._add(token.content, code=True)
            case "softbreak":
                self._add(self._soft_break)
            case "hardbreak":
                self._add("\n")
            case "image":
                self._add(f"[picture: {token.content or 'untitled'}]", link=_source(token))
            case _:
                self._add_text(token.content)

    def _add_text(self, text: str) -> None:
        if self._links:
            self._add(text)
            return
        for piece, link in _with_bare_addresses(text):
            self._add(piece, link=link)

    def _add(self, text: str, *, code: bool = False, link: str = "") -> None:
        span = Span(
            text,
            self._depth["strong"] > 0,
            self._depth["em"] > 0,
            self._depth["s"] > 0,
            code,
            link or (self._links[-1] if self._links else ""),
        )
        if self.spans and _look(self.spans[-1]) == _look(span):
            text = self.spans.pop().text + text
        if text:
            self.spans.append(Span(text, span.bold, span.italic, span.strike, span.code, span.link))


def _look(span: Span) -> tuple[bool, bool, bool, bool, str]:
    return span.bold, span.italic, span.strike, span.code, span.link


def _source(token: Token) -> str:
    return safe_link(str(token.attrs.get("src", "")))


def _with_bare_addresses(text: str) -> Iterator[tuple[str, str]]:
    done = 0
    for match in _BARE_ADDRESS.finditer(text):
        address = match[0].rstrip(".,;:!?*_~]")
        if address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1]
        link = safe_link(address)
        if not link:
            continue
        yield text[done : match.start()], ""
        done = match.start() + len(address)
        yield address, link
    yield text[done:], ""
