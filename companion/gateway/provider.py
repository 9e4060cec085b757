"""What the gateway asks of a model, and what a model answers. Pure.

A provider streams one turn: words, calls of tools, and an end. It keeps no
state between turns; the whole conversation comes with every request.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

StopReason: TypeAlias = Literal["stop", "toolUse", "length"]


class ProviderError(Exception):
    """The model did not answer; the message is a sentence with a next step for a person."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it."""

    name: str
    summary: str
    parameters: Mapping[str, Any]
    """JSON Schema of the arguments; an object."""

    def to_json(self) -> dict[str, Any]:
        """Return the form that is compared byte by byte."""
        return {"name": self.name, "description": self.summary, "parameters": dict(self.parameters)}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a person sent along."""

    data: str
    """Base64."""
    mime_type: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model wants a tool to run."""

    call_id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    """Why the arguments could not be read, for the model; empty if they could."""


@dataclass(frozen=True, slots=True)
class UserTurn:
    """What a person said."""

    text: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """What the model said, and which tools it called."""

    text: str
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResultTurn:
    """What a tool answered."""

    call_id: str
    name: str
    text: str
    is_error: bool = False


Turn: TypeAlias = UserTurn | AssistantTurn | ToolResultTurn


@dataclass(frozen=True, slots=True)
class ProviderRequest:
    """One turn that a model is asked for."""

    turns: tuple[Turn, ...]
    """The conversation, oldest first; never empty."""
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More words of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """More words of the model's reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The turn is over; the last thing a stream says."""

    stop_reason: StopReason = "stop"
    usage: Mapping[str, int] | None = None
    """Tokens: `input`, `output`, `totalTokens`."""


Delta: TypeAlias = TextDelta | ThinkingDelta | ToolCall | TurnEnd


class Provider(Protocol):
    """Something that answers: a model behind an endpoint, or a script."""

    @property
    def name(self) -> str:
        """Who answers, for the gateway's messages: `guide`, `openai`, …"""

    @property
    def model(self) -> str:
        """Which model answers, as a person should read it."""

    def stream(self, request: ProviderRequest) -> AsyncGenerator[Delta, None]:
        """Answer one turn.

        Raises:
            ProviderError: If there is no answer. What was streamed before stays said.
        """

    async def close(self) -> None:
        """Give back what it holds; nothing is streamed afterwards."""
