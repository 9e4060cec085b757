"""Which texts agents may write, and how their texts are shown."""

from __future__ import annotations

import re
import unicodedata

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_FILLERS = frozenset("\u115f\u1160\u3164\u2800")
_KEPT_FORMATS = frozenset("\u200c\u200d\u200e\u200f")
_SPACES = re.compile(r"\s+")


def forbidden(text: str) -> str | None:
    """Return the first character that no text may hold: a control or a surrogate."""
    found = _FORBIDDEN.search(text)
    return found.group() if found else None


def is_blank(text: str) -> bool:
    """Say whether nothing of *text* can be seen."""
    return all(
        character.isspace() or character in _FILLERS or unicodedata.category(character) == "Cf"
        for character in text
    )


def shown(text: str) -> str:
    """Return an agent's text as it is shown: one line, without characters that turn the direction."""
    if text.isascii():
        return " ".join(text.split())
    kept = "".join(
        character
        for character in text
        if character in _KEPT_FORMATS or unicodedata.category(character) != "Cf"
    )
    return _SPACES.sub(" ", kept).strip()


def quoted(text: str, limit: int = 40) -> str:
    """Return a text in quotes for a message, cut after *limit* characters."""
    cut = text if len(text) <= limit else f"{text[:limit]}…"
    return '"' + "".join(character if character.isprintable() else "�" for character in cut) + '"'
