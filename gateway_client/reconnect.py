"""Keeps one connection to a gateway: opens it, and opens it again when it breaks.

Rules:

1. A final refusal ends the tries until the person changes something.
2. A gateway that is still starting is asked again quietly, at its own pace.
3. Nothing is sent on connect but the handshake.
4. Whoever listens is told `Reconnected` after a break, and `Gap` where events are missing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

from gateway_client.backoff import LONGEST_DELAY_S, delay_s
from gateway_client.connection import Connection
from gateway_client.errors import ConnectRefused, GatewayError, LinkClosed, NextStep
from gateway_client.options import ConnectOptions
from gateway_client.protocol.frames import Event
from gateway_client.protocol.link import DEFAULT_MAX_FRAME_BYTES
from gateway_client.status import Gap, LinkState, LinkStatus, Reconnected
from gateway_client.subscribers import Subscribers
from gateway_client.timing import Timing
from gateway_client.transport import Transport, open_websocket

Opener: TypeAlias = Callable[[ConnectOptions], Awaitable[Transport]]
"""Opens a transport to the gateway that the options name."""

STABLE_AFTER_S = 5.0
"""A link that broke sooner counts as a failed try, so that the delays grow."""
SHORTEST_RETRY_S = 0.1

log = logging.getLogger(__name__)


async def open_by_websocket(options: ConnectOptions) -> Transport:
    """Open a websocket to where *options* say; the opener that a client uses by itself."""
    return await open_websocket(
        options.url, max_size=DEFAULT_MAX_FRAME_BYTES, allow_plain=options.allow_plain
    )


class Reconnector:
    """The life of a client's link over all its connections.

    Args:
        options: Where to connect; `change` replaces them.
        opener: Opens a transport.
        arrived: Told each event, gap and reconnection, in order.
    """

    def __init__(
        self,
        options: ConnectOptions,
        opener: Opener,
        timing: Timing,
        arrived: Callable[[Event | Gap | Reconnected], None],
    ) -> None:
        self.options = options
        self.status = LinkStatus(LinkState.CLOSED, reason="the client was not started")
        self.watchers: Subscribers[LinkStatus] = Subscribers()
        self._opener = opener
        self._timing = timing
        self._arrived = arrived
        self._connection: Connection | None = None
        self._was_ready = False
        self._failed_tries = 0
        self._lives: set[asyncio.Task[None]] = set()
        self._is_started = False
        self._is_closed = False

    def start(self) -> None:
        """Begin to connect; the caller awaits `close`."""
        if self._is_closed:
            raise LinkClosed("the client is closed; make a new one")
        if not self._is_started:
            self._is_started = True
            self._begin_life()

    @property
    def has_connection(self) -> bool:
        """Whether there is a connection that has not ended; the status follows a moment later."""
        return self._connection is not None and not self._connection.end_reason

    def connection(self) -> Connection:
        """Return the connection that is ready.

        Raises:
            LinkClosed: If there is none; the message says why.
        """
        if not self.has_connection or self._connection is None:
            raise LinkClosed(f"not connected to the gateway: {self.status.reason or 'connecting'}")
        return self._connection

    def retry_now(self) -> None:
        """Try at once instead of waiting; on a link that is ready, check that it lives."""
        if self._connection is not None:
            self._connection.probe()
        elif self.status.state in (LinkState.WAITING, LinkState.REFUSED):
            self._begin_life()

    def change(self, options: ConnectOptions) -> None:
        """Connect as *options* say from now on; a connection that was made otherwise is closed."""
        self.options = options
        if self._is_started and not self._is_closed:
            self._begin_life()

    async def close(self) -> None:
        """End the connection and every try, and wait until nothing runs any more."""
        self._is_closed = True
        for life in self._lives:
            life.cancel()
        await asyncio.gather(*self._lives, return_exceptions=True)
        self._tell(LinkStatus(LinkState.CLOSED, reason="the client is closed"))

    # Inside.

    def _begin_life(self) -> None:
        """Start to connect afresh. The life before is cancelled, and over before the new one opens."""
        self._connection = None
        self._tell(LinkStatus(LinkState.CONNECTING))
        before = set(self._lives)
        for life in before:
            life.cancel()
        self._failed_tries = 0
        life = asyncio.create_task(self._live(before), name="gateway client: link")
        self._lives.add(life)
        life.add_done_callback(self._end_life)

    def _end_life(self, life: asyncio.Task[None]) -> None:
        self._lives.discard(life)
        if not life.cancelled() and (error := life.exception()) is not None:
            log.error("the link's task failed", exc_info=error)
            self._tell(LinkStatus(LinkState.REFUSED, reason=f"this program failed: {error!r}"))

    async def _live(self, before: set[asyncio.Task[None]]) -> None:
        if before:
            await asyncio.wait(before)
        while True:
            try:
                await self._connect_and_listen()
            except GatewayError as error:
                if not await self._wait_after(error):
                    return

    async def _connect_and_listen(self) -> None:
        """Connect, and hand on what arrives until the connection ends; always raises."""
        if not self._is_starting(self.status.error):
            self._tell(LinkStatus(LinkState.CONNECTING, attempt=self._failed_tries))
        transport = await self._opener(self.options)
        connection = await Connection.open(
            transport, self.options, timing=self._timing, round_trip_changed=self._tell_ready
        )
        began_at = self._timing.clock()
        try:
            self._connection = connection
            self._tell_ready()
            if self._was_ready:
                self._arrived(Reconnected(connection.hello))
            self._was_ready = True
            async for item in connection.events():
                self._arrived(item)
        finally:
            self._connection = None
            if self._timing.clock() - began_at >= STABLE_AFTER_S:
                self._failed_tries = 0
            self._tell(LinkStatus(LinkState.CONNECTING, reason=connection.end_reason))
            await connection.close()
        raise LinkClosed(connection.end_reason)

    async def _wait_after(self, error: GatewayError) -> bool:
        """Tell what went wrong and wait; returns whether to try again."""
        self._failed_tries += 1
        if isinstance(error, ConnectRefused) and error.is_final:
            self._tell(
                LinkStatus(LinkState.REFUSED, reason=str(error), attempt=self._failed_tries, error=error)
            )
            return False
        delay = self._delay_s(error)
        if self._is_starting(error):
            state, shown_delay = LinkState.CONNECTING, None
        else:
            state, shown_delay = LinkState.WAITING, delay
        self._tell(
            LinkStatus(
                state, reason=str(error), retry_in_s=shown_delay, attempt=self._failed_tries, error=error
            )
        )
        await self._timing.sleep(delay)
        return True

    def _delay_s(self, error: GatewayError) -> float:
        if isinstance(error, ConnectRefused) and error.retry_after_ms is not None:
            return min(LONGEST_DELAY_S, max(SHORTEST_RETRY_S, error.retry_after_ms / 1000))
        return delay_s(self._failed_tries, self._timing.rng())

    @staticmethod
    def _is_starting(error: GatewayError | None) -> bool:
        return isinstance(error, ConnectRefused) and error.next_step is NextStep.RETRY

    def _tell_ready(self) -> None:
        if self._connection is not None:
            self._tell(
                LinkStatus(
                    LinkState.READY,
                    hello=self._connection.hello,
                    round_trip_ms=self._connection.round_trip_ms,
                )
            )

    def _tell(self, status: LinkStatus) -> None:
        if status != self.status:
            self.status = status
            self.watchers.tell(status)


def with_endpoint(options: ConnectOptions, url: str, token: str | None) -> ConnectOptions:
    """Return *options* for the same gateway at another address."""
    return replace(options, url=url, token=token)
