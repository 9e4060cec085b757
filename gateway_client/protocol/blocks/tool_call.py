"""A call of a tool, as the assistant's message records it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCallBlock:
    """The half of a tool's use that the model wrote; the result is a message of its own."""

    call_id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_wire(cls, item: Mapping[str, Any]) -> ToolCallBlock | None:
        """Read `{"type": "toolCall", "id", "name", "arguments"}`."""
        call_id, name, arguments = item.get("id"), item.get("name"), item.get("arguments", {})
        if not isinstance(call_id, str) or not isinstance(name, str):
            return None
        return cls(call_id, name, arguments if isinstance(arguments, Mapping) else {})

    def to_wire(self) -> dict[str, Any]:
        """Return the block as it goes over the wire."""
        return {"type": "toolCall", "id": self.call_id, "name": self.name, "arguments": dict(self.arguments)}

    def projection(self) -> str:
        """Return nothing: the call is shown as a card, not as text."""
        return ""
