"""Commands to the Canvas of a client: gated, sent in order, answered once or ended.

Rules:

1. A command goes to the client whose message started the run, and only its answer counts.
2. A command is noted as waiting before it is sent; it ends by an answer, a
   failure, the end of the connection (at once), its time, or a stop.
3. A surface is bound to a catalog by a command that succeeded, until it is deleted.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from companion.domain.a2ui import catalogs, strict_json
from companion.domain.a2ui.canvas import surface_id_of
from companion.domain.a2ui.commands import Setting
from companion.domain.a2ui.policy import CanvasPolicy
from companion.domain.a2ui.profiles import Profile, names
from companion.domain.a2ui.refusal import A2uiError
from companion.domain.a2ui.replies import Result, judge
from gateway_client.protocol.canvas import ERROR, REPLIES, Envelope, capability_for, serialise

log = logging.getLogger(__name__)

MAX_PENDING: Final = 64
MAX_EVENTS: Final = 120
EVENT_WINDOW_S: Final = 60.0
WEBSOCKET: Final = "websocket"

_LOCKING: Final = frozenset(
    ("a2ui_create_surface", "a2ui_update_components", "a2ui_update_data_model", "a2ui_sync_ui_to_data")
)
_LOCKED: Final = _LOCKING - {"a2ui_create_surface"}
_DELETE: Final = "a2ui_delete_surface"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One step in the life of a command. Never holds what a command carries."""

    action: str
    sender_id: str
    session_id: str = ""
    request_id: str = ""
    command: str = ""
    reason: str = ""


def to_log(entry: LogEntry) -> None:
    """Write an entry to the log of the gateway."""
    level = logging.INFO if entry.action in ("sent", "completed") else logging.WARNING
    log.log(level, "canvas %s: %s", entry.action, entry)


@dataclass(frozen=True, slots=True)
class Target:
    """For whom a command is: a conversation, and the client that speaks in it."""

    session_id: str
    sender_id: str
    channel: str = WEBSOCKET


@dataclass(slots=True)
class _Sender:
    send: Callable[[Envelope], None]
    speaks_envelopes: bool
    profile: Profile
    locks: dict[tuple[str, str], str] = field(default_factory=dict)
    pending: dict[str, _Pending] = field(default_factory=dict)
    events: deque[float] = field(default_factory=deque)


@dataclass(slots=True)
class _Pending:
    command: Envelope
    answer: asyncio.Future[Mapping[str, Any]]


