"""How the answer of a client to a command is judged. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.domain.a2ui import strict_json
from companion.domain.a2ui.policy import CanvasPolicy
from companion.domain.a2ui.refusal import A2uiError
from gateway_client.protocol.canvas import MAX_ERROR_CHARS, SNAPSHOT_RESULT, SYNC_RESULT, reply_for


@dataclass(frozen=True, slots=True)
class Result:
    """What a completed command gave back; the texts hold JSON."""

    request_id: str
    snapshot_json: str | None = None
    value_json: str | None = None
    data_model_json: str | None = None

    @property
    def data(self) -> str | None:
        """What a tool answers with, if the client sent data."""
        found = (self.snapshot_json, self.value_json, self.data_model_json)
        return next((one for one in found if one is not None), None)


def judge(command: Mapping[str, Any], reply: Mapping[str, Any], policy: CanvasPolicy) -> Result:
    """Return what a reply to *command* gives.

    Raises:
        A2uiError: With the category of what is wrong.
    """
    session = _text(reply, "sessionId")
    if session and session != command.get("sessionId"):
        raise A2uiError("session_mismatch", "the client answered for another conversation.")
    _check_success(reply)
    expected = reply_for(str(command["type"]))
    if reply.get("type") != expected:
        raise A2uiError("unexpected_reply", f"the client answered with another type than {expected}.")
    result = Result(
        str(command["requestId"]),
        _text(reply, "snapshotJson"),
        _text(reply, "valueJson"),
        _text(reply, "dataModelJson"),
    )
    _check_sizes(result, policy)
    _check_content(expected, result)
    return result


def _text(reply: Mapping[str, Any], name: str) -> str | None:
    value = reply.get(name)
    return value if isinstance(value, str) else None


def _check_success(reply: Mapping[str, Any]) -> None:
    reason = (_text(reply, "error") or "").strip()
    if reply.get("success") is False or reason or reply.get("type") == "a2ui_error":
        general = "the client could not do it and gave no reason."
        raise A2uiError("client_failed", reason[:MAX_ERROR_CHARS] or general)


def _check_sizes(result: Result, policy: CanvasPolicy) -> None:
    bound = max(1, policy.max_snapshot_bytes)
    if strict_json.size(result.snapshot_json or "") > bound:
        raise A2uiError(
            "snapshot_too_large", f"the snapshot is larger than {bound} bytes; show less at once."
        )
    if max(strict_json.size(one or "") for one in (result.value_json, result.data_model_json)) > bound:
        raise A2uiError(
            "result_too_large", f"the answer is larger than {bound} bytes; ask for one component."
        )


def _check_content(expected: str, result: Result) -> None:
    if expected not in (SNAPSHOT_RESULT, SYNC_RESULT):
        return
    given = result.snapshot_json if expected == SNAPSHOT_RESULT else result.data
    try:
        strict_json.parse(given or "")
    except (ValueError, RecursionError):
        raise A2uiError("invalid_result", "the client answered with something that is no JSON.") from None
