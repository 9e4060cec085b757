"""A small gateway that is real on the wire: the server's end of `Link`, in memory or on loopback.

What it answers is a table of functions; what it says unasked is a call. It
checks token and device signature as a gateway must, and remembers every request.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.server import Request as HttpRequest
from websockets.asyncio.server import Response as HttpResponse
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers

from gateway_client.errors import GatewayError, LinkClosed
from gateway_client.options import ConnectOptions
from gateway_client.protocol.device import SignedFields, is_signed_by
from gateway_client.protocol.frames import Request, WireError
from gateway_client.protocol.handshake import ConnectParams
from gateway_client.protocol.link import Link, Side
from gateway_client.transport import Transport, WebSocketTransport, memory_pair

NONCE = "a-nonce"
SIGNED_AT_MS = 1_796_000_000_000
METHODS = ["chat.send", "chat.history", "chat.abort", "sessions.list"]


class Failure(Exception):
    """A handler's way to answer with an error."""

    def __init__(self, code: str, message: str, **rest: Any) -> None:
        super().__init__(message)
        self.error = WireError(code, message, **rest)


@dataclass
class Peer:
    """One connected client, seen from the gateway."""

    transport: Transport
    link: Link
    params: ConnectParams | None = None
    requests: list[Request] = field(default_factory=list)
    closed_because: str = ""

    async def push(self, name: str, payload: Any) -> None:
        """Send an event."""
        self.link.push(name, payload)
        await self.flush()

    def swallow(self, name: str, payload: Any) -> None:
        """Count an event and lose it on the way."""
        self.link.push(name, payload)
        self.link.take_outgoing()

    async def say(self, text: str) -> None:
        """Send whatever text, past the link's order."""
        await self.transport.send(text)

    async def flush(self) -> None:
        """Send what the link has queued."""
        for text in self.link.take_outgoing():
            await self.transport.send(text)

    async def drop(self, code: int = 1012, reason: str = "service restart") -> None:
        """Close the connection."""
        await self.transport.close(code, reason)


Handler = Callable[[Peer, Mapping[str, Any]], Awaitable[Any]]


