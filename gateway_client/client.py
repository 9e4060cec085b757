"""The client that a program holds: typed calls, events in order, one link kept open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from gateway_client.calls import ChatCalls
from gateway_client.documents import Document, DocumentReader
from gateway_client.errors import LinkClosed
from gateway_client.identity import DeviceIdentity
from gateway_client.options import ConnectOptions
from gateway_client.protocol.blocks.widget import WidgetBlock
from gateway_client.protocol.caps import normalise
from gateway_client.protocol.events import parse_event
from gateway_client.protocol.frames import Event
from gateway_client.protocol.handshake import HelloOk
from gateway_client.reconnect import Opener, Reconnector, open_by_websocket, with_endpoint
from gateway_client.status import Gap, LinkState, LinkStatus, Notification, Reconnected
from gateway_client.subscribers import Stream, Subscribers, Unsubscribe
from gateway_client.timing import Timing
from gateway_client.transport import system_tls


class GatewayClient(ChatCalls):
    """A client of one gateway.

    `start` it, await `wait_ready` or watch its status, and await `close` at the
    end. While the link is broken calls raise `LinkClosed`; the link comes back
    by itself, and then nothing is sent that nobody asked for.

    Args:
        options: Where to connect, as whom, and with which promises.
        opener: Opens a transport; by default a websocket.
        timing: Clock, sleep and chance.
    """

    def __init__(
        self,
        options: ConnectOptions,
        *,
        opener: Opener = open_by_websocket,
        timing: Timing | None = None,
    ) -> None:
        self._link = Reconnector(options, opener, timing or Timing(), self._take)
        super().__init__(self._link.connection, lambda: self._link.options.call_timeout_s)
        self._documents = DocumentReader(tls=system_tls)
        self._subscribers: Subscribers[Notification] = Subscribers()
        self._raw_subscribers: Subscribers[Event] = Subscribers()
        self._streams: list[Stream[Notification]] = []

    # The link.

    @property
    def status(self) -> LinkStatus:
        """How the link stands."""
        return self._link.status

    def watch_status(self, callback: Callable[[LinkStatus], None]) -> Unsubscribe:
        """Call *callback* with each new status; call the result to stop."""
        return self._link.watchers.add(callback)

    async def start(self) -> None:
        """Begin to connect and return at once; whoever starts a client awaits its `close`."""
        self._link.start()

    async def wait_ready(self, timeout_s: float) -> HelloOk:
        """Wait until the link is ready, over as many tries as it takes.

        Raises:
            ConnectRefused: If the gateway said no for good; `advice` says what helps.
            LinkClosed: If the client is closed, or the time is over; with the last reason.
        """
        changed = asyncio.Event()
        unwatch = self.watch_status(lambda _: changed.set())
        try:
            async with asyncio.timeout(timeout_s):
                while (hello := self._ready_hello()) is None:
                    await changed.wait()
                    changed.clear()
                return hello
        except TimeoutError:
            reason = self.status.reason or "the gateway did not answer"
            raise LinkClosed(f"not connected within {timeout_s:g} s: {reason}") from self.status.error
        finally:
            unwatch()

    def retry_now(self) -> None:
        """Try to connect at once; on a link that is ready, check that it still lives."""
        self._link.retry_now()

    def change_endpoint(self, url: str, token: str | None) -> None:
        """Connect to another address from now on, as for a gateway that was started again."""
        self._documents.forget()
        self._link.change(with_endpoint(self._link.options, url, token))

    async def close(self) -> None:
        """End the link, fail the calls in flight and end every event stream."""
        await self._link.close()
        for stream in self._streams:
            stream.close()

    # Events.

    def subscribe(self, callback: Callable[[Notification], None]) -> Unsubscribe:
        """Call *callback* with each event in order; call the result to stop.

        Besides the gateway's typed events there come `Gap`, when events were
        missed, and `Reconnected`, after a break: read again what is on screen.
        """
        return self._subscribers.add(callback)

    def subscribe_raw(self, callback: Callable[[Event], None]) -> Unsubscribe:
        """Call *callback* with each event as it was received, before its typed form."""
        return self._raw_subscribers.add(callback)

    def events(self) -> Stream[Notification]:
        """Return what `subscribe` tells as a stream for `async for`; it begins now.

        Close it, or use it in `async with`; it ends when the client is closed.
        """
        stream: Stream[Notification] = Stream(Gap)
        self._streams = [other for other in self._streams if not other.is_closed]
        self._streams.append(stream.follow(self._subscribers))
        return stream

    # Documents.

    async def read_document(self, block: WidgetBlock) -> Document:
        """Read the page of a hosted widget; it is kept, because documents never change.

        Raises:
            DocumentRefused: If it may not or can not be read; the message is a sentence.
            LinkClosed: If there is no connection.
        """
        return await self._documents.read(block, self._link.connection(), self._link.options.url)

    # Inside.

    def _ready_hello(self) -> HelloOk | None:
        status = self.status
        if status.state is LinkState.REFUSED:
            raise status.error or LinkClosed(status.reason)
        if status.state is LinkState.CLOSED:
            raise LinkClosed(status.reason)
        return status.hello if self._link.has_connection else None

    def _take(self, item: Event | Gap | Reconnected) -> None:
        if isinstance(item, Event):
            self._raw_subscribers.tell(item)
            self._subscribers.tell(parse_event(item))
        else:
            self._subscribers.tell(item)


@asynccontextmanager
async def connect(
    url: str,
    *,
    token: str | None = None,
    caps: Iterable[str] = (),
    identity: DeviceIdentity | None = None,
    timeout_s: float = 30.0,
) -> AsyncIterator[GatewayClient]:
    """Yield a client that is ready, and close it at the end.

    Args:
        caps: What the program can really show or do, as `inline-widgets`.
        identity: By default a new one, which a gateway may want to approve first.
        timeout_s: How long connecting may take.

    Raises:
        ConnectRefused: If the gateway said no; `advice` says what helps.
        LinkClosed: If there was no connection within *timeout_s*.
    """
    options = ConnectOptions(
        url, token=token, caps=normalise(caps), identity=identity or DeviceIdentity.generate()
    )
    client = GatewayClient(options)
    await client.start()
    try:
        await client.wait_ready(timeout_s)
        yield client
    finally:
        await client.close()
