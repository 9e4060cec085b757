"""From what a person did on a surface to a turn of the conversation. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.domain.a2ui import strict_json
from companion.domain.a2ui.commands import MAIN
from gateway_client.protocol.canvas import USER_ACTION, USER_TYPES


@dataclass(frozen=True, slots=True)
class SurfaceTurn:
    """What a person did. `text` is what the agent reads; the rest says the same as fields."""

    type: str
    surface_id: str
    component_id: str
    name: str
    value: Any
    sequence: int
    text: str

    def fields(self) -> dict[str, Any]:
        """Return the fields that the message keeps beside its text."""
        return {
            "type": self.type,
            "surfaceId": self.surface_id,
            "componentId": self.component_id,
            "name": self.name,
            "value": self.value,
            "sequence": self.sequence,
        }


def turn(envelope: Mapping[str, Any]) -> SurfaceTurn | None:
    """Return the turn of an envelope, or None if it is no act of a person."""
    kind = envelope.get("type")
    if kind not in USER_TYPES:
        return None
    word = "action" if kind == USER_ACTION else "event"
    surface_id, component_id, name = (
        _text(envelope, "surfaceId") or MAIN,
        _text(envelope, "componentId"),
        _text(envelope, word),
    )
    value, value_text = _json(envelope.get("valueJson"))
    sequence = envelope.get("sequence")
    number = sequence if type(sequence) is int else 0
    lines = [
        ("type", json.dumps(kind)),
        ("surfaceId", _quoted(surface_id)),
        ("componentId", _quoted(component_id)),
        (word, _quoted(name)),
        ("value", value_text),
        *([("dataModel", _json(envelope.get("dataModelJson"))[1])] if kind == USER_ACTION else []),
        ("sequence", str(number)),
    ]
    inner = ",\n".join(f'  "{key}": {text}' for key, text in lines)
    text = "{\n" + inner + "\n}"
    return SurfaceTurn(str(kind), surface_id, component_id, name, value, number, text)


def _text(envelope: Mapping[str, Any], name: str) -> str:
    value = envelope.get(name)
    return value if isinstance(value, str) and value.strip() else ""


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json(raw: object) -> tuple[Any, str]:
    """Return a value and its text as it was written; what is no JSON is a text."""
    if not isinstance(raw, str) or not raw.strip():
        return None, "null"
    try:
        return strict_json.parse(raw), raw.strip()
    except (ValueError, RecursionError):
        return raw, _quoted(raw)
