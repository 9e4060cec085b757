"""A block of a type that this version does not know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class UnknownBlock:
    """What is left of a block that cannot be read: its type and its text."""

    type_name: str
    text: str = ""

    @classmethod
    def from_wire(cls, item: Mapping[str, Any]) -> UnknownBlock:
        """Keep the type and the first text that the block carries."""
        texts = (item.get(key) for key in ("text", "rawText", "title", "alt"))
        text = next((text for text in texts if isinstance(text, str) and text), "")
        return cls(str(item.get("type") or "untyped"), text)

    def to_wire(self) -> dict[str, Any]:
        """Return what is left of the block."""
        return {"type": self.type_name, "text": self.text}

    def projection(self) -> str:
        """Return the block's text, or say what it was."""
        return self.text or f"[a block of type {self.type_name!r}, which this version cannot show]"
