"""The events a chat client reads, typed. Pure.

`parse_event` never raises: an event that is unknown or malformed comes back as
an `OtherEvent`, so that a newer gateway never breaks an older client.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import Field

from gateway_client.errors import ProtocolError
from gateway_client.protocol.blocks import Block, parse_content
from gateway_client.protocol.frames import Event
from gateway_client.protocol.wire_model import WireModel

CHAT = "chat"
AGENT = "agent"
TICK = "tick"
SHUTDOWN = "shutdown"
SESSIONS_CHANGED = "sessions.changed"

ChatState: TypeAlias = Literal["status", "delta", "final", "aborted", "error"]


class WireMessage(WireModel):
    """The message that `chat` events carry, as far as a client reads it."""

    role: str = "assistant"
    content: str | list[dict[str, Any]] = ""
    timestamp: int | None = None

    def blocks(self) -> tuple[Block, ...]:
        """Return the content as typed blocks."""
        return parse_content(self.content)


class ChatEvent(WireModel):
    """A step of a run's visible answer.

    `seq` counts up for each run; a lower one than the highest seen is stale.
    """

    run_id: str
    session_key: str
    seq: int = 0
    state: ChatState
    agent_id: str | None = None
    phase: str | None = None
    delta_text: str | None = None
    replace: bool | None = None
    message: WireMessage | None = None
    stop_reason: str | None = None
    error_message: str | None = None
    usage: dict[str, Any] | None = None

    @property
    def is_end(self) -> bool:
        """Whether the run is over with this event."""
        return self.state in ("final", "aborted", "error")


class AgentEvent(WireModel):
    """A step inside a run: lifecycle, tool calls, partial text."""

    run_id: str
    stream: str
    data: dict[str, Any] = Field(default_factory=dict)
    seq: int = 0
    ts: int = 0
    session_key: str | None = None
    agent_id: str | None = None


class TickEvent(WireModel):
    """A sign of life."""

    ts: int = 0


class ShutdownEvent(WireModel):
    """The gateway is about to end."""

    reason: str
    restart_expected_ms: int | None = None


class OtherEvent(WireModel):
    """An event that this version gives no meaning to."""

    name: str
    payload: Any = None


TypedEvent: TypeAlias = ChatEvent | AgentEvent | TickEvent | ShutdownEvent | OtherEvent

EVENTS: dict[str, type[ChatEvent | AgentEvent | TickEvent | ShutdownEvent]] = {
    CHAT: ChatEvent,
    AGENT: AgentEvent,
    TICK: TickEvent,
    SHUTDOWN: ShutdownEvent,
}
"""Every event that this package gives a type to."""


def parse_event(event: Event) -> TypedEvent:
    """Return the typed form of *event*; never raises."""
    model = EVENTS.get(event.name)
    if model is not None:
        try:
            return model.from_wire(event.payload)
        except ProtocolError:
            pass
    return OtherEvent(name=event.name, payload=event.payload)
