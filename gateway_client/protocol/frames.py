"""The three frames of the wire and their JSON. One frame is one text message.

Decoding is strict about what a frame is and lenient about what it carries:
unknown fields are ignored, because peers of other versions may send them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gateway_client.errors import ProtocolError

PROTOCOL_VERSION = 4


@dataclass(frozen=True, slots=True)
class Request:
    """A call of a method; the other end answers it once."""

    id: str
    method: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WireError:
    """What a failed response says."""

    code: str
    message: str
    details: Mapping[str, Any] | None = None
    retryable: bool | None = None
    retry_after_ms: int | None = None

    def to_wire(self) -> dict[str, Any]:
        """Return the error as it goes over the wire, without what is not said."""
        wire: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.details is not None:
            wire["details"] = dict(self.details)
        if self.retryable is not None:
            wire["retryable"] = self.retryable
        if self.retry_after_ms is not None:
            wire["retryAfterMs"] = self.retry_after_ms
        return wire

    @classmethod
    def from_wire(cls, item: object) -> WireError:
        """Read an error; a peer that says nothing useful still gives one."""
        if not isinstance(item, Mapping):
            return cls("UNKNOWN", "the gateway gave no reason")
        details, retryable, retry_after = item.get("details"), item.get("retryable"), item.get("retryAfterMs")
        return cls(
            code=str(item.get("code") or "UNKNOWN"),
            message=str(item.get("message") or "the gateway gave no reason"),
            details=details if isinstance(details, Mapping) else None,
            retryable=retryable if isinstance(retryable, bool) else None,
            retry_after_ms=retry_after if isinstance(retry_after, int) else None,
        )


@dataclass(frozen=True, slots=True)
class Response:
    """The answer to a request: a payload, or an error."""

    id: str
    payload: Any = None
    error: WireError | None = None

    @property
    def is_ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None


@dataclass(frozen=True, slots=True)
class Event:
    """Something the gateway tells without being asked.

    `seq` counts up for each connection; some events carry none.
    """

    name: str
    payload: Any = None
    seq: int | None = None


Frame: TypeAlias = Request | Response | Event


def encode(frame: Frame) -> str:
    """Return the JSON text of *frame*; it can always be encoded as UTF-8."""
    text = _dump(frame, ascii_only=False)
    # Half a surrogate pair has no UTF-8, but JSON can name it.
    return text if _is_encodable(text) else _dump(frame, ascii_only=True)


def _dump(frame: Frame, *, ascii_only: bool) -> str:
    return json.dumps(_to_wire(frame), ensure_ascii=ascii_only, separators=(",", ":"), allow_nan=False)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _to_wire(frame: Frame) -> dict[str, Any]:
    match frame:
        case Request():
            return {"type": "req", "id": frame.id, "method": frame.method, "params": dict(frame.params)}
        case Response(error=None):
            return {"type": "res", "id": frame.id, "ok": True, "payload": frame.payload}
        case Response(error=WireError() as error):
            return {"type": "res", "id": frame.id, "ok": False, "error": error.to_wire()}
        case Event():
            wire: dict[str, Any] = {"type": "event", "event": frame.name, "payload": frame.payload}
            if frame.seq is not None:
                wire["seq"] = frame.seq
            return wire
    raise AssertionError(f"not a frame: {frame!r}")


def decode(text: str) -> Frame:
    """Read one frame.

    Raises:
        ProtocolError: If the text is not JSON, or not one of the three frames.
            The message says what is wrong and never repeats the text.
    """
    try:
        item = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise ProtocolError("the message is not JSON") from None
    if not isinstance(item, dict):
        raise ProtocolError("the message is not a JSON object")
    match item.get("type"):
        case "req":
            return _decode_request(item)
        case "res":
            return _decode_response(item)
        case "event":
            return _decode_event(item)
    raise ProtocolError("the message is not a request, a response or an event")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value:
        raise ProtocolError(f"the frame has no {key!r}")
    return value


def _decode_request(item: Mapping[str, Any]) -> Request:
    params = item.get("params")
    if params is None:
        params = {}
    if not isinstance(params, Mapping):
        raise ProtocolError("the params of a request must be an object")
    return Request(_text(item, "id"), _text(item, "method"), params)


def _decode_response(item: Mapping[str, Any]) -> Response:
    if item.get("ok") is True:
        return Response(_text(item, "id"), item.get("payload"))
    return Response(_text(item, "id"), error=WireError.from_wire(item.get("error")))


def _decode_event(item: Mapping[str, Any]) -> Event:
    seq = item.get("seq")
    whole = isinstance(seq, int) and not isinstance(seq, bool)
    return Event(_text(item, "event"), item.get("payload"), seq if whole else None)
