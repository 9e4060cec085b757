"""One run: the model is asked, its tools run, it is asked again, until it has answered.

What a turn said is kept before its tools run. The last message of a run is not
kept here: the caller keeps it together with the run's end.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from companion.gateway.provider import (
    Provider,
    ProviderError,
    ProviderRequest,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolSpec,
    TurnEnd,
)
from companion.gateway.runs.cleaning import clean, clean_text
from companion.gateway.runs.conversation import turns
from companion.gateway.runs.narrator import Narrator
from companion.gateway.stores.transcripts import NewMessage, Transcripts
from companion.gateway.tool import Host, Tool, ToolContext, ToolError, ToolResult, find, select
from gateway_client.protocol.blocks import ThinkingBlock, ToolCallBlock

log = logging.getLogger(__name__)

TOOL_LIMIT_S = 120.0
MAX_RESULT_CHARS = 262_144
CONTEXT_MESSAGES = 200


@dataclass(frozen=True, slots=True)
class Order:
    """What a client asked for, as it stood when it asked."""

    run_id: str
    session_key: str
    caps: frozenset[str]
    """What that client can show: stamped when the message was sent."""
    timeout_s: float | None = None
    client_id: str = ""
    """The connection that asked; its Canvas is the one that tools reach."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a run that succeeded."""

    stop_reason: str
    usage: Mapping[str, int] | None


@dataclass(slots=True)
class _Turn:
    """What the model said in one turn."""

    thinking: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    end: TurnEnd = field(default_factory=TurnEnd)


def offered_specs(tools: tuple[Tool, ...]) -> tuple[ToolSpec, ...]:
    """Return selected tools as a model sees them, in the same order."""
    return tuple(ToolSpec(tool.name, tool.summary, tool.parameters) for tool in tools)


@dataclass(frozen=True, slots=True)
class Equipment:
    """What every run uses."""

    provider: Provider
    tools: tuple[Tool, ...]
    transcripts: Transcripts
    host_for: Callable[[Order], Host]
    """From what was asked to what its tools may ask of the gateway."""
    now_ms: Callable[[], int]
    max_turns: int = 20


