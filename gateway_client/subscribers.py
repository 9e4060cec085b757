"""Those who want to be told, in the order in which they asked."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")
Unsubscribe = Callable[[], None]

STREAM_ITEMS = 10_000
"""What a stream keeps for a slow reader; then the oldest are replaced by one notice."""

log = logging.getLogger(__name__)


class Subscribers(Generic[T]):
    """Callbacks that are told each item; one that fails is logged and hinders no other."""

    def __init__(self) -> None:
        self._callbacks: dict[object, Callable[[T], None]] = {}

    def add(self, callback: Callable[[T], None]) -> Unsubscribe:
        """Tell *callback* from now on; call the result to stop."""
        key = object()
        self._callbacks[key] = callback

        def remove() -> None:
            self._callbacks.pop(key, None)

        return remove

    def tell(self, item: T) -> None:
        """Call everyone who subscribed before, and has not left."""
        for key, callback in list(self._callbacks.items()):
            if key not in self._callbacks:
                continue
            try:
                callback(item)
            except Exception:
                log.exception("a subscriber failed on %s", type(item).__name__)


class Stream(Generic[T]):
    """Items one after another, for `async for`; begins when it is made.

    A reader that falls too far behind loses the oldest items and is told so by
    what *when_lost* makes of their number.
    """

    def __init__(self, when_lost: Callable[[int], T], *, max_items: int = STREAM_ITEMS) -> None:
        self._items: deque[T] = deque()
        self._lost = 0
        self._when_lost = when_lost
        self._max_items = max_items
        self._changed = asyncio.Event()
        self.is_closed = False
        self._leave: Unsubscribe = lambda: None

    def follow(self, subscribers: Subscribers[T]) -> Stream[T]:
        """Take the items of *subscribers* until the stream is closed."""
        self._leave = subscribers.add(self.put)
        return self

    def put(self, item: T) -> None:
        """Add an item."""
        if self.is_closed:
            return
        if len(self._items) >= self._max_items:
            self._items.popleft()
            self._lost += 1
        self._items.append(item)
        self._changed.set()

    def close(self) -> None:
        """End the stream; what is in it may still be read."""
        self._leave()
        self.is_closed = True
        self._changed.set()

    def __aiter__(self) -> Stream[T]:
        return self

    async def __anext__(self) -> T:
        while not self._items:
            if self.is_closed:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        if self._lost:
            lost, self._lost = self._lost, 0
            return self._when_lost(lost)
        return self._items.popleft()

    async def __aenter__(self) -> Stream[T]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
