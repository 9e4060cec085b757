"""A block of the model's reasoning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ThinkingBlock:
    """Reasoning that a model showed beside its answer."""

    text: str

    @classmethod
    def from_wire(cls, item: Mapping[str, Any]) -> ThinkingBlock | None:
        """Read `{"type": "thinking", "thinking"}`; some gateways name the field `text`."""
        text = item.get("thinking", item.get("text"))
        return cls(text) if isinstance(text, str) else None

    def to_wire(self) -> dict[str, Any]:
        """Return the block as it goes over the wire."""
        return {"type": "thinking", "thinking": self.text}

    def projection(self) -> str:
        """Return nothing: reasoning is no part of the answer."""
        return ""
