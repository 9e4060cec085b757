"""One short handler for each method: read the params, call the gateway, answer.

This is the boundary where what went wrong becomes an error frame.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion import __version__
from companion.domain.a2ui.turns import SurfaceTurn, turn
from companion.gateway import messages
from companion.gateway.broker import Target
from companion.gateway.gateway import Gateway, now_ms
from companion.gateway.runs.loop import Order
from companion.gateway.runs.manager import KeyReused, NotTaking
from companion.gateway.sessions import AGENT_ID, MAIN_KEY, canonical
from companion.gateway.stores.transcripts import SessionRow
from companion.gateway.surfaces import LIFETIME_S
from gateway_client.errors import ProtocolError
from gateway_client.protocol import canvas
from gateway_client.protocol import methods as wire
from gateway_client.protocol.frames import WireError
from gateway_client.protocol.handshake import CANVAS_SURFACE
from gateway_client.protocol.wire_model import WireModel

log = logging.getLogger(__name__)

READ = "operator.read"
WRITE = "operator.write"
SCOPES = (READ, WRITE)

ADMIN = "operator.admin"

DEFAULT_MESSAGES = 200
MAX_MESSAGES = 1000
DEFAULT_SESSIONS = 100
MAX_SESSIONS = 1000


class CallRefused(Exception):
    """The call is answered with an error."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.error = WireError(code, message, details=details or None)


@dataclass(frozen=True, slots=True)
class Caller:
    """The client that calls, as it stood when it connected."""

    caps: frozenset[str]
    scopes: frozenset[str]
    base_url: str
    """Under which it reaches this gateway's HTTP."""
    client_id: str = ""
    """Of its connection."""


class NoParams(WireModel):
    """A method that takes none."""


@dataclass(frozen=True, slots=True)
class Handler:
    """How a method is answered."""

    params: type[WireModel]
    scope: str
    answer: Callable[[Gateway, Caller, Any], Awaitable[dict[str, Any]]]
    is_told_first: bool = True
    """Whether events that happen while it is answered come after the answer."""


def granted(wanted: Iterable[str]) -> frozenset[str]:
    """Return the scopes that a client gets: those it asked for that exist here; writing implies reading."""
    asked = frozenset(wanted)
    if ADMIN in asked:
        return frozenset(SCOPES)
    return frozenset(SCOPES) if WRITE in asked else asked & {READ}


def session_defaults(gateway: Gateway) -> dict[str, Any]:
    """Return what a client may take for granted about sessions."""
    return {
        "defaultAgentId": AGENT_ID,
        "mainKey": MAIN_KEY,
        "mainSessionKey": canonical(MAIN_KEY),
        "modelConfigured": gateway.provider.name != "guide",
    }


def is_told_first(method: str) -> bool:
    """Whether the answer to *method* goes out before the events that it causes."""
    return method not in HANDLERS or HANDLERS[method].is_told_first


async def call(
    gateway: Gateway, caller: Caller, method: str, params: Mapping[str, Any]
) -> dict[str, Any] | WireError:
    """Answer one call; never raises for anything that a client can do."""
    handler = HANDLERS.get(method)
    if handler is None:
        return WireError("INVALID_REQUEST", f"unknown method: {method[:200]!r}")
    if handler.scope not in caller.scopes:
        details = {"code": "MISSING_SCOPE", "missingScope": handler.scope, "requiredScopes": [handler.scope]}
        return WireError("FORBIDDEN", f"missing scope: {handler.scope}", details=details)
    try:
        return await handler.answer(gateway, caller, handler.params.from_wire(params))
    except ProtocolError as error:
        return WireError("INVALID_REQUEST", f"invalid {method} params: {error}")
    except CallRefused as refused:
        return refused.error
    # The boundary: a fault of ours is logged here and answered, and the connection goes on.
    except Exception as error:
        log.exception("%s failed", method)
        sentence = f"{method} failed in the gateway ({type(error).__name__}). See its log, then try again."
        return WireError("UNAVAILABLE", sentence, retryable=True)


def _session_key(key: str) -> str:
    try:
        return canonical(key)
    except ValueError as error:
        raise CallRefused("INVALID_REQUEST", str(error)) from None


async def _health(gateway: Gateway, _caller: Caller, _params: NoParams) -> dict[str, Any]:
    return health(gateway)


