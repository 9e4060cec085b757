"""Who is connected, and telling all of them something.

Publishing never waits: each subscriber queues for itself, and one that does not
read is cut by its own connection.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Subscriber(Protocol):
    """A connected client."""

    @property
    def caps(self) -> frozenset[str]:
        """What it declared when it connected."""

    def push(self, name: str, payload: Any) -> None:
        """Queue an event for it; never waits, never raises."""


class Hub:
    """The connected clients."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []

    def __len__(self) -> int:
        return len(self._subscribers)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Add a client; call the result to remove it again."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    def publish(self, name: str, payload: Any, *, requires: str | None = None) -> None:
        """Tell every client, or those that declared the capability *requires*."""
        for subscriber in tuple(self._subscribers):
            if requires is None or requires in subscriber.caps:
                subscriber.push(name, payload)