class Broker:
    """The waiting commands of every client.

    Args:
        on_step: Hears of each step of each command.
        clock: Seconds that only go forward.
    """

    def __init__(
        self,
        policy: CanvasPolicy,
        *,
        on_step: Callable[[LogEntry], None] = to_log,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.policy = policy
        self._on_step = on_step
        self._clock = clock
        self._senders: dict[str, _Sender] = {}

    def connect(
        self,
        sender_id: str,
        send: Callable[[Envelope], None],
        *,
        capabilities: Iterable[str] = (),
        speaks_envelopes: bool = False,
    ) -> None:
        """A client is there.

        Args:
            send: Queues an envelope for it; never waits.
            capabilities: What it declared already.
            speaks_envelopes: Whether it is known to understand envelopes; its first one shows it too.
        """
        known = names(tuple(capabilities))
        self._senders[sender_id] = _Sender(send, speaks_envelopes or bool(known), Profile(known))

    def disconnect(self, sender_id: str) -> None:
        """A client is gone: what waits for it fails at once, and nothing of it is kept."""
        sender = self._senders.pop(sender_id, None)
        for pending in [] if sender is None else sender.pending.values():
            if not pending.answer.done():
                error = A2uiError("disconnected", "the client left before it answered.")
                pending.answer.set_exception(error)

    def profile(self, sender_id: str) -> Profile:
        """Return what a client can show; nothing for one that is not there."""
        sender = self._senders.get(sender_id)
        return Profile() if sender is None else sender.profile

    def lock(self, target: Target, surface_id: str) -> str | None:
        """Return the catalog that a surface is bound to, or None."""
        sender = self._senders.get(target.sender_id)
        return None if sender is None else sender.locks.get((target.session_id, surface_id.casefold()))

    def setting(self, target: Target) -> Setting:
        """Return what commands for *target* are prepared for."""
        advertised = self.profile(target.sender_id).catalogs
        return Setting(self.policy, advertised, lambda surface_id: self.lock(target, surface_id))

    def may_send_event(self, sender_id: str) -> bool:
        """Count an act of a person; False if there were too many in the last minute."""
        sender, now = self._senders.get(sender_id), self._clock()
        if sender is None:
            return False
        while sender.events and sender.events[0] <= now - EVENT_WINDOW_S:
            sender.events.popleft()
        if len(sender.events) >= MAX_EVENTS:
            return False
        sender.events.append(now)
        return True

    def refused_event(self, target: Target, reason: str) -> None:
        """Note that an act of a person was refused."""
        self._on_step(LogEntry("event_refused", target.sender_id, target.session_id, reason=reason))

    def receive(self, sender_id: str, envelope: Mapping[str, Any]) -> None:
        """Take an envelope of a client: its profile, or the answer to a command. Others are ignored."""
        sender = self._senders.get(sender_id)
        if sender is None:
            return
        sender.speaks_envelopes = True
        sender.profile = sender.profile.after(envelope)
        if envelope.get("type") not in REPLIES:
            return
        pending = sender.pending.get(str(envelope.get("requestId")))
        if pending is not None and not pending.answer.done():
            pending.answer.set_result(envelope)
        elif pending is None and envelope.get("type") == ERROR:
            code = str(envelope.get("diagnosticCode") or "")[:100]
            self._on_step(LogEntry("client_error", sender_id, reason=code))

    async def command(self, target: Target, envelope: Envelope) -> Result:
        """Send a command and wait for its answer.

        Raises:
            A2uiError: If it is not sent, or not answered well; its category says why.
        """
        request_id = str(envelope.get("requestId") or f"canvas_{secrets.token_hex(10)}")
        command = {**envelope, "requestId": request_id, "sessionId": target.session_id}
        command["surfaceId"] = surface_id_of(envelope)
        try:
            sender = self._gate(target, command)
        except A2uiError as error:
            self._step("rejected", target, command, error.category)
            raise
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        sender.pending[request_id] = _Pending(command, answer)
        try:
            self._step("sent", target, command)
            sender.send(command)
            result = await self._answered(target, command, answer)
        finally:
            sender.pending.pop(request_id, None)
        self._bind(sender, target, command)
        self._step("completed", target, command)
        return result

    async def _answered(
        self, target: Target, command: Envelope, answer: asyncio.Future[Mapping[str, Any]]
    ) -> Result:
        try:
            async with asyncio.timeout(self.policy.timeout_s):
                reply = await answer
            return judge(command, reply, self.policy)
        except TimeoutError:
            self._step("timed_out", target, command, "timeout")
            seconds = self.policy.timeout_s
            raise A2uiError(
                "timeout", f"the client did not answer within {seconds:g} seconds. Try again later."
            ) from None
        except A2uiError as error:
            self._step("failed", target, command, error.category)
            raise
        except asyncio.CancelledError:
            self._step("cancelled", target, command)
            raise

    def _gate(self, target: Target, command: Envelope) -> _Sender:
        if not self.policy.is_enabled:
            raise A2uiError("disabled", "the Canvas is switched off in this gateway.")
        if target.channel != WEBSOCKET:
            raise A2uiError("not_websocket", "this conversation has no client with a Canvas.")
        sender = self._senders.get(target.sender_id)
        if sender is None or not sender.speaks_envelopes:
            raise A2uiError("not_connected", "the client of this conversation is not connected.")
        _check_capability(sender.profile, capability_for(command))
        self._check_catalog(sender, target, command)
        size, bound = strict_json.size(serialise(command)), self.policy.command_bytes
        if size > bound:
            raise A2uiError("command_too_large", f"the command is {size} bytes; the limit is {bound}.")
        if len(sender.pending) >= MAX_PENDING:
            raise A2uiError("too_many_pending", f"{MAX_PENDING} commands wait for this client already.")
        if command["requestId"] in sender.pending:
            raise A2uiError("request_id_collision", "a command with this request id waits already.")
        return sender

    def _check_catalog(self, sender: _Sender, target: Target, command: Envelope) -> None:
        kind, named = command["type"], command.get("catalogId")
        if kind not in _LOCKING and kind != _DELETE:
            return
        locked = self.lock(target, command["surfaceId"])
        if kind in _LOCKED and locked and named and locked.casefold() != str(named).casefold():
            raise A2uiError(
                "catalog_locked", f"the surface is bound to {locked}, and the command names {named}."
            )
        catalogs.choose(named or locked, sender.profile.catalogs)

    def _bind(self, sender: _Sender, target: Target, command: Envelope) -> None:
        key = (target.session_id, str(command["surfaceId"]).casefold())
        if command["type"] == _DELETE:
            sender.locks.pop(key, None)
        elif command["type"] in _LOCKING and command.get("catalogId"):
            sender.locks[key] = str(command["catalogId"])

    def _step(self, action: str, target: Target, command: Envelope, reason: str = "") -> None:
        about = (target.sender_id, target.session_id, command["requestId"], command["type"])
        self._on_step(LogEntry(action, *about, reason))


def _check_capability(profile: Profile, capability: str) -> None:
    if not profile.capabilities:
        raise A2uiError("no_capabilities", "the client has not said that it has a Canvas.")
    if not profile.has(capability):
        raise A2uiError("capability_missing", f"the client does not have the capability {capability}.")
