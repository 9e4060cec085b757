"""A client that speaks plain envelopes at `/ws`: chat text, and the commands and answers of a Canvas.

One message is one JSON object with `type`; a message that is none is chat text
of a client that only knows text, and is answered with text. A connection is one
conversation, which nobody else writes in.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Mapping
from typing import Any

from companion.domain.a2ui import strict_json
from companion.gateway import methods
from companion.gateway.broker import Target
from companion.gateway.channel import Channel, ChannelClosed
from companion.gateway.gateway import Gateway
from companion.gateway.sessions import canonical
from gateway_client.protocol import blocks, canvas, events
from gateway_client.protocol.frames import WireError

USER_MESSAGE = "user_message"
ASSISTANT_MESSAGE = "assistant_message"
TEXT_DELTA = "text_delta"
ERROR = "error"

MAX_WAITING = 1000
FLUSH_LIMIT_S = 5.0
NORMAL = 1000


class PlainConnection:
    """One client of that dialect. It was let in before."""

    def __init__(self, gateway: Gateway, channel: Channel) -> None:
        self.id = str(uuid.uuid4())
        self.session_key = canonical(f"ws-{self.id}")
        self._gateway = gateway
        self._channel = channel
        self._caller = methods.Caller(frozenset(), frozenset(methods.SCOPES), "", self.id)
        self._outgoing: asyncio.Queue[str] = asyncio.Queue(MAX_WAITING)
        self._speaks_envelopes = False
        self._replies_to: dict[str, str] = {}

    @property
    def caps(self) -> frozenset[str]:
        """What it declared for the events of runs: nothing."""
        return frozenset()

    async def serve(self) -> None:
        """Serve the client until it leaves."""
        self._gateway.broker.connect(self.id, self._send)
        unsubscribe = self._gateway.hub.subscribe(self)
        sender = asyncio.create_task(self._send_queued(), name=f"sender {self.id}")
        try:
            while True:
                await self._take(await self._channel.receive())
        except ChannelClosed:
            pass
        finally:
            unsubscribe()
            self._gateway.broker.disconnect(self.id)
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
            await self._channel.close(NORMAL, "")

    def push(self, name: str, payload: Any) -> None:
        """Tell the client what happens in its own conversation."""
        if name != events.CHAT or payload.get("sessionKey") != self.session_key:
            return
        run_id, state = str(payload["runId"]), payload["state"]
        about = {"sessionId": self.session_key, "inReplyToMessageId": self._replies_to.get(run_id)}
        if state == "delta":
            if self._speaks_envelopes:
                self._send({"type": TEXT_DELTA, "text": payload["deltaText"], **about})
            return
        if state not in ("final", "aborted", "error"):
            return
        self._replies_to.pop(run_id, None)
        if state == "error":
            self._say({"type": ERROR, "text": payload["errorMessage"], **about})
        else:
            self._say({"type": ASSISTANT_MESSAGE, "text": _text(payload["message"]), **about})

    async def flush(self) -> None:
        """Wait until everything queued is sent; a client that does not read is cut."""
        try:
            async with asyncio.timeout(FLUSH_LIMIT_S):
                await self._outgoing.join()
        except TimeoutError:
            self._channel.abort()

    async def _take(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            self._say({"type": ERROR, "text": "binary messages are not part of this dialect; send text."})
            return
        envelope = _envelope(message)
        if envelope is None:
            await self._chat({"text": message})
            return
        self._speaks_envelopes = True
        kind = str(envelope["type"])
        if kind == USER_MESSAGE:
            await self._chat(envelope)
        elif kind in canvas.REPLIES or kind in canvas.USER_TYPES or kind == canvas.READY:
            await self._canvas(envelope)
        else:
            self._say({"type": ERROR, "text": f"there is no message of type {kind[:100]!r} here."})

    async def _chat(self, envelope: Mapping[str, Any]) -> None:
        given, message_id = envelope.get("text") or envelope.get("content"), envelope.get("messageId")
        run_id = str(uuid.uuid4())
        if isinstance(message_id, str):
            self._replies_to[run_id] = message_id
        text = given if isinstance(given, str) else ""
        params = {"sessionKey": self.session_key, "message": text, "idempotencyKey": run_id}
        if not await self._call("chat.send", params):
            self._replies_to.pop(run_id, None)

    async def _canvas(self, envelope: Mapping[str, Any]) -> None:
        session = envelope.get("sessionId")
        if envelope["type"] in canvas.USER_TYPES and session not in (None, "", self.session_key):
            self._gateway.broker.refused_event(Target(str(session)[:200], self.id), "foreign_session")
            self._say({"type": ERROR, "text": "this conversation belongs to another client."})
            return
        await self._call(canvas.REPLY_METHOD, {"sessionId": self.session_key, **envelope})

    async def _call(self, method: str, params: Mapping[str, Any]) -> bool:
        answer = await methods.call(self._gateway, self._caller, method, params)
        if not isinstance(answer, WireError):
            return True
        self._say({"type": ERROR, "text": answer.message})
        return False

    def _say(self, envelope: canvas.Envelope) -> None:
        """Send something that a client which only knows text understands too."""
        if self._speaks_envelopes:
            self._send(envelope)
        else:
            self._queue(str(envelope["text"]))

    def _send(self, envelope: canvas.Envelope) -> None:
        self._queue(canvas.serialise(envelope))

    def _queue(self, text: str) -> None:
        try:
            self._outgoing.put_nowait(text)
        except asyncio.QueueFull:
            self._channel.abort()

    async def _send_queued(self) -> None:
        while True:
            text = await self._outgoing.get()
            # The reader hears of the end too, and ends the connection.
            with contextlib.suppress(ChannelClosed):
                await self._channel.send(text)
            self._outgoing.task_done()


def _envelope(message: str) -> dict[str, Any] | None:
    try:
        value = strict_json.parse(message)
    except (ValueError, RecursionError):
        return None
    is_envelope = isinstance(value, dict) and isinstance(value.get("type"), str)
    return value if is_envelope else None


def _text(message: Mapping[str, Any]) -> str:
    found = blocks.parse_content(message.get("content"))
    return "\n\n".join(block.text for block in found if isinstance(block, blocks.TextBlock))