def health(gateway: Gateway) -> dict[str, Any]:
    """Return the signs of life, in the shape of the published `health`."""
    plugins = {
        "loaded": sorted(tool.name for tool in gateway.tools.tools),
        "errors": [
            {"id": one.plugin, "origin": "entry-point", "activated": False, "error": one.reason}
            for one in gateway.tools.refused
        ],
    }
    return {"ok": True, "ts": now_ms(), "durationMs": 0, "plugins": plugins}


async def _status(gateway: Gateway, _caller: Caller, _params: NoParams) -> dict[str, Any]:
    _, sessions = await gateway.transcripts.sessions(limit=1)
    return {
        "runtimeVersion": __version__,
        "uptimeMs": gateway.uptime_ms,
        "provider": gateway.provider.name,
        "model": gateway.provider.model,
        "sessions": {"count": sessions},
        "activeRuns": gateway.runs.count,
        "clients": len(gateway.hub),
        "tools": sorted(tool.name for tool in gateway.tools.tools),
    }


async def _chat_send(gateway: Gateway, caller: Caller, params: wire.ChatSendParams) -> dict[str, Any]:
    key = _session_key(params.session_key)
    try:
        content = messages.content(params.message, params.attachments or [])
    except ValueError as error:
        raise CallRefused("INVALID_REQUEST", str(error)) from None
    timeout_s = params.timeout_ms / 1000 if params.timeout_ms else None
    order = Order(params.idempotency_key, key, _caps(gateway, caller), timeout_s, caller.client_id)
    body = {"content": content, "idempotencyKey": f"{params.idempotency_key}:user"}
    status = await _sent(gateway, order, body, content)
    return wire.ChatSendResult(run_id=params.idempotency_key, status=status).to_wire()


def _caps(gateway: Gateway, caller: Caller) -> frozenset[str]:
    """Return what a client can show: what it declared at first, and what its Canvas said since."""
    said = gateway.broker.profile(caller.client_id).capabilities
    return (caller.caps - canvas.ALL_CAPABILITIES) | canvas.declared(said)


async def _canvas_reply(gateway: Gateway, caller: Caller, params: canvas.ReplyParams) -> dict[str, Any]:
    envelope = params.envelope()
    gateway.broker.receive(caller.client_id, envelope)
    act = turn(envelope)
    return {"ok": True} if act is None else await _surface_turn(gateway, caller, envelope, act)


async def _surface_turn(
    gateway: Gateway, caller: Caller, envelope: Mapping[str, Any], act: SurfaceTurn
) -> dict[str, Any]:
    key = _session_key(str(envelope.get("sessionId") or ""))
    target = Target(key, caller.client_id)
    if await gateway.transcripts.session_id(key) is None:
        gateway.broker.refused_event(target, "unknown_session")
        raise CallRefused("INVALID_REQUEST", "there is no such conversation; send a message in it first.")
    if not gateway.broker.may_send_event(caller.client_id):
        gateway.broker.refused_event(target, "rate_limited")
        sentence = "too many acts on surfaces in a minute; wait a little, then try again."
        raise CallRefused("UNAVAILABLE", sentence, reason="rate_limited")
    # The same act never makes two turns, also if it is sent again.
    run_id = f"canvas-{caller.client_id}-{act.sequence or uuid.uuid4()}"
    order = Order(run_id, key, _caps(gateway, caller), None, caller.client_id)
    body = {"content": act.text, "idempotencyKey": f"{run_id}:user", "surfaceEvent": act.fields()}
    return {"ok": True, "runId": run_id, "status": await _sent(gateway, order, body, act.text)}


async def _sent(gateway: Gateway, order: Order, body: Mapping[str, Any], content: Any) -> str:
    try:
        fingerprint = messages.fingerprint(order.session_key, content)
        return await gateway.runs.send(order, body, fingerprint=fingerprint)
    except KeyReused:
        sentence = "this idempotencyKey was sent with another message before. Send this one with a new key."
        raise CallRefused("INVALID_REQUEST", sentence) from None
    except NotTaking:
        raise CallRefused("UNAVAILABLE", "the gateway is ending. Connect again and send it again.") from None


async def _chat_history(gateway: Gateway, _caller: Caller, params: wire.ChatHistoryParams) -> dict[str, Any]:
    key = _session_key(params.session_key)
    # Read first what goes on: a run that ends between the two is then in both, never in none.
    in_flight, active = gateway.runs.in_flight(key), gateway.runs.active(key)
    page = await gateway.transcripts.page(
        key, limit=min(params.limit or DEFAULT_MESSAGES, MAX_MESSAGES), offset=params.offset or 0
    )
    session_id = await gateway.transcripts.session_id(key)
    answer: dict[str, Any] = {
        "sessionKey": params.session_key,
        "messages": messages.shortened(page.messages, params.max_chars),
        "hasMore": page.has_more,
        "totalMessages": page.total,
        "sessionInfo": {"key": key, "hasActiveRun": bool(active), "activeRunIds": active},
    }
    if session_id is not None:
        answer["sessionId"] = answer["sessionInfo"]["sessionId"] = session_id
    if in_flight is not None:
        answer["inFlightRun"] = in_flight
    return answer


