"""From what a gateway says to the messages of a conversation. Pure.

A transcript is a tuple of messages. History, the local echo of what a person
sent, and the events of runs all end in the same rows, because a row is found
by its key: `user:<idempotency key>` for what a person sent, `run:<run id>` for
what an agent answered. Rules:

1. History replaces what is known, except echoes it does not contain yet.
2. Answers of a run are taken in the order of their `seq`; a lower one is dropped.
3. The end of a run outranks every other event of it, whenever they arrive; a
   late tool event may complete its own card and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from gateway_client.protocol.blocks import ImageBlock, TextBlock, ThinkingBlock, UnknownBlock, WidgetBlock

Role: TypeAlias = Literal["user", "assistant", "system"]
MessageState: TypeAlias = Literal[
    "queued", "sending", "accepted", "failed", "streaming", "complete", "stopped"
]
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
    timestamp_ms: int = field(default=0, compare=False)
    """For show only: an echo, an event and history each have a clock of their own."""
    run_id: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The rows of one conversation, oldest first."""

    messages: tuple[Message, ...] = ()

    def index_of(self, key: str) -> int | None:
        """Return the place of the row with *key*; the newest rows are looked at first."""
        for index in range(len(self.messages) - 1, -1, -1):
            if self.messages[index].key == key:
                return index
        return None

    def find(self, key: str) -> Message | None:
        """Return the row with *key*."""
        index = self.index_of(key)
        return None if index is None else self.messages[index]

    def put(self, message: Message) -> Transcript:
        """Return a transcript in which *message* stands in the place of its key, or at the end."""
        index = self.index_of(message.key)
        if index is None:
            return Transcript((*self.messages, message))
        if self.messages[index] == message:
            return self
        return Transcript((*self.messages[:index], message, *self.messages[index + 1 :]))


def user_key(idempotency_key: str) -> str:
    """Return the key of the row for what a person sent."""
    return f"user:{idempotency_key.removesuffix(':user')}"


def run_key(run_id: str) -> str:
    """Return the key of the row for a run's answer."""
    return f"run:{run_id}"


def part_key(message: Message, index: int) -> str:
    """Return a key for a part that stays the same while other parts come and go around it."""
    name = _part_name(message.parts[index])
    if name is None:
        return f"{message.key}/{index}"
    again = sum(1 for part in message.parts[:index] if _part_name(part) == name)
    return f"{message.key}/{name}/{again}" if again else f"{message.key}/{name}"


def _part_name(part: Part) -> str | None:
    if isinstance(part, WidgetBlock) and part.view_id:
        return f"widget/{part.view_id}"
    return f"tool/{part.call_id}" if isinstance(part, ToolActivity) else None


def echo(transcript: Transcript, idempotency_key: str, text: str, now_ms: int) -> Transcript:
    """Show what a person sent before the gateway has it."""
    row = Message(user_key(idempotency_key), "user", (TextBlock(text),), "sending", now_ms)
    return transcript.put(row)


def settle_echo(
    transcript: Transcript, idempotency_key: str, state: MessageState, reason: str = ""
) -> Transcript:
    """Say what became of a sent message: accepted, queued, or failed with a *reason*."""
    row = transcript.find(user_key(idempotency_key))
    if row is None:
        return transcript
    parts: tuple[Part, ...] = tuple(part for part in row.parts if not isinstance(part, Notice))
    if reason:
        parts = (*parts, Notice(reason, "error"))
    return transcript.put(replace(row, parts=parts, state=state))
