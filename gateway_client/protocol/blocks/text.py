"""A block of Markdown text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Markdown as the agent or the person wrote it."""

    text: str

    @classmethod
    def from_wire(cls, item: Mapping[str, Any]) -> TextBlock | None:
        """Read `{"type": "text", "text"}`."""
        text = item.get("text")
        return cls(text) if isinstance(text, str) else None

    def to_wire(self) -> dict[str, Any]:
        """Return the block as it goes over the wire."""
        return {"type": "text", "text": self.text}

    def projection(self) -> str:
        """Return the text itself."""
        return self.text