async def _chat_abort(gateway: Gateway, _caller: Caller, params: wire.ChatAbortParams) -> dict[str, Any]:
    stopped = await gateway.runs.abort(_session_key(params.session_key), params.run_id)
    return wire.ChatAbortResult(ok=True, aborted=bool(stopped), run_ids=stopped).to_wire()


async def _sessions_list(
    gateway: Gateway, _caller: Caller, params: wire.SessionsListParams
) -> dict[str, Any]:
    limit, offset = min(params.limit or DEFAULT_SESSIONS, MAX_SESSIONS), params.offset or 0
    rows, total = await gateway.transcripts.sessions(limit=limit, offset=offset, search=params.search or "")
    has_more = offset + len(rows) < total
    return {
        "ts": now_ms(),
        "count": len(rows),
        "totalCount": total,
        "limitApplied": limit,
        "nextOffset": offset + len(rows) if has_more else None,
        "hasMore": has_more,
        "sessions": [_session_entry(gateway, row, params) for row in rows],
    }


def _session_entry(gateway: Gateway, row: SessionRow, params: wire.SessionsListParams) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "key": row.key,
        "sessionId": row.session_id,
        "createdAt": row.created_at_ms,
        "updatedAt": row.updated_at_ms,
        "kind": "direct",
        "hasActiveRun": bool(gateway.runs.active(row.key)),
    }
    if params.include_derived_titles and row.title:
        entry["derivedTitle"] = row.title
    if params.include_last_message and row.preview:
        entry["lastMessagePreview"] = row.preview
    return entry


async def _document_view(
    gateway: Gateway, _caller: Caller, params: wire.DocumentViewParams
) -> dict[str, Any]:
    document = await gateway.documents.get(params.doc_id)
    if document is None:
        kept = gateway.settings.max_widgets_per_session
        raise CallRefused(
            "NOT_FOUND",
            f"this widget's page is gone: a conversation keeps its newest {kept}. Ask for it again.",
        )
    return wire.DocumentViewResult(html=document.html).to_wire()


async def _surface_refresh(
    gateway: Gateway, caller: Caller, params: wire.SurfaceRefreshParams
) -> dict[str, Any]:
    if params.surface != CANVAS_SURFACE:
        raise CallRefused(
            "INVALID_REQUEST", f"no surface {params.surface[:100]!r} here; there is {CANVAS_SURFACE!r}"
        )
    ends_at_ms = now_ms() + int(LIFETIME_S * 1000)
    return wire.SurfaceRefreshResult(
        surface=CANVAS_SURFACE, plugin_surface_urls=surface_urls(gateway, caller), expires_at_ms=ends_at_ms
    ).to_wire()


def surface_urls(gateway: Gateway, caller: Caller) -> dict[str, str]:
    """Return a new address under which *caller* may read documents for a while."""
    return {CANVAS_SURFACE: f"{caller.base_url}/__openclaw__/cap/{gateway.capabilities.mint()}"}


HANDLERS: dict[str, Handler] = {
    "health": Handler(NoParams, READ, _health),
    "status": Handler(NoParams, READ, _status),
    wire.CHAT_SEND.name: Handler(wire.CHAT_SEND.params, WRITE, _chat_send),
    wire.CHAT_HISTORY.name: Handler(wire.CHAT_HISTORY.params, READ, _chat_history),
    wire.CHAT_ABORT.name: Handler(wire.CHAT_ABORT.params, WRITE, _chat_abort, is_told_first=False),
    canvas.REPLY_METHOD: Handler(canvas.ReplyParams, WRITE, _canvas_reply),
    wire.SESSIONS_LIST.name: Handler(wire.SESSIONS_LIST.params, READ, _sessions_list),
    wire.DOCUMENT_VIEW.name: Handler(wire.DOCUMENT_VIEW.params, READ, _document_view),
    wire.SURFACE_REFRESH.name: Handler(wire.SURFACE_REFRESH.params, READ, _surface_refresh),
}
"""Every method; `hello-ok` tells exactly these."""
