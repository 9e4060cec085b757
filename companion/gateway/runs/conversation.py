"""From the messages that are kept to the turns that a model is asked with. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.gateway.provider import AssistantTurn, Picture, ToolCall, ToolResultTurn, Turn, UserTurn
from gateway_client.protocol.blocks import ImageBlock, TextBlock, ToolCallBlock, parse_content

STOPPED = "the call was stopped before it was over; its result is not known"


def turns(messages: Iterable[Mapping[str, Any]]) -> tuple[Turn, ...]:
    """Return the turns of wire messages, oldest first, in a form that every model takes.

    The first turn is a person's. Each call of a tool is followed by its result;
    one that is missing, because the run was stopped, is said to be unknown.
    """
    found: list[Turn] = []
    for message in messages:
        turn = _turn(message)
        if turn is not None:
            found.append(turn)
    while found and not isinstance(found[0], UserTurn):
        del found[0]
    return tuple(_with_all_results(found))


def _turn(message: Mapping[str, Any]) -> Turn | None:
    blocks = parse_content(message.get("content"))
    text = "\n\n".join(block.text for block in blocks if isinstance(block, TextBlock) and block.text)
    match message.get("role"):
        case "user":
            pictures = (block for block in blocks if isinstance(block, ImageBlock))
            return UserTurn(text, tuple(Picture(block.data, block.mime_type) for block in pictures))
        case "assistant":
            calls = (block for block in blocks if isinstance(block, ToolCallBlock))
            made = tuple(ToolCall(block.call_id, block.name, block.arguments) for block in calls)
            return AssistantTurn(text, made) if text or made else None
        case "toolResult":
            call_id, name = str(message.get("toolCallId")), str(message.get("toolName"))
            return ToolResultTurn(call_id, name, text, is_error=bool(message.get("isError")))
    return None


def _with_all_results(found: Sequence[Turn]) -> Iterable[Turn]:
    open_calls: dict[str, ToolCall] = {}
    for turn in found:
        if isinstance(turn, ToolResultTurn):
            if open_calls.pop(turn.call_id, None) is not None:
                yield turn
            continue
        yield from _unknown(open_calls)
        open_calls = {call.call_id: call for call in turn.calls} if isinstance(turn, AssistantTurn) else {}
        yield turn
    yield from _unknown(open_calls)


def _unknown(calls: Mapping[str, ToolCall]) -> Iterable[Turn]:
    return (ToolResultTurn(call.call_id, call.name, STOPPED, is_error=True) for call in calls.values())
