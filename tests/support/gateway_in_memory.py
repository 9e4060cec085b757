"""The real gateway without a port: connections over pairs in memory, a scripted provider, raw clients."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.config import GatewaySettings
from companion.gateway.channel import ChannelClosed
from companion.gateway.connection import Connection
from companion.gateway.gateway import Gateway
from companion.gateway.provider import Provider
from companion.gateway.providers.scripted import Scripted
from gateway_client.errors import LinkClosed
from gateway_client.transport import Transport, memory_pair

TOKEN = "a-token-for-tests-0123456789"
SCOPES = ("operator.read", "operator.write")
WIDGETS = "inline-widgets"
TOOL_EVENTS = "tool-events"


class MemoryChannel:
    """One end of a pair in memory as the gateway's channel; what it was closed with stays readable."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.closed_with: tuple[int, str] | None = None
        self.is_aborted = asyncio.Event()

    async def receive(self) -> str | bytes:
        try:
            return await self._transport.receive()
        except LinkClosed as error:
            raise ChannelClosed from error

    async def send(self, text: str) -> None:
        try:
            await self._transport.send(text)
        except LinkClosed as error:
            raise ChannelClosed from error

    async def close(self, code: int, reason: str) -> None:
        self.closed_with = (code, reason)
        await self._transport.close(code, reason)

    def abort(self) -> None:
        self.is_aborted.set()


class Refused(Exception):
    """The gateway answered a call with an error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code, self.message = error["code"], error["message"]
        self.details = error.get("details", {})


class RawClient:
    """Speaks frames and nothing more: it keeps every frame that came and finds the one that is asked for."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.frames: list[dict[str, Any]] = []
        self.closed_because: str | None = None
        self._ids = (str(number) for number in itertools.count(1))
        self._changed = asyncio.Condition()
        self._reader = asyncio.create_task(self._read(), name="raw client")

    async def _read(self) -> None:
        try:
            while True:
                frame = json.loads(await self.transport.receive())
                async with self._changed:
                    self.frames.append(frame)
                    self._changed.notify_all()
        except LinkClosed as error:
            async with self._changed:
                self.closed_because = str(error)
                self._changed.notify_all()

    async def frame(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first frame that is *wanted*, also if it came long ago."""

        def found() -> dict[str, Any] | None:
            return next((frame for frame in self.frames if wanted(frame)), None)

        async with self._changed:
            await self._changed.wait_for(lambda: found() or self.closed_because is not None)
            frame = found()
        if frame is None:
            raise LinkClosed(str(self.closed_because))
        return frame

    async def closed(self) -> str:
        """Wait until the gateway closed the connection; returns why."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.closed_because is not None)
        return str(self.closed_because)

    async def send_raw(self, text: str) -> None:
        await self.transport.send(text)

    async def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method and return its payload."""
        request_id = next(self._ids)
        frame = {"type": "req", "id": request_id, "method": method, "params": dict(params or {})}
        await self.send_raw(json.dumps(frame))
        answer = await self.frame(lambda one: one["type"] == "res" and one["id"] == request_id)
        if not answer["ok"]:
            raise Refused(answer["error"])
        return answer["payload"]

    async def connect(self, **changes: Any) -> Any:
        """Shake hands; *changes* replace params of `connect`. Returns `hello-ok`."""
        await self.frame(lambda one: one.get("event") == "connect.challenge")
        return await self.call("connect", connect_params(**changes))

    async def send(self, message: str, key: str = "key-1", session: str = "main", **more: Any) -> Any:
        """Send a person's message."""
        params = {"sessionKey": session, "message": message, "idempotencyKey": key, **more}
        return await self.call("chat.send", params)

    async def history(self, session: str = "main", **more: Any) -> Any:
        return await self.call("chat.history", {"sessionKey": session, **more})

    async def chat(self, state: str, key: str = "key-1") -> dict[str, Any]:
        """Wait for the first `chat` event of run *key* in *state*; returns its payload."""
        frame = await self.frame(
            lambda one: (
                one.get("event") == "chat"
                and one["payload"]["runId"] == key
                and one["payload"]["state"] == state
            )
        )
        payload: dict[str, Any] = frame["payload"]
        return payload

    async def ask(self, message: str, key: str = "key-1", session: str = "main") -> dict[str, Any]:
        """Send a message and wait for its final answer; returns the answer's message."""
        await self.send(message, key, session)
        message_of: dict[str, Any] = (await self.chat("final", key))["message"]
        return message_of

    def events(self, name: str, **fields: Any) -> list[dict[str, Any]]:
        """Return the payloads of the events *name* so far whose fields have these values."""
        payloads = [frame["payload"] for frame in self.frames if frame.get("event") == name]
        return [one for one in payloads if all(one.get(key) == value for key, value in fields.items())]

    def tool_results(self) -> list[dict[str, Any]]:
        """Return the data of every tool's end so far."""
        data = (event["data"] for event in self.events("agent", stream="tool"))
        return [one for one in data if one["phase"] == "result"]

    async def close(self) -> None:
        await self.transport.close()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)


def connect_params(**changes: Any) -> dict[str, Any]:
    """Return the params of a `connect` that is let in."""
    return {
        "minProtocol": 4,
        "maxProtocol": 4,
        "client": {"id": "gateway-client", "version": "0.1", "platform": "linux", "mode": "ui"},
        "role": "operator",
        "scopes": list(SCOPES),
        "caps": [],
        "auth": {"token": TOKEN},
        **changes,
    }


def text_of(message: Mapping[str, Any]) -> str:
    """Return the words of a wire message."""
    content = message["content"]
    if isinstance(content, str):
        return content
    return "".join(block["text"] for block in content if block["type"] == "text")


def widgets_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the widgets of a wire message."""
    return [block for block in message["content"] if block["type"] == "canvas"]


class House:
    """A gateway, and whoever comes to it."""

    def __init__(self, gateway: Gateway, provider: Any) -> None:
        self.gateway = gateway
        self.provider = provider
        self._clients: list[RawClient] = []
        self._serving: list[asyncio.Task[None]] = []
        self.channels: list[MemoryChannel] = []

    async def visitor(self, **settings: Any) -> RawClient:
        """Let a client come that has not said who it is."""
        ours, theirs = memory_pair()
        channel = MemoryChannel(ours)
        connection = Connection(self.gateway, channel, token=TOKEN, base_url="http://127.0.0.1:1", **settings)
        self._serving.append(asyncio.create_task(connection.serve(), name="connection"))
        client = RawClient(theirs)
        self._clients.append(client)
        self.channels.append(channel)
        return client

    async def client(self, *caps: str, **changes: Any) -> RawClient:
        """Let a client come and connect with *caps*."""
        client = await self.visitor()
        await client.connect(caps=list(caps), **changes)
        return client

    async def leave(self) -> None:
        for client in self._clients:
            await client.close()
        await asyncio.gather(*self._serving)


@asynccontextmanager
async def house(
    provider: Provider | None = None,
    *,
    state_dir: Path | None = None,
    plugins: Iterable[Any] = (),
    **settings: Any,
) -> AsyncIterator[House]:
    """Open a gateway with *settings* of `GatewaySettings`; a scripted provider by default."""
    answering = provider or Scripted()
    gateway = await Gateway.open(
        GatewaySettings(**settings), answering, state_dir=state_dir, plugin_entries=plugins
    )
    one = House(gateway, answering)
    try:
        yield one
    finally:
        await gateway.runs.close()
        await one.leave()
        await gateway.close()
