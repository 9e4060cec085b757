"""One port for HTTP and WebSocket: uvicorn carries both, the checks come before the upgrade."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Generator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from companion.gateway import admission, routes
from companion.gateway.channel import ChannelClosed
from companion.gateway.connection import Connection
from companion.gateway.gateway import Gateway
from companion.gateway.plain import PlainConnection
from gateway_client.protocol import events

log = logging.getLogger(__name__)

PING_INTERVAL_S = 20.0
BACKLOG = 128
SHUTDOWN_LIMIT_S = 3
TRANSPORT = "companion.transport"


class AddressTaken(Exception):
    """The gateway cannot listen there; the message says what to do."""


class _Protocol(WebSocketsSansIOProtocol):
    """Hands its transport on, because a client that does not read can only be cut there."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = {**(self.scope["extensions"] or {}), TRANSPORT: self.transport}
            self.scope["extensions"] = extensions


class _Server(uvicorn.Server):
    """A uvicorn that leaves signals to the program around it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class _SocketChannel:
    """A websocket of starlette as a channel."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def receive(self) -> str | bytes:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise ChannelClosed
        text = message.get("text")
        return text if isinstance(text, str) else bytes(message.get("bytes") or b"")

    async def send(self, text: str) -> None:
        try:
            await self._websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError, OSError) as error:
            raise ChannelClosed from error

    async def close(self, code: int, reason: str) -> None:
        # The peer may have closed first; then there is nobody to tell.
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            await self._websocket.close(code, reason)

    def abort(self) -> None:
        transport: asyncio.Transport = self._websocket.scope["extensions"][TRANSPORT]
        transport.abort()


def listen(host: str, port: int) -> socket.socket:
    """Open the socket that the gateway will listen on; port 0 takes a free one.

    Raises:
        AddressTaken: If that is not possible.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows: nobody else may listen on our port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise AddressTaken(
            f"cannot listen on {host} port {port}: {error.strerror or error}. "
            "Choose another port, or 0 for a free one."
        ) from error
    listener.setblocking(False)
    return listener


class GatewayServer:
    """The gateway on a port. `async with` starts it and ends it in order.

    Args:
        token: What opens it.
        listener: An open socket, from `listen`.
    """

    def __init__(self, gateway: Gateway, *, token: str, listener: socket.socket) -> None:
        self.gateway = gateway
        self.host, self.port = listener.getsockname()[:2]
        self._token = token
        self._listener = listener
        self._routes = routes.Routes(gateway, token=token, port=lambda: self.port)
        self._connections: set[Connection | PlainConnection] = set()
        self._server = _Server(self._config())
        self._task: asyncio.Task[None] | None = None

    @property
    def http_url(self) -> str:
        """Where it answers HTTP."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self.port}"

    @property
    def ws_url(self) -> str:
        """Where it answers WebSocket."""
        return "ws" + self.http_url.removeprefix("http") + "/"

    async def start(self) -> None:
        """Listen; returns when the first client may come."""
        self._task = asyncio.create_task(self._server.serve(sockets=[self._listener]), name="http server")
        while not self._server.started:
            if self._task.done():
                await self._task
                raise RuntimeError("the server ended before it had begun")
            await asyncio.sleep(0.005)

    async def stop(self, reason: str = "the gateway ends") -> None:
        """Tell every client why, end the runs, then stop listening."""
        for one in tuple(self._connections):
            one.push(events.SHUTDOWN, events.ShutdownEvent(reason=reason).to_wire())
        await self.gateway.runs.close()
        await asyncio.gather(*(one.flush() for one in tuple(self._connections)))
        self._server.should_exit = True
        if self._task is not None:
            await self._task
        await self.gateway.close()

    async def __aenter__(self) -> GatewayServer:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _config(self) -> uvicorn.Config:
        endpoints = [
            *self._routes.all(),
            WebSocketRoute("/", self._upgrade),
            WebSocketRoute("/ws", self._upgrade_plain),
        ]
        return uvicorn.Config(
            Starlette(routes=endpoints),
            loop="none",
            http="h11",
            ws=_Protocol,
            ws_max_size=self.gateway.settings.max_payload_bytes,
            ws_ping_interval=PING_INTERVAL_S,
            ws_ping_timeout=PING_INTERVAL_S,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=SHUTDOWN_LIMIT_S,
        )

    async def _upgrade(self, websocket: WebSocket) -> None:
        host, origin = websocket.headers.get("host"), websocket.headers.get("origin")
        reason = self._routes.refusal(host, origin)
        if reason is not None:
            await websocket.send_denial_response(PlainTextResponse(reason + "\n", 403))
            return
        await websocket.accept()
        channel = _SocketChannel(websocket)
        await self._serve(Connection(self.gateway, channel, token=self._token, base_url=f"http://{host}"))

    async def _upgrade_plain(self, websocket: WebSocket) -> None:
        # Who shows the token before the upgrade speaks plain envelopes; others shake hands as at `/`.
        given = routes.shown_token(websocket.headers, websocket.query_params)
        if given is None:
            await self._upgrade(websocket)
            return
        host, origin = websocket.headers.get("host"), websocket.headers.get("origin")
        reason = self._routes.refusal(host, origin)
        if reason is not None:
            await websocket.send_denial_response(PlainTextResponse(reason + "\n", 403))
        elif not admission.is_token(given, self._token):
            await websocket.send_denial_response(PlainTextResponse(routes.WRONG_TOKEN, 401))
        else:
            await websocket.accept()
            await self._serve(PlainConnection(self.gateway, _SocketChannel(websocket)))

    async def _serve(self, connection: Connection | PlainConnection) -> None:
        self._connections.add(connection)
        try:
            await connection.serve()
        finally:
            self._connections.discard(connection)
