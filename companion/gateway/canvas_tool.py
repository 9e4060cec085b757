"""What the tools of a Canvas have in common: prepare a command, send it, tell the model what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.domain.a2ui.commands import prepare
from companion.domain.a2ui.refusal import A2uiError
from companion.gateway.tool import Tool, ToolContext, ToolError, ToolResult
from gateway_client.protocol.canvas import CAPABILITIES

SURFACE: dict[str, Any] = {"type": "string", "description": "Id of the surface; 'main' if left out."}


@dataclass(frozen=True, slots=True)
class CanvasTool(Tool):
    """A tool whose arguments are judged by the rules of the Canvas, which are more lenient than a schema."""

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Take everything: the rules judge it, with sentences that say more."""


def canvas_tool(
    name: str, summary: str, properties: Mapping[str, Any], required: tuple[str, ...] = ()
) -> Tool:
    """Return the tool for command *name*, offered to clients that have its capability."""

    async def run(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        try:
            command = prepare(name, arguments, context.host.canvas_setting())
            result = await context.host.canvas_command(command)
        except A2uiError as error:
            raise ToolError(f"Error: {error}") from None
        accepted = f"The client accepted {name} (request {result.request_id})."
        return ToolResult(accepted if result.data is None else result.data)

    parameters = {"type": "object", "properties": dict(properties), "required": list(required)}
    return CanvasTool(name, summary, parameters, run, requires=frozenset({CAPABILITIES[name]}))
