"""The envelopes of a Canvas: what each command needs of a client and which reply it waits for. Pure.

An envelope is one JSON object with `type`. It travels as the payload of the
event `canvas`, and back as the params of the method `canvas.reply`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, TypeAlias

from pydantic import Field

from gateway_client.protocol.wire_model import WireModel

Envelope: TypeAlias = dict[str, Any]

EVENT: Final = "canvas"
REPLY_METHOD: Final = "canvas.reply"

PRESENT: Final = "canvas.present"
HIDE: Final = "canvas.hide"
LOCAL_HTML: Final = "canvas.local_html"
SNAPSHOT: Final = "snapshot.state"
A2UI_V08: Final = "a2ui.v0_8"
A2UI_V09: Final = "a2ui.v0_9"
A2UI_EVAL: Final = "a2ui.eval"

READY: Final = "canvas_ready"
ACK: Final = "canvas_ack"
SNAPSHOT_RESULT: Final = "canvas_snapshot_result"
EVAL_RESULT: Final = "canvas_eval_result"
SYNC_RESULT: Final = "a2ui_sync_result"
ERROR: Final = "a2ui_error"
REPLIES: Final = frozenset((ACK, SNAPSHOT_RESULT, EVAL_RESULT, SYNC_RESULT, ERROR))

USER_EVENT: Final = "a2ui_event"
USER_ACTION: Final = "a2ui_action"
USER_TYPES: Final = frozenset((USER_EVENT, USER_ACTION))

MAX_ERROR_CHARS: Final = 2000

CAPABILITIES: Final[Mapping[str, str]] = {
    "canvas_present": PRESENT,
    "canvas_hide": HIDE,
    "canvas_navigate": PRESENT,
    "canvas_snapshot": SNAPSHOT,
    "a2ui_push": A2UI_V08,
    "a2ui_reset": A2UI_V08,
    "a2ui_eval": A2UI_EVAL,
    "a2ui_create_surface": A2UI_V09,
    "a2ui_update_components": A2UI_V09,
    "a2ui_update_data_model": A2UI_V09,
    "a2ui_delete_surface": A2UI_V09,
    "a2ui_sync_ui_to_data": A2UI_V09,
}
"""Every command with the capability that a client must have for it."""

ALL_CAPABILITIES: Final = frozenset((*CAPABILITIES.values(), LOCAL_HTML))

_OTHER_REPLIES: Final[Mapping[str, str]] = {
    "canvas_snapshot": SNAPSHOT_RESULT,
    "a2ui_eval": EVAL_RESULT,
    "a2ui_sync_ui_to_data": SYNC_RESULT,
}


def capability_for(command: Mapping[str, Any]) -> str:
    """Return the capability that a command needs; local HTML needs its own."""
    kind = str(command["type"])
    page = command.get("html")
    if kind == "canvas_navigate" and isinstance(page, str) and page.strip():
        return LOCAL_HTML
    return CAPABILITIES[kind]


def reply_for(kind: str) -> str:
    """Return the type of the reply that a command of type *kind* waits for."""
    return _OTHER_REPLIES.get(kind, ACK)


def serialise(envelope: Mapping[str, Any]) -> str:
    """Return an envelope as it goes over the wire: compact, in UTF-8, fields that say nothing left out."""
    said = {name: value for name, value in envelope.items() if value is not None}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def declared(names: Iterable[str]) -> frozenset[str]:
    """Return the capabilities of a Canvas among *names*, as they are spelled here; case does not count."""
    wanted = {name.strip().casefold() for name in names}
    return frozenset(one for one in ALL_CAPABILITIES if one.casefold() in wanted)


class ReplyParams(WireModel):
    """The params of `canvas.reply`: an envelope of a client, whatever it carries."""

    type: Annotated[str, Field(min_length=1, max_length=100)]

    model_config = {**WireModel.model_config, "extra": "allow"}

    def envelope(self) -> Envelope:
        """Return the envelope as it was sent."""
        return {"type": self.type, **(self.model_extra or {})}
