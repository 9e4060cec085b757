"""What a page says, taken apart into effects. Pure; time comes in as an argument.

Every text comes from the outer document's script, which has checked who spoke,
and is one of

    {"from": "page", "data": <what the page posted>}
    {"from": "prompt", "data": <what came through the port the page offered>}
    {"from": "outer", "note": <name>, …}            what our own script saw

but all of it is judged as if a hostile process had written it. Rules:

1. What is unknown or malformed is dropped and counted. Nothing raises.
2. A page is heard 30 times a second, with a burst of 60; the rest is dropped.
   The outer script keeps the same rate, so that a flood ends in the page's own
   process, and says so when it dropped 2000: then the page is stopped.
3. A prompt is taken once per click or key press of a person, within 5 s of it.
4. At most 3 runtime errors per load.
5. A JSON-RPC request is answered exactly once. A show_widget document may greet
   (`ui/initialize`) and `ping`; everything else is answered "method not found".
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

MAX_MESSAGE_CHARS = 1 << 20
MAX_SNAPSHOT_CHARS = 12 << 20
MAX_DEPTH = 32
MAX_PROMPT_CHARS = 10_000
MAX_ERROR_CHARS = 500
MAX_ERRORS_PER_LOAD = 3
MAX_PER_SECOND = 30
BURST = 60
CLICK_LASTS_S = 5.0
METHOD_NOT_FOUND = -32601
PROTOCOL_VERSION = "2026-01-26"


@dataclass(frozen=True, slots=True)
class SizeReported:
    """The page's content is this tall; not yet clamped."""

    height_px: float


@dataclass(frozen=True, slots=True)
class PromptOffered:
    """A person clicked something that offers a text for the composer."""

    text: str


@dataclass(frozen=True, slots=True)
class RuntimeErrorReported:
    """A script of the page failed."""

    message: str
    source: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class WheelLeft:
    """The rest of a wheel turn that the page did not use, in CSS pixels, down is positive."""

    delta_y_px: int


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """The page's answer to a snapshot request: a PNG as a data address, or what went wrong."""

    request_id: str
    data_url: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class BridgeReady:
    """The document's own bridges are up: it may be told the theme and that it is in a chat."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A text to post to the page."""

    text: str


@dataclass(frozen=True, slots=True)
class Painted:
    """The page has been drawn: its document is loaded and two frames have passed."""


@dataclass(frozen=True, slots=True)
class OuterReady:
    """Our own document runs and made the frame."""


@dataclass(frozen=True, slots=True)
class PageLoaded:
    """The frame holds the page's document."""


@dataclass(frozen=True, slots=True)
class PageLeft:
    """The frame loaded a second time: the page tried to go elsewhere and is gone."""


@dataclass(frozen=True, slots=True)
class PageFloods:
    """The outer script dropped so much that the page has to be stopped."""

    dropped: int


Effect: TypeAlias = (
    SizeReported
    | PromptOffered
    | RuntimeErrorReported
    | WheelLeft
    | SnapshotTaken
    | BridgeReady
    | Reply
    | Painted
    | OuterReady
    | PageLoaded
    | PageLeft
    | PageFloods
)


