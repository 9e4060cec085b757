"""What carries the texts of a link: a websocket, or a pair in memory.

A transport knows nothing of frames. Whatever goes wrong with it is a
`LinkClosed` whose message is a sentence.
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl as ssl_module
from collections import deque
from typing import Protocol
from urllib.parse import urlsplit

from websockets.asyncio import client as websocket_client
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException

from gateway_client.errors import ConnectRefused, LinkClosed, NextStep, ProtocolError

NORMAL_CLOSURE = 1000
UNSUPPORTED_DATA = 1003
CLOSE_TIMEOUT_S = 2.0
MEMORY_PIPE_TEXTS = 1024
"""Texts that wait in one direction of a pair in memory before a sender waits."""


class Transport(Protocol):
    """Carries whole texts in both directions, in order."""

    async def send(self, text: str) -> None:
        """Hand over one text; waits while the other end is slow.

        Raises:
            LinkClosed: If the connection is gone.
        """

    async def receive(self) -> str:
        """Wait for the next text.

        Raises:
            LinkClosed: If the connection is gone; the message says why.
            ProtocolError: If what came is not text.
        """

    async def ping(self) -> float:
        """Return the seconds a sign of life takes to the other end and back.

        Raises:
            LinkClosed: If the connection is gone.
        """

    async def close(self, code: int = NORMAL_CLOSURE, reason: str = "") -> None:
        """End the connection; a second call does nothing."""


class _Pipe:
    """One direction of a pair in memory."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()
        self._changed = asyncio.Condition()
        self.closed_because: str | None = None

    async def put(self, text: str) -> None:
        async with self._changed:
            await self._changed.wait_for(
                lambda: len(self._texts) < MEMORY_PIPE_TEXTS or self.closed_because is not None
            )
            if self.closed_because is not None:
                raise LinkClosed(self.closed_because)
            self._texts.append(text)
            self._changed.notify_all()

    async def get(self) -> str:
        async with self._changed:
            await self._changed.wait_for(lambda: self._texts or self.closed_because is not None)
            if not self._texts:
                raise LinkClosed(str(self.closed_because))
            text = self._texts.popleft()
            self._changed.notify_all()
            return text

    async def close(self, reason: str) -> None:
        async with self._changed:
            if self.closed_because is None:
                self.closed_because = reason
            self._changed.notify_all()


class MemoryTransport:
    """One end of a pair in memory."""

    def __init__(self, incoming: _Pipe, outgoing: _Pipe) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    async def send(self, text: str) -> None:
        """Hand over one text."""
        await self._outgoing.put(text)

    async def receive(self) -> str:
        """Wait for the next text; what was sent before the other end closed still arrives."""
        return await self._incoming.get()

    async def ping(self) -> float:
        """Return 0: memory is near."""
        if self._outgoing.closed_because is not None:
            raise LinkClosed(self._outgoing.closed_because)
        return 0.0

    async def close(self, code: int = NORMAL_CLOSURE, reason: str = "") -> None:
        """End both directions."""
        await self._outgoing.close(
            f"the other end closed the connection ({code} {reason})".replace(" )", ")")
        )
        await self._incoming.close("the connection is closed")


def memory_pair() -> tuple[Transport, Transport]:
    """Return two transports; what one sends the other receives."""
    there, back = _Pipe(), _Pipe()
    return MemoryTransport(back, there), MemoryTransport(there, back)


class _Connect(websocket_client.connect):
    """A connect that follows no redirect: the token is meant for the address that was given."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


class WebSocketTransport:
    """A websocket that is open; `open_websocket` makes the client's end."""

    def __init__(self, socket: Connection) -> None:
        self._socket = socket

    async def send(self, text: str) -> None:
        """Send one text message."""
        try:
            await self._socket.send(text)
        except ConnectionClosed as error:
            raise LinkClosed(_closing_words(error)) from error

    async def receive(self) -> str:
        """Wait for the next text message."""
        try:
            message = await self._socket.recv()
        except ConnectionClosed as error:
            raise LinkClosed(_closing_words(error)) from error
        if not isinstance(message, str):
            await self.close(UNSUPPORTED_DATA, "only text messages are understood")
            raise ProtocolError("the gateway sent a binary message, and the protocol has only texts")
        return message

    async def ping(self) -> float:
        """Send a ping and wait for its pong."""
        try:
            return float(await (await self._socket.ping()))
        except ConnectionClosed as error:
            raise LinkClosed(_closing_words(error)) from error

    async def close(self, code: int = NORMAL_CLOSURE, reason: str = "") -> None:
        """Say goodbye, wait shortly for the answer, and close the socket."""
        # A close frame has room for 123 bytes of reason.
        try:
            await self._socket.close(code, reason.encode()[:120].decode(errors="ignore"))
        except asyncio.CancelledError:
            self._socket.transport.abort()  # nobody waits for the answer any more, so the socket goes too
            raise


