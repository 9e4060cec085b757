"""One client from its socket's first byte to its last: pumps a `Link` and answers its calls.

Calls of one client are answered one after another. Answers and events go
through one queue in the order in which they were made; a client that does not
read is cut when its queue is longer than it may be.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import uuid
from collections import deque
from collections.abc import Callable
from typing import Any

from companion import __version__
from companion.gateway import admission, messages, methods
from companion.gateway.channel import Channel, ChannelClosed
from companion.gateway.gateway import Gateway, now_ms
from gateway_client.errors import LinkClosed, ProtocolError
from gateway_client.protocol import canvas, caps, events
from gateway_client.protocol.frames import PROTOCOL_VERSION, Request, WireError
from gateway_client.protocol.handshake import Challenge, ConnectParams
from gateway_client.protocol.link import CHALLENGE, Link, Phase, Side

log = logging.getLogger(__name__)

HANDSHAKE_LIMIT_S = 10.0
FLUSH_LIMIT_S = 5.0
MAX_REASON_BYTES = 120

NORMAL = 1000
UNSUPPORTED_DATA = 1003

EVENTS = (CHALLENGE, events.AGENT, events.CHAT, canvas.EVENT, events.TICK, events.SHUTDOWN)
"""Every event that this gateway sends."""


class Closing(Exception):
    """The connection ends now, with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Connection:
    """One client.

    Args:
        token: What opens this gateway.
        base_url: Under which this client reaches the gateway's HTTP.
        handshake_limit_s: How long a client may take to say who it is.
    """

    def __init__(
        self,
        gateway: Gateway,
        channel: Channel,
        *,
        token: str,
        base_url: str,
        handshake_limit_s: float = HANDSHAKE_LIMIT_S,
    ) -> None:
        self.id = str(uuid.uuid4())
        self._gateway = gateway
        self._channel = channel
        self._token = token
        self._handshake_limit_s = handshake_limit_s
        self._caller = methods.Caller(frozenset(), frozenset(), base_url)
        self._link = Link(Side.SERVER, ids=iter(()), max_frame_bytes=gateway.settings.max_payload_bytes)
        self._outgoing: deque[tuple[str, int]] = deque()
        self._outgoing_bytes = 0
        self._has_outgoing = asyncio.Event()
        self._is_sent = asyncio.Event()
        self._is_sent.set()
        self._is_cut = False
        self._held: list[tuple[str, Any]] | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    @property
    def caps(self) -> frozenset[str]:
        """What the client declared when it connected; never changes afterwards."""
        return self._caller.caps

    def push(self, name: str, payload: Any) -> None:
        """Queue an event; a client that is leaving gets none."""
        if self._held is not None:
            self._held.append((name, payload))
            return
        try:
            self._link.push(name, payload)
        except LinkClosed:
            return
        except ProtocolError as error:
            log.warning("event %r is not sent: %s", name, error)
            return
        self._queue()

    async def serve(self) -> None:
        """Serve the client until it leaves or is sent away."""
        sender = asyncio.create_task(self._send_queued(), name=f"sender {self.id}")
        ticker: asyncio.Task[None] | None = None
        code, reason = NORMAL, ""
        try:
            async with asyncio.timeout(self._handshake_limit_s):
                await self._shake_hands()
            ticker = asyncio.create_task(self._tick(), name=f"ticker {self.id}")
            while True:
                await self._answer(await self._receive())
        except ChannelClosed:
            pass
        except Closing as closing:
            code, reason = closing.code, str(closing)
        except ProtocolError as error:
            code, reason = admission.PROTOCOL_FAULT, str(error)
        except TimeoutError:
            code, reason = admission.POLICY_VIOLATION, "no connect came in time"
        finally:
            self._unsubscribe()
            self._gateway.broker.disconnect(self.id)
            if ticker is not None:
                ticker.cancel()
            await self._end(sender, code, reason)

    async def _shake_hands(self) -> None:
        challenge = Challenge(nonce=secrets.token_urlsafe(24), ts=now_ms())
        self._link.challenge(challenge.to_wire())
        self._queue()
        request = await self._receive()
        verdict = admission.admit(request.params, challenge, self._token)
        if isinstance(verdict, admission.Refusal):
            self._link.refuse(request.id, verdict.error)
            self._queue()
            raise Closing(verdict.close_code, verdict.error.message)
        self._caller = methods.Caller(
            caps.normalise(verdict.caps), methods.granted(verdict.scopes), self._caller.base_url, self.id
        )
        self._link.accept(request.id, self._hello(verdict))
        self._unsubscribe = self._gateway.hub.subscribe(self)
        self._gateway.broker.connect(
            self.id,
            lambda envelope: self.push(canvas.EVENT, envelope),
            capabilities=canvas.declared(self._caller.caps),
        )
        self._queue()

    def _hello(self, wanted: ConnectParams) -> dict[str, Any]:
        gateway, settings = self._gateway, self._gateway.settings
        return {
            "type": "hello-ok",
            "protocol": PROTOCOL_VERSION,
            "server": {"version": __version__, "connId": self.id, "bootId": gateway.boot_id},
            "features": {"methods": sorted(methods.HANDLERS), "events": list(EVENTS)},
            "snapshot": {
                "presence": [],
                "health": {},
                "stateVersion": {"presence": 0, "health": 0},
                "uptimeMs": gateway.uptime_ms,
                "sessionDefaults": methods.session_defaults(gateway),
                "authMode": "token",
            },
            "pluginSurfaceUrls": methods.surface_urls(gateway, self._caller),
            "auth": {"role": wanted.role, "scopes": sorted(self._caller.scopes)},
            "policy": {
                "maxPayload": settings.max_payload_bytes,
                "maxBufferedBytes": settings.max_buffered_bytes,
                "tickIntervalMs": settings.tick_interval_ms,
                "attachments": {
                    "maxBytes": messages.MAX_ATTACHMENT_BYTES,
                    "maxImageBytes": messages.MAX_IMAGE_BYTES,
                },
            },
        }

    async def _receive(self) -> Request:
        message = await self._channel.receive()
        if isinstance(message, bytes):
            raise Closing(UNSUPPORTED_DATA, "binary frames are not part of this protocol")
        frame = self._link.receive(message)
        assert isinstance(frame, Request), "a server's link hands on requests only"
        return frame

    async def _answer(self, request: Request) -> None:
        # A client hears that its message was taken before it hears of the run that answers it.
        self._held = [] if methods.is_told_first(request.method) else None
        try:
            answer = await methods.call(self._gateway, self._caller, request.method, request.params)
            self._respond(request, answer)
        finally:
            held, self._held = self._held or [], None
            for name, payload in held:
                self.push(name, payload)

    def _respond(self, request: Request, answer: dict[str, Any] | WireError) -> None:
        try:
            if isinstance(answer, WireError):
                self._link.fail(request.id, answer)
            else:
                self._link.respond(request.id, answer)
        except LinkClosed:
            raise ChannelClosed from None
        except ProtocolError:
            bound = self._gateway.settings.max_payload_bytes
            sentence = f"the answer is longer than {bound} bytes; ask for less with limit or maxChars"
            self._link.fail(request.id, WireError("INVALID_REQUEST", sentence))
        self._queue()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self._gateway.settings.tick_interval_ms / 1000)
            self.push(events.TICK, {"ts": now_ms()})

    # Sending.

    def _queue(self) -> None:
        for text in self._link.take_outgoing():
            size = len(text.encode("utf-8", "surrogatepass"))
            self._outgoing.append((text, size))
            self._outgoing_bytes += size
        if self._outgoing:
            self._is_sent.clear()
            self._has_outgoing.set()
        # A single message may be as long as it likes; only a queue can be too long.
        if len(self._outgoing) > 1 and self._outgoing_bytes > self._gateway.settings.max_buffered_bytes:
            self._cut()

    def _cut(self) -> None:
        if not self._is_cut:
            self._is_cut = True
            log.warning("client %s does not read and is cut", self.id)
            self._link.close("the client does not read")
            self._outgoing.clear()
            self._outgoing_bytes = 0
            self._channel.abort()

    async def _send_queued(self) -> None:
        while True:
            await self._has_outgoing.wait()
            while self._outgoing:
                text, size = self._outgoing[0]
                try:
                    await self._channel.send(text)
                except ChannelClosed:
                    self._outgoing.clear()
                    self._outgoing_bytes = 0
                    break
                # Counted until it is handed over; a cut meanwhile has emptied the queue.
                if self._outgoing and self._outgoing[0][0] is text:
                    self._outgoing.popleft()
                    self._outgoing_bytes -= size
            self._has_outgoing.clear()
            self._is_sent.set()

    async def flush(self) -> None:
        """Wait until everything queued is sent; a client that does not read is cut."""
        try:
            async with asyncio.timeout(FLUSH_LIMIT_S):
                await self._is_sent.wait()
        except TimeoutError:
            self._channel.abort()

    async def _end(self, sender: asyncio.Task[None], code: int, reason: str) -> None:
        if self._link.phase is not Phase.CLOSED:
            self._link.close(reason or "the client left")
        try:
            if not self._is_cut:
                await self.flush()
                await self._channel.close(code, _short(reason))
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)


def _short(reason: str) -> str:
    return reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")