@dataclass(slots=True)
class _Bucket:
    """A rate with a burst: full at first, one token a message."""

    tokens: float = BURST
    filled_at_s: float = -math.inf

    def take(self, at_s: float) -> bool:
        gained = (at_s - self.filled_at_s) * MAX_PER_SECOND if math.isfinite(self.filled_at_s) else BURST
        self.tokens = min(float(BURST), self.tokens + max(gained, 0.0))
        self.filled_at_s = at_s
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@dataclass(slots=True)
class PageBridge:
    """The host's end of one page's messages.

    Call `start_load` before each load, `person_acted` for each real click or key
    press on the page, and `receive` for each text of the outer script.
    """

    host_context: Mapping[str, Any] = field(default_factory=dict)
    """What a page that greets is told: theme, sizes, language."""
    host_version: str = "0"
    dropped: int = 0
    """Messages that were malformed, unknown, too many or not allowed."""
    _errors: int = 0
    _acted_at_s: float = -math.inf
    _bucket: _Bucket = field(default_factory=_Bucket)

    def start_load(self) -> None:
        """Forget what belonged to the last load."""
        self._errors = 0
        self._acted_at_s = -math.inf

    def person_acted(self, at_s: float) -> None:
        """Note a click or key press of a person on the page."""
        self._acted_at_s = at_s

    def receive(self, text: str, at_s: float) -> tuple[Effect, ...]:
        """Take one text of the outer script and return what follows from it."""
        message = _parse(text)
        effects = () if message is None else self._judge(message, at_s)
        if not effects and not (message is not None and _is_notification(message.get("data"))):
            self.dropped += 1
        return effects

    def _judge(self, message: Mapping[str, Any], at_s: float) -> tuple[Effect, ...]:
        origin, data = message.get("from"), message.get("data")
        if origin == "outer":
            return _note(message)
        if not isinstance(data, dict) or not self._bucket.take(at_s):
            return ()
        if origin == "prompt":
            return self._prompt(data, at_s)
        if origin != "page":
            return ()
        if data.get("jsonrpc") == "2.0":
            return self._rpc(data)
        return self._widget_message(data)

    def _prompt(self, data: Mapping[str, Any], at_s: float) -> tuple[Effect, ...]:
        text = data.get("prompt")
        if data.get("type") != "openclaw:widget-prompt" or not isinstance(text, str):
            return ()
        if not text.strip() or len(text) > MAX_PROMPT_CHARS:
            return ()
        if not 0 <= at_s - self._acted_at_s <= CLICK_LASTS_S:
            return ()
        self._acted_at_s = -math.inf
        return (PromptOffered(_clean(text)),)

    def _widget_message(self, data: Mapping[str, Any]) -> tuple[Effect, ...]:
        kind = data.get("type")
        if kind == "openclaw:widget-runtime-error":
            if self._errors >= MAX_ERRORS_PER_LOAD or not isinstance(data.get("message"), str):
                return ()
            self._errors += 1
        read = _READERS.get(kind) if isinstance(kind, str) else None
        return read(data) if read else ()

    def _rpc(self, data: Mapping[str, Any]) -> tuple[Effect, ...]:
        method, request_id = data.get("method"), data.get("id")
        if not isinstance(method, str):
            return ()
        if "id" not in data:
            params = data.get("params")
            if method == "ui/notifications/size-changed" and isinstance(params, dict):
                return _size(params)
            return ()
        if isinstance(request_id, bool) or not isinstance(request_id, str | int | float):
            return ()
        if method == "ping":
            return (_result(request_id, {}),)
        if method == "ui/initialize":
            return (_result(request_id, self._greeting()),)
        error = {"code": METHOD_NOT_FOUND, "message": f"this page may not call {method[:80]!r}"}
        return (_reply({"jsonrpc": "2.0", "id": request_id, "error": error}),)

    def _greeting(self) -> dict[str, Any]:
        return {
            "protocolVersion": PROTOCOL_VERSION,
            "hostInfo": {"name": "companion", "version": self.host_version},
            "hostCapabilities": {"logging": {}},
            "hostContext": dict(self.host_context),
        }


def _parse(text: str) -> dict[str, Any] | None:
    if len(text) > MAX_SNAPSHOT_CHARS:
        return None
    try:
        message = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or _is_deeper(message, MAX_DEPTH):
        return None
    data = message.get("data")
    is_snapshot = isinstance(data, dict) and data.get("type") == "openclaw:widget-snapshot"
    return message if is_snapshot or len(text) <= MAX_MESSAGE_CHARS else None


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _is_deeper(value: object, depth: int) -> bool:
    layer: list[object] = [value]
    for _ in range(depth + 1):
        layer = [child for parent in layer for child in _children(parent)]
        if not layer:
            return False
    return True


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _is_notification(data: object) -> bool:
    """Say whether *data* is a JSON-RPC notification: ignoring one that we do not know is no fault."""
    return isinstance(data, dict) and data.get("jsonrpc") == "2.0" and "id" not in data and "method" in data


