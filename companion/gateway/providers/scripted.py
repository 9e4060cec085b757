"""A provider that answers from a script: for tests and examples."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterable
from typing import TypeAlias

from companion.gateway.provider import Delta, ProviderError, ProviderRequest, TextDelta, ToolCall, TurnEnd

Step: TypeAlias = Delta | asyncio.Event | Exception
"""Something to say, an event to wait for, or an error to raise."""


def say(*words: str) -> list[Step]:
    """Return a turn that says *words*, one delta each."""
    return [TextDelta(word) for word in words]


def call(name: str, call_id: str = "call_1", **arguments: object) -> list[Step]:
    """Return a turn that calls a tool."""
    return [ToolCall(call_id, name, arguments)]


class Scripted:
    """Plays one turn of the script for each request, in order.

    It keeps the `requests` it got, so that a test can look at them. A request
    after the last turn is an error, as a model that is gone would be.
    """

    name = "scripted"
    model = "script"

    def __init__(self, turns: Iterable[list[Step]] = ()) -> None:
        self.turns: deque[list[Step]] = deque(turns)
        self.requests: list[ProviderRequest] = []

    async def close(self) -> None:
        """Hold nothing, so give back nothing."""

    def will(self, *turns: list[Step]) -> None:
        """Add turns to the script."""
        self.turns.extend(turns)

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[Delta, None]:
        """Play the next turn."""
        self.requests.append(request)
        if not self.turns:
            raise ProviderError("the script has no more turns; add one with will()")
        steps = self.turns.popleft()
        for step in steps:
            match step:
                case asyncio.Event():
                    await step.wait()
                case Exception():
                    raise step
                case _:
                    yield step
        if not any(isinstance(step, TurnEnd) for step in steps):
            called = any(isinstance(step, ToolCall) for step in steps)
            yield TurnEnd("toolUse" if called else "stop")