@dataclass
class FakeGateway:
    """A gateway that does what the test says."""

    token: str = "secret"
    on: dict[str, Handler] = field(default_factory=dict)
    hello: dict[str, Any] = field(default_factory=dict)
    """What differs from the usual hello."""
    refusals: list[WireError] = field(default_factory=list)
    """Answers to the next connects, one each; then connects are judged as usual."""
    challenge: dict[str, Any] | None = field(
        default_factory=lambda: {"nonce": NONCE, "ts": SIGNED_AT_MS, "capabilities": []}
    )
    pages: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    """Path to status, headers and body, for plain HTTP on the same port."""
    http_requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    peers: list[Peer] = field(default_factory=list)
    opened: list[ConnectOptions] = field(default_factory=list)
    down: bool = False
    """Whether nothing answers."""

    def __post_init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections = itertools.count(1)

    @property
    def peer(self) -> Peer:
        """The newest client that is past the handshake."""
        return [peer for peer in self.peers if peer.params is not None][-1]

    def requests(self, method: str) -> list[Mapping[str, Any]]:
        """Return the params of every call of *method*, over all connections."""
        return [r.params for peer in self.peers for r in peer.requests if r.method == method]

    async def open(self, options: ConnectOptions) -> Transport:
        """Be an opener: connect a client in memory."""
        self.opened.append(options)
        if self.down:
            raise LinkClosed("no gateway is running at this address")
        ours, theirs = memory_pair()
        task = asyncio.create_task(self.attend(ours), name="fake gateway: one client")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return theirs

    @asynccontextmanager
    async def running(self) -> AsyncIterator[FakeGateway]:
        """End what still runs when the test is over."""
        try:
            yield self
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """Listen on loopback; yields the address."""

        async def attend(socket: ServerConnection) -> None:
            await self.attend(WebSocketTransport(socket))

        async with serve(
            attend, "127.0.0.1", 0, process_request=self._answer_http, compression=None, max_size=None
        ) as server:
            yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"

    async def attend(self, transport: Transport) -> None:
        """Serve one client to its end."""
        peer = Peer(transport, Link(Side.SERVER, ids=iter(())))
        self.peers.append(peer)
        try:
            if self.challenge is not None:
                peer.link.challenge(self.challenge)
                await peer.flush()
            while True:
                frame = peer.link.receive(await transport.receive())
                assert isinstance(frame, Request)
                peer.requests.append(frame)
                await (self._connect(peer, frame) if frame.method == "connect" else self._answer(peer, frame))
        except GatewayError as error:
            peer.closed_because = str(error)
            await transport.close(1008, str(error))

    # Inside.

    async def _connect(self, peer: Peer, frame: Request) -> None:
        params = ConnectParams.from_wire(frame.params)
        error = self.refusals.pop(0) if self.refusals else self._judge(params)
        if error is not None:
            peer.link.refuse(frame.id, error)
            await peer.flush()
            raise LinkClosed(error.message)
        peer.link.accept(frame.id, self._hello())
        peer.params = params
        await peer.flush()

    def _judge(self, params: ConnectParams) -> WireError | None:
        token = (params.auth.token if params.auth else None) or ""
        if token != self.token:
            details = {"code": "AUTH_TOKEN_MISMATCH", "recommendedNextStep": "update_auth_credentials"}
            return WireError("INVALID_REQUEST", "unauthorized: gateway token mismatch", details)
        proof = params.device
        if proof is None:
            return None
        fields = SignedFields(
            params.client.id,
            params.client.mode,
            params.role,
            params.scopes,
            proof.signed_at,
            token,
            proof.nonce,
            params.client.platform,
        )
        if proof.nonce != NONCE or not is_signed_by(proof.public_key, proof.signature, fields):
            details = {"code": "DEVICE_AUTH_SIGNATURE_INVALID", "reason": "device-signature"}
            return WireError("INVALID_REQUEST", "device signature invalid", details)
        return None

    def _hello(self) -> dict[str, Any]:
        return {
            "type": "hello-ok",
            "protocol": 4,
            "server": {"version": "fake", "connId": f"c{next(self._connections)}"},
            "features": {"methods": [*METHODS, *self.on], "events": []},
            "snapshot": {},
            "auth": {"role": "operator", "scopes": ["operator.read", "operator.write"]},
            "policy": {"maxPayload": 1_000_000, "maxBufferedBytes": 1_000_000, "tickIntervalMs": 30_000},
            **self.hello,
        }

    async def _answer(self, peer: Peer, frame: Request) -> None:
        handler = self.on.get(frame.method)
        if handler is None:
            peer.link.fail(frame.id, WireError("INVALID_REQUEST", f"unknown method {frame.method}"))
        else:
            try:
                payload = await handler(peer, frame.params)
            except Failure as failure:
                peer.link.fail(frame.id, failure.error)
            else:
                if payload is not SILENCE:
                    peer.link.respond(frame.id, payload)
        await peer.flush()

    def _answer_http(self, socket: ServerConnection, request: HttpRequest) -> HttpResponse | None:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return None
        asked = {name.lower(): value for name, value in request.headers.raw_items()}
        self.http_requests.append((request.path, asked))
        status, headers, body = self.pages.get(request.path, (404, {}, b""))
        headers = {"Content-Length": str(len(body)), "Connection": "close", **headers}
        return HttpResponse(status, "OK", Headers(headers), body)


SILENCE = object()
"""What a handler returns to leave a call unanswered."""


def answering(payload: Any) -> Handler:
    """Return a handler that always answers *payload*."""

    async def handler(peer: Peer, params: Mapping[str, Any]) -> Any:
        return payload

    return handler


def failing(code: str, message: str, **rest: Any) -> Handler:
    """Return a handler that always answers with an error."""

    async def handler(peer: Peer, params: Mapping[str, Any]) -> Any:
        raise Failure(code, message, **rest)

    return handler


def frame_text(**frame: Any) -> str:
    """Return JSON for `Peer.say`."""
    return json.dumps(frame)