async def open_websocket(
    url: str,
    *,
    max_size: int,
    open_timeout_s: float = 10.0,
    ssl: ssl_module.SSLContext | None = None,
    allow_plain: bool = False,
) -> Transport:
    """Open a websocket to a gateway.

    Args:
        url: `wss://…`, or `ws://…` on this machine.
        max_size: Longest message taken, in bytes.
        ssl: How to check certificates; by default the operating system's own way.
        allow_plain: Whether `ws://` may lead to another machine.

    Raises:
        ConnectRefused: If the address can never work.
        LinkClosed: If nothing answers there, or no gateway does.
    """
    problem = address_problem(url, allow_plain=allow_plain)
    if problem:
        raise ConnectRefused("ADDRESS", problem, next_step=NextStep.CHANGE_ADDRESS)
    is_near = is_loopback(url)
    secure = urlsplit(url).scheme == "wss"
    try:
        socket = await _Connect(
            url,
            max_size=max_size,
            open_timeout=open_timeout_s,
            close_timeout=CLOSE_TIMEOUT_S,
            ssl=(ssl or system_tls()) if secure else None,
            compression=None if is_near else "deflate",
            proxy=None if is_near else True,
            # The connection sends its own pings: their time is what the app shows.
            ping_interval=None,
        )
    except (OSError, TimeoutError, WebSocketException, EOFError) as error:
        raise LinkClosed(_opening_words(error)) from error
    return WebSocketTransport(socket)


def system_tls() -> ssl_module.SSLContext:
    """Return a context that trusts the certificates which the operating system trusts."""
    import truststore  # late: a gateway on this machine needs none

    return truststore.SSLContext(ssl_module.PROTOCOL_TLS_CLIENT)


def is_loopback(url: str) -> bool:
    """Whether *url* leads to this machine by its name or number."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address_problem(url: str, *, allow_plain: bool) -> str | None:
    """Return why no gateway can or may be reached at *url*, or None if one may be."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return f"{url!r} is not an address; a gateway's address looks like wss://host:port"
    if parts.scheme not in ("ws", "wss") or not host:
        return f"{url!r} is not a gateway's address; one looks like wss://host:port"
    if parts.username or parts.password or parts.fragment:
        return "a gateway's address carries no user, password or fragment; give the token apart"
    if parts.scheme == "ws" and not allow_plain and not is_loopback(url):
        return (
            f"ws:// to {host!r} would send the token unencrypted; use wss://, "
            "or allow unencrypted connections for this gateway"
        )
    return None


def _opening_words(error: BaseException) -> str:
    match error:
        case InvalidStatus():
            return f"the server answered {error.response.status_code} instead of opening a websocket"
        case InvalidHandshake() | EOFError():
            return "what answers at this address is not a gateway"
        case TimeoutError():
            return "nothing answered at this address in time"
        case ssl_module.SSLCertVerificationError():
            return f"the gateway's certificate is not trusted: {error.verify_message}"
        case ConnectionRefusedError():
            return "no gateway is running at this address"
        case OSError():
            return f"the gateway can not be reached: {error.strerror or error}"
    return f"the connection could not be opened: {error}"


def _closing_words(error: ConnectionClosed) -> str:
    if error.rcvd is None:
        return "the connection to the gateway broke"
    reason = f": {error.rcvd.reason}" if error.rcvd.reason else ""
    return f"the gateway closed the connection ({int(error.rcvd.code)}{reason})"


__all__ = [
    "MemoryTransport",
    "Transport",
    "WebSocketTransport",
    "address_problem",
    "is_loopback",
    "memory_pair",
    "open_websocket",
    "system_tls",
]
