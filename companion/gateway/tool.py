"""What a tool is, and which tools a run may use.

A tool names the client capabilities it `requires`. A run is offered the tools
whose requirements its client declared, sorted by name: equal capabilities give
byte-equal lists, in whatever order the tools were registered. A tool that a run
was not offered cannot be called in it, even by name.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from companion.domain.a2ui.commands import Setting
from companion.domain.a2ui.replies import Result
from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.canvas import Envelope

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


class ToolError(Exception):
    """The tool could not do it. The model reads the message: what was wrong, the bound, what to do."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answers.

    Args:
        text: For the model.
        details: The same for programs, as `agent` events carry it; None if the text is all.
        blocks: What the person sees in the answer.
    """

    text: str
    details: Mapping[str, Any] | None = None
    blocks: tuple[WidgetBlock, ...] = ()


class Host(Protocol):
    """What a tool may ask of the gateway it runs in."""

    async def store_document(self, *, title: str, html: str) -> str:
        """Host a page for this session and return its id."""

    def canvas_setting(self) -> Setting:
        """Return what commands for the Canvas of the run's client are prepared for."""

    async def canvas_command(self, command: Envelope) -> Result:
        """Send a command to the Canvas of the run's client and wait for the answer.

        Raises:
            A2uiError: If it is not sent, or not answered well.
        """


@dataclass(frozen=True, slots=True)
class ToolContext:
    """For whom a tool runs."""

    session_key: str
    run_id: str
    caps: frozenset[str]
    host: Host


Runner: TypeAlias = Callable[[ToolContext, Mapping[str, Any]], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class Tool:
    """Something a model can do, with its contract.

    Args:
        name: Lower case letters, digits and `_`; what the model calls.
        summary: Tells the model when and how to use it.
        parameters: JSON Schema of the arguments; its type is `object`.
        run: Does it. Gets arguments that the schema accepted; may raise `ToolError`.
        requires: Capabilities that the client of a run must have declared.

    Raises:
        ValueError: If the name or the schema is not usable.
    """

    name: str
    summary: str
    parameters: Mapping[str, Any]
    run: Runner
    requires: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"tool name {self.name!r} must be lower case letters, digits and '_'")
        if self.parameters.get("type") != "object":
            raise ValueError(f"the parameters of tool {self.name!r} must be a schema of type 'object'")
        try:
            Draft202012Validator.check_schema(dict(self.parameters))
        except SchemaError as error:
            raise ValueError(f"the parameters of tool {self.name!r} are no schema: {error.message}") from None

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Judge arguments by the schema.

        Raises:
            ToolError: With the first thing that is wrong, for the model.
        """
        problem = best_match(Draft202012Validator(dict(self.parameters)).iter_errors(dict(arguments)))
        if problem is not None:
            where = ".".join(str(step) for step in problem.absolute_path) or "the arguments"
            raise ToolError(
                f"{self.name}: {where}: {_short(problem.message)}. Call it again with that corrected."
            )


def _short(text: str, limit: int = 300) -> str:
    # The message repeats the value, which may be a whole document.
    return text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 2 :]}"


def select(tools: Iterable[Tool], caps: frozenset[str]) -> tuple[Tool, ...]:
    """Return the tools that a client with *caps* may be offered, sorted by name."""
    return tuple(sorted((tool for tool in tools if tool.requires <= caps), key=lambda tool: tool.name))


def find(offered: Iterable[Tool], name: str) -> Tool:
    """Return the offered tool called *name*.

    Raises:
        ToolError: If the run was not offered it.
    """
    offered = tuple(offered)
    for tool in offered:
        if tool.name == name:
            return tool
    names = ", ".join(tool.name for tool in offered) or "none"
    raise ToolError(f"there is no tool {name[:100]!r} in this conversation. The tools are: {names}.")
