"""Every Canvas of one connection: commands in, replies out, and what a person does as events. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.domain.a2ui import strict_json
from companion.domain.a2ui.canvas import Canvas, text_of_field
from companion.domain.a2ui.nodes import INPUT_KINDS, Node
from companion.domain.a2ui.surface import Surface
from gateway_client.protocol.canvas import USER_ACTION, USER_EVENT, Envelope

MAX_EVENT_MODEL_BYTES: Final = 64 * 1024


class Canvases:
    """The Canvas of each conversation. Surfaces belong to the session of the envelope that made them.

    Args:
        shows_html: Whether there is a sandbox for local HTML.
    """

    def __init__(self, *, shows_html: bool = False) -> None:
        self._shows_html = shows_html
        self._canvases: dict[str, Canvas] = {}
        self._sequence = 0

    def canvas(self, session_id: str) -> Canvas:
        """Return the Canvas of a conversation, which is made if it is new."""
        return self._canvases.setdefault(session_id, Canvas(shows_html=self._shows_html))

    def apply(self, envelope: Mapping[str, Any]) -> Envelope:
        """Apply a command to the conversation that it names and return the reply."""
        return self.canvas(text_of_field(envelope, "sessionId") or "").apply(envelope)

    def reconnected(self) -> None:
        """The connection is a new one: surfaces stay, the count of events begins again."""
        self._sequence = 0
        for canvas in self._canvases.values():
            canvas.mark_earlier()

    def click(self, session_id: str, surface_id: str, component_id: str) -> Envelope | None:
        """A person pressed a button; returns the event, or None if it is off or hidden."""
        surface, node = self._reachable(session_id, surface_id, component_id)
        if surface is None or node is None or node.kind != "button":
            return None
        return self._event(session_id, surface, node, "click", True)

    def commit(self, session_id: str, surface_id: str, component_id: str, value: Any) -> Envelope | None:
        """A person gave an input a value, once and for all; returns the event, or None if nothing changed."""
        surface, node = self._reachable(session_id, surface_id, component_id)
        if surface is None or node is None or node.kind not in INPUT_KINDS:
            return None
        if node.has_value and strict_json.same(node.value, value):
            return None
        changed = surface.edited(node, value)
        self.canvas(session_id).replace(changed)
        return self._event(session_id, changed, node, "change", value)

    def toggle(self, session_id: str, surface_id: str, component_id: str, option: Any) -> Envelope | None:
        """A person ticked or unticked an entry of a list; returns the event with all that are ticked now."""
        _surface, node = self._reachable(session_id, surface_id, component_id)
        if node is None or node.kind != "check_group":
            return None
        chosen = [
            one.value
            for one in node.options
            if any(strict_json.same(one.value, each) for each in node.value)
            != strict_json.same(one.value, option)
        ]
        return self.commit(session_id, surface_id, component_id, chosen)

    def _reachable(
        self, session_id: str, surface_id: str, component_id: str
    ) -> tuple[Surface | None, Node | None]:
        surface = self.canvas(session_id).surface(surface_id)
        path = () if surface is None else surface.picture.path_to(component_id)
        if not path or not path[-1].is_enabled or not all(node.is_visible for node in path):
            return surface, None
        return surface, path[-1]

    def _event(self, session_id: str, surface: Surface, node: Node, name: str, value: Any) -> Envelope:
        self._sequence += 1
        about = {"sessionId": session_id, "surfaceId": surface.id, "componentId": node.id}
        said = {"valueJson": strict_json.dump(value), "sequence": self._sequence}
        if surface.protocol == "v0_8":
            return {"type": USER_EVENT, **about, "event": name, **said}
        event: Envelope = {"type": USER_ACTION, "operation": "action", **about, "action": name, **said}
        if surface.model is not None:
            model = strict_json.dump(surface.model)
            if strict_json.size(model) <= MAX_EVENT_MODEL_BYTES:
                event["dataModelJson"] = model
        return event
