"""A hosted widget in a message: the handle of a document, never the document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class WidgetBlock:
    """A page that the gateway hosts and the client draws in its sandbox.

    The wire calls the block `canvas`. The address and the id are what the peer
    wrote; `handles.check` says whether they may be followed.
    """

    view_id: str
    url: str
    title: str = ""
    kind: str = "canvas"
    render: str = "url"
    sandbox: str = "scripts"
    preferred_height_px: int | None = None
    raw_text: str | None = field(default=None, compare=False)
    """The tool's own words; history carries them, events do not, so they do not count as a change."""

    @classmethod
    def from_wire(cls, item: Mapping[str, Any]) -> WidgetBlock | None:
        """Read `{"type": "canvas", "preview": {...}, "rawText"}`."""
        preview, raw_text = item.get("preview"), item.get("rawText")
        if not isinstance(preview, Mapping):
            return None
        height = preview.get("preferredHeight")
        return cls(
            view_id=str(preview.get("viewId") or ""),
            url=str(preview.get("url") or ""),
            title=str(preview.get("title") or ""),
            kind=str(preview.get("kind") or ""),
            render=str(preview.get("render") or ""),
            sandbox=str(preview.get("sandbox") or "scripts"),
            preferred_height_px=height if isinstance(height, int) and not isinstance(height, bool) else None,
            raw_text=raw_text if isinstance(raw_text, str) else None,
        )

    def to_wire(self) -> dict[str, Any]:
        """Return the block as it goes over the wire."""
        preview: dict[str, Any] = {
            "kind": self.kind,
            "surface": "assistant_message",
            "render": self.render,
            "url": self.url,
            "viewId": self.view_id,
            "title": self.title,
            "sandbox": self.sandbox,
        }
        if self.preferred_height_px is not None:
            preview["preferredHeight"] = self.preferred_height_px
        return {"type": "canvas", "preview": preview, "rawText": self.raw_text}

    def projection(self) -> str:
        """Name the widget."""
        return f"[widget: {self.title or 'untitled'}]"
