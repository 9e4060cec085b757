"""One end of a gateway link, without a socket. Pure.

Feed it what arrived with `receive`; send what `take_outgoing` returns. It never
waits and never reads a clock. Both ends use it, so a test connects two of them.

The order it keeps (gateway protocol, section 2):

    server                      client
    challenge            ───▶   Event("connect.challenge")
    Request("connect")   ◀───   connect
    accept | refuse      ───▶   Response           then: requests, responses, events

Rules:

1. Before the handshake is over nothing but the handshake passes.
2. A response must answer a request of ours that is still open. One that does
   not (its call timed out here) is dropped and counted.
3. Events are numbered by the server; the client sees which numbers it missed.
4. After `close`, or a refusal, nothing is sent and nothing is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from gateway_client.errors import LinkClosed, ProtocolError
from gateway_client.protocol.frames import Event, Frame, Request, Response, WireError, decode, encode

CHALLENGE = "connect.challenge"
CONNECT = "connect"
DEFAULT_MAX_FRAME_BYTES = 25 * 1024 * 1024


class Side(Enum):
    """Which end of the link this is."""

    CLIENT = "client"
    SERVER = "server"


class Phase(Enum):
    """How far the link has come."""

    GREETING = "greeting"
    """The challenge has not passed yet."""
    CONNECTING = "connecting"
    """The challenge has passed; `connect` is not answered yet."""
    READY = "ready"
    CLOSED = "closed"


class Link:
    """One end of a link: ids, order, numbering and bounds.

    Args:
        side: Which end this is.
        ids: Yields the ids of our requests; each must be new.
        max_frame_bytes: Longest frame taken, in UTF-8 bytes. What is sent may be as long
            until the other end names its own limit (`max_outgoing_bytes`).
    """

    def __init__(
        self, side: Side, *, ids: Iterator[str], max_frame_bytes: int = DEFAULT_MAX_FRAME_BYTES
    ) -> None:
        self.side = side
        self.phase = Phase.GREETING
        self.max_frame_bytes = max_frame_bytes
        self.max_outgoing_bytes = max_frame_bytes
        self.close_reason = ""
        self.dropped_responses = 0
        self.missed_events = 0
        self._ids = ids
        self._pending: dict[str, str] = {}
        self._connect_id = ""
        self._last_seq: int | None = None
        self._next_seq = 1
        self._outgoing: list[str] = []

    # Both ends.

    def receive(self, text: str) -> Frame | None:
        """Take one message that arrived.

        Returns:
            The frame, or None if it is a response that nobody waits for any more.

        Raises:
            LinkClosed: If the link is closed.
            ProtocolError: If the peer broke the protocol. Close the link then.
        """
        self._check_open("take a message")
        if (
            len(text) > self.max_frame_bytes
            or len(text.encode("utf-8", "surrogatepass")) > self.max_frame_bytes
        ):
            raise ProtocolError(f"the message is longer than {self.max_frame_bytes} bytes")
        frame = decode(text)
        match self.side:
            case Side.CLIENT:
                return self._receive_as_client(frame)
            case Side.SERVER:
                return self._receive_as_server(frame)

    def take_outgoing(self) -> list[str]:
        """Return the messages to send, oldest first, and forget them."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def close(self, reason: str) -> None:
        """End the link; the first reason stays. What was queued may still be taken and sent."""
        if self.phase is not Phase.CLOSED:
            self.phase, self.close_reason = Phase.CLOSED, reason

    def method_of(self, request_id: str) -> str:
        """Return the method of an open request of ours, or an empty text."""
        return self._pending.get(request_id, "")

    # The client's end.

    def connect(self, params: Mapping[str, Any]) -> str:
        """Queue the `connect` request; call it once, after the challenge. Returns its id."""
        self._expect(Side.CLIENT, Phase.CONNECTING)
        if self._connect_id:
            raise ProtocolError("connect was sent already")
        self._connect_id = self._queue_request(CONNECT, params)
        return self._connect_id

    def request(self, method: str, params: Mapping[str, Any]) -> str:
        """Queue a request and return the id its response will carry.

        Raises:
            LinkClosed: If the link is closed or the handshake is not over.
            ProtocolError: If the request is longer than the peer accepts.
        """
        self._expect(Side.CLIENT, Phase.READY)
        return self._queue_request(method, params)

    def forget(self, request_id: str) -> None:
        """Stop waiting for a response; when it comes, it is dropped."""
        self._pending.pop(request_id, None)

    # The server's end.

    def challenge(self, payload: Mapping[str, Any]) -> None:
        """Queue the challenge; the first thing a server says."""
        self._expect(Side.SERVER, Phase.GREETING)
        self._send(Event(CHALLENGE, dict(payload)))
        self.phase = Phase.CONNECTING

    def accept(self, request_id: str, hello: Mapping[str, Any]) -> None:
        """Answer `connect` with *hello*; the link is ready from here on."""
        self._expect(Side.SERVER, Phase.CONNECTING)
        self._send(Response(request_id, dict(hello)))
        self.phase = Phase.READY

    def refuse(self, request_id: str, error: WireError) -> None:
        """Answer `connect` with an error; the link is closed."""
        self._expect(Side.SERVER, Phase.CONNECTING)
        self._send(Response(request_id, error=error))
        self.close(error.message)

    def respond(self, request_id: str, payload: Any) -> None:
        """Queue the answer to a request."""
        self._expect(Side.SERVER, Phase.READY)
        self._send(Response(request_id, payload))

    def fail(self, request_id: str, error: WireError) -> None:
        """Queue an error as the answer to a request."""
        self._expect(Side.SERVER, Phase.READY)
        self._send(Response(request_id, error=error))

    def push(self, name: str, payload: Any) -> int:
        """Queue an event and return its number."""
        self._expect(Side.SERVER, Phase.READY)
        seq = self._next_seq
        self._send(Event(name, payload, seq))
        self._next_seq = seq + 1
        return seq

    # Inside.

    def _receive_as_client(self, frame: Frame) -> Frame | None:
        match frame:
            case Event(name=name) if self.phase is Phase.GREETING:
                if name != CHALLENGE:
                    raise ProtocolError("the gateway did not begin with a challenge")
                self.phase = Phase.CONNECTING
                return frame
            case Event(seq=seq):
                self._count(seq)
                return frame
            case Response(id=request_id):
                if self._pending.pop(request_id, None) is None:
                    self.dropped_responses += 1
                    return None
                if request_id == self._connect_id and self.phase is Phase.CONNECTING:
                    self._settle_connect(frame)
                return frame
            case Request():
                raise ProtocolError("a gateway sends no requests")

    def _settle_connect(self, response: Response) -> None:
        if response.error is None:
            self.phase = Phase.READY
        else:
            self.close(response.error.message)

    def _receive_as_server(self, frame: Frame) -> Frame:
        if not isinstance(frame, Request):
            raise ProtocolError("a client sends nothing but requests")
        if self.phase is not Phase.READY and (frame.method != CONNECT or self._connect_id):
            raise ProtocolError("the first message must be connect")
        if self.phase is Phase.READY and frame.method == CONNECT:
            raise ProtocolError("the client is connected already")
        if frame.method == CONNECT:
            self._connect_id = frame.id
        return frame

    def _count(self, seq: int | None) -> None:
        if seq is None:
            return
        if self._last_seq is not None and seq > self._last_seq + 1:
            self.missed_events += seq - self._last_seq - 1
        self._last_seq = max(seq, self._last_seq or 0)

    def _queue_request(self, method: str, params: Mapping[str, Any]) -> str:
        request_id = next(self._ids)
        self._send(Request(request_id, method, params))
        self._pending[request_id] = method
        return request_id

    def _send(self, frame: Frame) -> None:
        text = encode(frame)
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > self.max_outgoing_bytes:
            raise ProtocolError(f"the message is {size} bytes; the limit is {self.max_outgoing_bytes}")
        self._outgoing.append(text)

    def _check_open(self, what: str) -> None:
        if self.phase is Phase.CLOSED:
            raise LinkClosed(f"cannot {what}: the link is closed ({self.close_reason})")

    def _expect(self, side: Side, phase: Phase) -> None:
        assert self.side is side, f"a {self.side.value} cannot do what a {side.value} does"
        self._check_open("send")
        if self.phase is not phase:
            raise LinkClosed(f"the link is {self.phase.value}, not {phase.value}")