class RunLoop:
    """One run from its first question to its answer."""

    def __init__(self, equipment: Equipment, order: Order, narrator: Narrator) -> None:
        self.raw_texts: dict[str, str] = {}
        """The result behind each widget, by its id."""
        self._use = equipment
        self._order = order
        self._narrator = narrator
        self._offered = select(equipment.tools, order.caps)

    async def play(self) -> Answer:
        """Answer the message; the words stay in the narrator, also if this fails or is cancelled.

        Raises:
            ProviderError: If there is no answer; the message is for a person.
        """
        self._narrator.status("preparing_context")
        self._narrator.lifecycle("start", startedAt=self._use.now_ms())
        try:
            async with asyncio.timeout(self._order.timeout_s):
                return await self._turns()
        except TimeoutError:
            raise ProviderError(
                f"there was no answer within {self._order.timeout_s:g} seconds. "
                "Send the message again, or allow more time."
            ) from None

    async def _turns(self) -> Answer:
        self._narrator.status("starting_model")
        for _ in range(self._use.max_turns):
            turn = await self._ask()
            if not turn.calls:
                if not self._narrator.text and not self._narrator.blocks:
                    raise ProviderError(
                        "the model ended without an answer. Send the message again, or choose another model."
                    )
                return Answer(turn.end.stop_reason, turn.end.usage)
            await self._keep(turn)
            for call in turn.calls:
                await self._run_tool(call)
        raise ProviderError(
            f"the model called tools in {self._use.max_turns} turns without an answer and was stopped. "
            "Ask for less at once, or raise max_turns_per_run in the settings."
        )

    async def _ask(self) -> _Turn:
        provider = self._use.provider
        kept = await self._use.transcripts.conversation(self._order.run_id, limit=CONTEXT_MESSAGES)
        request = ProviderRequest(turns(kept), offered_specs(self._offered))
        self._narrator.begin_turn()
        self._narrator.lifecycle("model", provider=provider.name, model=provider.model)
        turn = _Turn()
        async with aclosing(provider.stream(request)) as stream:
            async for delta in stream:
                match delta:
                    case TextDelta(text=text):
                        self._narrator.say(clean_text(text))
                    case ThinkingDelta(text=text):
                        turn.thinking += clean_text(text)
                    case ToolCall():
                        turn.calls.append(delta)
                    case TurnEnd():
                        turn.end = delta
        self._narrator.flush()
        return turn

    async def _keep(self, turn: _Turn) -> None:
        content: list[dict[str, Any]] = []
        if turn.thinking:
            content.append(ThinkingBlock(turn.thinking).to_wire())
        if self._narrator.turn_text:
            content.append({"type": "text", "text": self._narrator.turn_text})
        content += [_call_block(call).to_wire() for call in turn.calls]
        body: dict[str, Any] = {"content": content, "stopReason": "toolUse", **self.origin()}
        if turn.end.usage:
            body["usage"] = dict(turn.end.usage)
        await self._append("assistant", body)
        # What is kept must not be kept again with the run's last message.
        self._narrator.begin_turn()

    def origin(self) -> dict[str, str]:
        """Return who answers, as messages say it."""
        return {"provider": self._use.provider.name, "model": self._use.provider.model}

    async def _append(self, role: str, body: Mapping[str, Any]) -> None:
        message = NewMessage(role, body, self._use.now_ms(), self._order.run_id)
        await self._use.transcripts.append(self._order.session_key, message)

    async def _run_tool(self, call: ToolCall) -> None:
        started_at_ms = self._use.now_ms()
        # The tool judges what the model really wrote; everybody else gets it fit for the wire.
        shown = replace(call, arguments=clean(call.arguments))
        self._narrator.tool_started(shown, started_at_ms)
        try:
            result, is_error = await self._call(call), False
        except ToolError as error:
            result, is_error = _error_result(call.name, str(error)), True
        content = [{"type": "text", "text": clean_text(result.text)}]
        self._narrator.blocks += result.blocks
        self.raw_texts.update({block.view_id: result.text for block in result.blocks})
        about = {"toolCallId": call.call_id, "toolName": call.name}
        await self._append("toolResult", {**about, "content": content, "isError": is_error})
        told: dict[str, Any] = {"content": content}
        if result.details is not None:
            told["details"] = clean(result.details)
        self._narrator.tool_ended(shown, told, is_error=is_error, started_at_ms=started_at_ms)

    async def _call(self, call: ToolCall) -> ToolResult:
        tool = find(self._offered, call.name)
        if call.problem:
            raise ToolError(f"{call.name}: {call.problem}")
        tool.check(call.arguments)
        order = self._order
        context = ToolContext(order.session_key, order.run_id, order.caps, self._use.host_for(order))
        try:
            async with asyncio.timeout(TOOL_LIMIT_S):
                result = await tool.run(context, call.arguments)
        except ToolError:
            raise
        except TimeoutError:
            raise ToolError(
                f"{call.name} was not done after {TOOL_LIMIT_S:g} seconds and was stopped. Ask for less."
            ) from None
        # A boundary: a fault of one tool, ours or a plugin's, is told to the model and ends no run.
        except Exception as error:
            log.exception("tool %r failed", call.name)
            raise ToolError(
                f"{call.name} failed: {type(error).__name__}: {error}. Go on without it and say so."
            ) from error
        return _bounded(call.name, result)


def _call_block(call: ToolCall) -> ToolCallBlock:
    return ToolCallBlock(call.call_id, call.name, clean(call.arguments))


def _bounded(name: str, result: ToolResult) -> ToolResult:
    if len(result.text) > MAX_RESULT_CHARS:
        raise ToolError(
            f"{name} answered {len(result.text)} characters; the limit is {MAX_RESULT_CHARS}. Ask for less."
        )
    return result


def _error_result(name: str, reason: str) -> ToolResult:
    details = {"status": "error", "tool": name, "error": reason}
    return ToolResult(json.dumps(details, indent=2, ensure_ascii=False), details)
