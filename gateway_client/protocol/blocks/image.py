"""A picture in a message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """A picture with its bytes; the client never fetches one by an address."""

    data: str
    """The bytes in base64."""
    mime_type: str

    @classmethod
    def from_wire(cls, item: Mapping[str, Any]) -> ImageBlock | None:
        """Read `{"type": "image", "data", "mimeType"}`."""
        data, mime_type = item.get("data"), item.get("mimeType")
        if not isinstance(data, str) or not isinstance(mime_type, str):
            return None
        return cls(data, mime_type)

    def to_wire(self) -> dict[str, Any]:
        """Return the block as it goes over the wire."""
        return {"type": "image", "data": self.data, "mimeType": self.mime_type}

    def projection(self) -> str:
        """Name the kind of picture."""
        return f"[picture, {self.mime_type}]"
