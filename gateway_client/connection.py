"""One connected link: from the challenge to the end, and never again after it.

A connection runs a `Link` over a `Transport`: it pumps texts, keeps calls in
flight as futures, watches that the gateway is alive, and knows why it ended.
It does not reconnect (see `reconnect`).
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TypeVar, cast

from gateway_client.errors import (
    CallFailed,
    CallTimeout,
    ConnectRefused,
    GatewayError,
    InvalidRequest,
    LinkClosed,
    NextStep,
    ProtocolError,
)
from gateway_client.options import ConnectOptions, connect_params
from gateway_client.protocol.frames import PROTOCOL_VERSION, Event, Response
from gateway_client.protocol.handshake import Challenge, HelloOk, refused
from gateway_client.protocol.link import Link, Side
from gateway_client.protocol.methods import Method
from gateway_client.protocol.wire_model import WireModel
from gateway_client.status import Gap
from gateway_client.timing import Timing
from gateway_client.transport import NORMAL_CLOSURE, Transport

CHALLENGE_TIMEOUT_S = 10.0
CONNECT_TIMEOUT_S = 30.0
CLOSE_TIMEOUT_S = 3.0
PING_EVERY_S = 20.0
PONG_TIMEOUT_S = 15.0
SILENT_TICKS = 2
QUEUED_EVENTS = 10_000
PROTOCOL_VIOLATION = 1002

log = logging.getLogger(__name__)

R = TypeVar("R", bound=WireModel)
"""The result of a call."""


def _request_ids() -> Iterator[str]:
    while True:
        yield str(uuid.uuid4())


async def shake_hands(
    transport: Transport, link: Link, options: ConnectOptions
) -> tuple[HelloOk, list[Event]]:
    """Wait for the challenge, answer it, and wait for the gateway's yes.

    Returns:
        What the gateway said of itself, and the events that came before it.

    Raises:
        ConnectRefused: If the gateway said no; `next_step` says what helps.
        LinkClosed: If it closed the connection or did not answer in time.
        ProtocolError: If it broke the protocol.
    """
    try:
        async with asyncio.timeout(CHALLENGE_TIMEOUT_S):
            first = link.receive(await transport.receive())
    except TimeoutError:
        raise LinkClosed(f"the gateway sent no challenge within {CHALLENGE_TIMEOUT_S:.0f} s") from None
    challenge = Challenge.from_wire(first.payload if isinstance(first, Event) else None)
    link.connect(connect_params(options, challenge).to_wire())
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            return await _exchange(transport, link)
    except TimeoutError:
        raise LinkClosed(f"the gateway did not answer connect within {CONNECT_TIMEOUT_S:.0f} s") from None


async def _exchange(transport: Transport, link: Link) -> tuple[HelloOk, list[Event]]:
    for text in link.take_outgoing():
        await transport.send(text)
    early: list[Event] = []
    while not isinstance(frame := link.receive(await transport.receive()), Response):
        if isinstance(frame, Event):
            early.append(frame)
    if frame.error is not None:
        raise refused(frame.error)
    hello = HelloOk.from_wire(frame.payload)
    if hello.protocol != PROTOCOL_VERSION:
        raise ConnectRefused(
            "PROTOCOL_MISMATCH",
            f"the gateway speaks protocol {hello.protocol}, this client {PROTOCOL_VERSION}",
            next_step=NextStep.UPDATE,
        )
    return hello, early


class Connection:
    """A link that is ready; made by `open`.

    Args:
        round_trip_changed: Called after each new measurement of `round_trip_ms`.
    """

    def __init__(
        self,
        transport: Transport,
        link: Link,
        hello: HelloOk,
        timing: Timing,
        round_trip_changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.hello = hello
        self.round_trip_ms: int | None = None
        self.end_reason = ""
        """Why the connection ended; empty while it lives."""
        self._transport = transport
        self._link = link
        self._timing = timing
        self._round_trip_changed = round_trip_changed
        self._calls: dict[str, asyncio.Future[Response]] = {}
        self._events: asyncio.Queue[Event | Gap | None] = asyncio.Queue(QUEUED_EVENTS)
        self._ended = asyncio.Event()
        self._probe = asyncio.Event()
        self._heard_at = timing.clock()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(
        cls,
        transport: Transport,
        options: ConnectOptions,
        *,
        timing: Timing | None = None,
        round_trip_changed: Callable[[], None] = lambda: None,
    ) -> Connection:
        """Shake hands over *transport* and begin to pump; the caller awaits `close`.

        Raises:
            GatewayError: As `shake_hands`; the transport is closed then.
        """
        link = Link(Side.CLIENT, ids=_request_ids())
        try:
            hello, early = await shake_hands(transport, link, options)
        except BaseException as error:
            code = PROTOCOL_VIOLATION if isinstance(error, ProtocolError) else NORMAL_CLOSURE
            await _close_quietly(transport, code, "the handshake failed")
            raise
        # The gateway's bound is on what it takes; ours on what we take stays.
        link.max_outgoing_bytes = max(1, hello.policy.max_payload)
        connection = cls(transport, link, hello, timing or Timing(), round_trip_changed)
        for event in early:
            connection._events.put_nowait(event)
        connection._tasks = [
            asyncio.create_task(connection._pump(), name="gateway link: pump"),
            asyncio.create_task(connection._watch(), name="gateway link: watch"),
        ]
        return connection

    async def call(self, method: Method, params: WireModel, *, timeout_s: float = 30.0) -> WireModel:
        """Call *method* and wait for its result, which has the type `method.result`.

        Raises:
            CallFailed: If the gateway answered with an error.
            CallTimeout: If it did not answer within *timeout_s*; it may still do the work.
            InvalidRequest: If the request is longer than the gateway takes.
            LinkClosed: If the link is closed, or closes before the answer.
            ProtocolError: If the answer is not what the method promises.
        """
        try:
            request_id = self._link.request(method.name, params.to_wire())
        except ProtocolError as error:
            raise InvalidRequest(f"{method.name}: {error}") from error
        answer: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._calls[request_id] = answer
        try:
            async with asyncio.timeout(timeout_s):
                for text in self._link.take_outgoing():
                    await self._transport.send(text)
                response = await answer
        except TimeoutError:
            raise CallTimeout(
                f"{method.name} was not answered within {timeout_s:g} s (request {request_id})"
            ) from None
        finally:
            self._calls.pop(request_id, None)
            self._link.forget(request_id)
            if not answer.cancel() and not answer.cancelled():
                answer.exception()  # a failure that nobody waits for any more is known all the same
        return _result(method, response)

    async def call_as(
        self, kind: type[R], method: Method, params: WireModel, *, timeout_s: float = 30.0
    ) -> R:
        """Call *method* and return its result as *kind*, which must be `method.result`."""
        assert method.result is kind, f"{method.name} answers {method.result.__name__}"
        # The assertion is what the cast says.
        return cast("R", await self.call(method, params, timeout_s=timeout_s))

    async def events(self) -> AsyncIterator[Event | Gap]:
        """Yield the gateway's events in order until the connection ends (see `end_reason`).

        A `Gap` stands where numbers are missing. Only one reader at a time.
        """
        while (item := await self._events.get()) is not None:
            yield item

    def probe(self) -> None:
        """Measure the round trip now; ends the connection if there is no answer."""
        self._probe.set()

    async def close(self, code: int = NORMAL_CLOSURE, reason: str = "") -> None:
        """End the connection and wait until nothing of it runs any more."""
        self._end("the client closed the connection")
        for task in self._tasks:
            task.cancel()
        try:
            for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
                if isinstance(outcome, Exception):
                    log.error("a task of the link failed", exc_info=outcome)
        finally:
            await _close_quietly(self._transport, code, reason)

    # Inside.

    async def _pump(self) -> None:
        try:
            while True:
                await self._take(await self._transport.receive())
        except ProtocolError as error:
            self._end(f"the gateway broke the protocol: {error}")
            await _close_quietly(self._transport, PROTOCOL_VIOLATION, str(error))
        except LinkClosed as error:
            self._end(str(error))
        finally:
            self._end("this client stopped reading")

    async def _take(self, text: str) -> None:
        missed = self._link.missed_events
        frame = self._link.receive(text)
        self._heard_at = self._timing.clock()
        match frame:
            case Response(id=request_id):
                answer = self._calls.get(request_id)
                if answer is not None and not answer.done():
                    answer.set_result(frame)
            case Event():
                if self._link.missed_events > missed:
                    await self._events.put(Gap(self._link.missed_events - missed))
                await self._events.put(frame)

    async def _watch(self) -> None:
        try:
            while not self._ended.is_set():
                self._probe.clear()
                await self._measure()
                await self._pause(PING_EVERY_S)
                self._check_silence()
        except LinkClosed as error:
            self._end(str(error))
            await _close_quietly(self._transport, NORMAL_CLOSURE, str(error))

    async def _measure(self) -> None:
        try:
            async with asyncio.timeout(PONG_TIMEOUT_S):
                self.round_trip_ms = round(1000 * await self._transport.ping())
        except TimeoutError:
            raise LinkClosed(f"the gateway gave no sign of life for {PONG_TIMEOUT_S:.0f} s") from None
        self._round_trip_changed()

    async def _pause(self, seconds: float) -> None:
        """Wait, unless someone asks for a measurement before."""
        sleep = asyncio.ensure_future(self._timing.sleep(seconds))
        asked = asyncio.ensure_future(self._probe.wait())
        try:
            await asyncio.wait((sleep, asked), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleep.cancel()
            asked.cancel()
            await asyncio.gather(sleep, asked, return_exceptions=True)

    def _check_silence(self) -> None:
        tick_s = self.hello.policy.tick_interval_ms / 1000
        silent_s = self._timing.clock() - self._heard_at
        if tick_s > 0 and silent_s > SILENT_TICKS * max(tick_s, 1.0):
            raise LinkClosed(f"the gateway said nothing for {silent_s:.0f} s")

    def _end(self, reason: str) -> None:
        if self._ended.is_set():
            return
        self.end_reason = reason
        self._ended.set()
        self._link.close(reason)
        for request_id, answer in self._calls.items():
            if not answer.done():
                answer.set_exception(LinkClosed(f"request {request_id}: {reason}"))
        # The end must get in even if nobody reads: then the oldest event gives way.
        if self._events.full():
            self._events.get_nowait()
        self._events.put_nowait(None)


def _result(method: Method, response: Response) -> WireModel:
    error = response.error
    if error is not None:
        raise CallFailed(
            method.name,
            error.code,
            error.message,
            details=error.details,
            retryable=bool(error.retryable),
        )
    try:
        return method.result.from_wire(response.payload)
    except ProtocolError as problem:
        raise ProtocolError(f"the gateway's answer to {method.name} makes no sense: {problem}") from problem


async def _close_quietly(transport: Transport, code: int, reason: str) -> None:
    """Close *transport* within a bound; that a broken one cannot say goodbye is no news."""
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await transport.close(code, reason)
    except (GatewayError, OSError, TimeoutError):
        return
