"""What a client says about its own link: a status, and two notices among the events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from gateway_client.errors import GatewayError
from gateway_client.protocol.events import TypedEvent
from gateway_client.protocol.handshake import HelloOk


class LinkState(Enum):
    """How a client's link stands."""

    CONNECTING = "connecting"
    READY = "ready"
    WAITING = "waiting"
    """Not connected; the next try comes by itself."""
    REFUSED = "refused"
    """Not connected; trying again without a change is useless."""
    CLOSED = "closed"
    """The client was closed, or never started."""


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """One moment of a client's link."""

    state: LinkState
    reason: str = ""
    """Why there is no connection, in words; empty while there is one."""
    retry_in_s: float | None = None
    """In WAITING: how long until the next try, counted from this status."""
    attempt: int = 0
    """How many tries failed since the link was last ready."""
    hello: HelloOk | None = None
    """In READY: what the gateway said of itself."""
    round_trip_ms: int | None = None
    """In READY: the time of a sign of life, there and back; None until it was measured."""
    error: GatewayError | None = None
    """What went wrong, for code that decides; `ConnectRefused.next_step` says what helps."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Events were missed: read again what is on screen."""

    missed: int
    """How many, at least."""


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The link is back after a break: read again what is on screen."""

    hello: HelloOk


Notification: TypeAlias = TypedEvent | Gap | Reconnected
"""What a subscriber is told, in order."""