def _clean(text: str) -> str:
    """Return *text* without halves of characters, which no encoder takes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _count(value: object) -> int:
    number = _number(value)
    return int(number) if number is not None and 0 <= number < 1 << 31 else 0


def _size(data: Mapping[str, Any]) -> tuple[Effect, ...]:
    height = _number(data.get("height"))
    return () if height is None or height < 0 else (SizeReported(height),)


def _wheel(data: Mapping[str, Any]) -> tuple[Effect, ...]:
    delta = _number(data.get("deltaY"))
    return () if delta is None else (WheelLeft(round(min(max(delta, -5000.0), 5000.0))),)


def _runtime_error(data: Mapping[str, Any]) -> tuple[Effect, ...]:
    message, source = data.get("message"), data.get("source")
    if not isinstance(message, str):
        return ()
    where = _clean(source[:MAX_ERROR_CHARS]) if isinstance(source, str) else ""
    line, column = _count(data.get("line")), _count(data.get("column"))
    return (RuntimeErrorReported(_clean(message[:MAX_ERROR_CHARS]), where, line, column),)


def _snapshot(data: Mapping[str, Any]) -> tuple[Effect, ...]:
    request_id, data_url, error = data.get("id"), data.get("dataUrl"), data.get("error")
    if not isinstance(request_id, str) or len(request_id) > 200:
        return ()
    if isinstance(data_url, str) and data_url.startswith("data:image/png;base64,"):
        return (SnapshotTaken(_clean(request_id), data_url=_clean(data_url)),)
    if isinstance(error, str):
        return (SnapshotTaken(_clean(request_id), error=_clean(error[:MAX_ERROR_CHARS])),)
    return ()


_READERS: dict[str, Callable[[Mapping[str, Any]], tuple[Effect, ...]]] = {
    "openclaw:widget-size": _size,
    "openclaw:widget-scroll": _wheel,
    "openclaw:widget-runtime-error": _runtime_error,
    "openclaw:widget-snapshot": _snapshot,
    "openclaw:widget-bridge-ready": lambda _: (BridgeReady(),),
}

_NOTES: dict[str, Callable[[Mapping[str, Any]], tuple[Effect, ...]]] = {
    "ready": lambda _: (OuterReady(),),
    "loaded": lambda _: (PageLoaded(),),
    "painted": lambda _: (Painted(),),
    "left": lambda _: (PageLeft(),),
    "floods": lambda note: (PageFloods(_count(note.get("dropped"))),),
}


def _note(message: Mapping[str, Any]) -> tuple[Effect, ...]:
    name = message.get("note")
    read = _NOTES.get(name) if isinstance(name, str) else None
    return read(message) if read else ()


def _result(request_id: str | float, result: Mapping[str, Any]) -> Reply:
    return _reply({"jsonrpc": "2.0", "id": request_id, "result": dict(result)})


def _reply(message: Mapping[str, Any]) -> Reply:
    return Reply(json.dumps(message))


def theme_message(tokens: Mapping[str, str]) -> str:
    """Return the text that tells a page the theme, ready to be posted."""
    return json.dumps({"type": "openclaw:widget-theme", "tokens": dict(tokens)})


def chat_host_message() -> str:
    """Return the text that tells a page it stands in a chat, ready to be posted."""
    return json.dumps({"type": "openclaw:widget-chat-host"})


def snapshot_request(request_id: str) -> str:
    """Return the text that asks a page for a picture of itself, ready to be posted."""
    return json.dumps({"type": "openclaw:widget-snapshot-request", "id": request_id})
