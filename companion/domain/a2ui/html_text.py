"""The words of a page, for snapshots. Pure."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final

_SILENT: Final = frozenset(("script", "style", "template", "title", "noscript"))


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(0, self._silent - (tag in _SILENT))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found += data.split()


def words(page: str) -> str:
    """Return the text that a page shows, words apart by one space."""
    reader = _Words()
    reader.feed(page)
    reader.close()
    return " ".join(reader.found)
