"""The agent that is there without any account: "Guide (no model)". Pure.

It is a script and says so. It takes the same way as a model: it sees the tools
that the run was offered, calls them, reads their results, and answers in a
stream. The words of the person choose what it shows.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from companion.gateway.provider import (
    AssistantTurn,
    Delta,
    ProviderRequest,
    TextDelta,
    ToolCall,
    ToolResultTurn,
    TurnEnd,
    UserTurn,
)
from companion.gateway.providers.guide import pages

NAME = "Guide (no model)"

HELP = (
    "I am the Guide, a script without a model, so I do not understand what you write. "
    "I can show what this program does. Try one of these words:\n\n"
    "- **widget**: a small interactive page in the answer (also *widget svg*, *widget counter*)\n"
    "- **markdown**: text with headings, a table and code\n"
    "- **slow**: a long answer, to try the stop button\n\n"
    "For a real agent, connect a model in the settings, or another gateway."
)
NO_WIDGETS = (
    "Your client did not say that it can draw widgets, so I am not offered the tool that makes them. "
    "Use the Companion window, or a client that declares `inline-widgets`."
)
MARKDOWN = """# Markdown

This answer is written **by hand in a script**, to show how text looks.

## A table

| block | drawn by | try |
| --- | --- | --- |
| text | this window | `markdown` |
| widget | the sandbox | `widget` |

## Code

```python
def greet(name: str) -> str:
    return f"Hello, {name}!"
```

> A quotation stands apart from the rest.

1. First, a numbered list,
2. with *emphasis*, `code` and a [link](https://example.com).

- [x] a task that is done
- [ ] one that is not
"""
_PAUSE_S = 0.1
_SLOW_WORDS = 120


@dataclass(frozen=True, slots=True)
class Guide:
    """A provider that needs nothing.

    Args:
        pause_s: Between the words of the slow answer.
    """

    pause_s: float = _PAUSE_S

    @property
    def name(self) -> str:
        """Who answers."""
        return "guide"

    @property
    def model(self) -> str:
        """The name that is shown."""
        return NAME

    async def close(self) -> None:
        """Hold nothing, so give back nothing."""

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[Delta, None]:
        """Answer the newest words of the person."""
        text, results = newest(request)
        reply = next((reply for word, reply in _REPLIES if word in text), None)
        if reply is None:
            deltas: list[Delta] = [TextDelta(HELP)]
        else:
            deltas = reply(text, request, results)
        is_slow = reply is _slow
        for delta in deltas:
            if is_slow:
                await asyncio.sleep(self.pause_s)
            yield delta
        calls = any(isinstance(delta, ToolCall) for delta in deltas)
        yield TurnEnd("toolUse" if calls else "stop")


def newest(request: ProviderRequest) -> tuple[str, list[ToolResultTurn]]:
    """Return the newest words of the person in lower case, and what tools answered since."""
    results: list[ToolResultTurn] = []
    for turn in reversed(request.turns):
        match turn:
            case UserTurn(text=text):
                return text.casefold(), results[::-1]
            case ToolResultTurn():
                results.append(turn)
            case AssistantTurn():
                continue
    return "", results[::-1]


def _widget(text: str, request: ProviderRequest, results: list[ToolResultTurn]) -> list[Delta]:
    if not any(tool.name == "show_widget" for tool in request.tools):
        return [TextDelta(NO_WIDGETS)]
    if results:
        last = results[-1]
        said = f"The widget was refused: {last.text}" if last.is_error else pages.AFTER
        return [TextDelta(said)]
    page = pages.choose(text)
    number = sum(isinstance(turn, UserTurn) for turn in request.turns)
    arguments = {"title": page.title, "widget_code": page.code}
    return [ToolCall(f"guide_{number}_1", "show_widget", arguments)]


def _markdown(_text: str, _request: ProviderRequest, _results: list[ToolResultTurn]) -> list[Delta]:
    return [TextDelta(line + "\n") for line in MARKDOWN.splitlines()]


def _slow(_text: str, _request: ProviderRequest, _results: list[ToolResultTurn]) -> list[Delta]:
    words = ["This answer is slow on purpose, so that you can stop it."]
    words += [f" word {number}" for number in range(1, _SLOW_WORDS + 1)]
    return [TextDelta(word) for word in words]


_REPLIES: tuple[tuple[str, Callable[[str, ProviderRequest, list[ToolResultTurn]], list[Delta]]], ...] = (
    ("widget", _widget),
    ("markdown", _markdown),
    ("slow", _slow),
)
