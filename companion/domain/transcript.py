"""From what a gateway says to the messages of a conversation. Pure.

A transcript is a tuple of messages. History, the local echo of what a person
sent, and the events of runs all end in the same rows, because a row is found
by its key: `user:<idempotency key>` for what a person sent, `run:<run id>` for
what an agent answered. Rules:

1. History replaces what is known, except echoes it does not contain yet.
2. Events of a run are taken in the order of their `seq`; a lower one is dropped.
3. The final message outranks every event of its run, whenever they arrive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from gateway_client.protocol.blocks import ImageBlock, TextBlock, ThinkingBlock, UnknownBlock, WidgetBlock

Role: TypeAlias = Literal["user", "assistant", "system"]
MessageState: TypeAlias = Literal["queued", "sending", "accepted", "failed", "streaming", "complete", "stopped"]
ToolState: TypeAlias = Literal["running", "done", "failed"]


@dataclass(frozen=True, slots=True)
class ToolActivity:
    """One call of a tool from its start to its result, shown as one card."""

    call_id: str
    name: str
    state: ToolState
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result_text: str = ""
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence of ours inside a message: why it failed, or that it was stopped."""

    text: str
    kind: Literal["error", "stopped", "info"] = "info"


Part: TypeAlias = TextBlock | ThinkingBlock | ImageBlock | WidgetBlock | UnknownBlock | ToolActivity | Notice


@dataclass(frozen=True, slots=True)
class Message:
    """One row of a conversation."""

    key: str
    """Stays the same from the first event to the history that tells it again."""
    role: Role
    parts: tuple[Part, ...]
    state: MessageState
    timestamp_ms: int = 0
    run_id: str = ""
