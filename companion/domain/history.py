"""From the messages that a gateway keeps to the rows of a transcript. Pure.

A gateway keeps a run as several messages: the assistant's call of a tool, the
tool's result, the assistant's answer. They become one row, the same that the
run's events made while it went on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.domain.runs import STOPPED, result_text
from companion.domain.transcript import Message, Notice, Part, ToolActivity, Transcript, run_key, user_key
from gateway_client.protocol.blocks import Block, ToolCallBlock, parse_content

STOP_REASONS = ("aborted", "rpc")


def rows(messages: Iterable[Mapping[str, Any]]) -> tuple[Message, ...]:
    """Return the rows that *messages* of `chat.history` make, oldest first. Never raises."""
    made: dict[str, Message] = {}
    for position, item in enumerate(messages):
        match item.get("role"):
            case "user":
                row = _user_row(item, position)
                made[row.key] = row
            case "assistant":
                _add_answer(made, item, position)
            case "toolResult":
                _add_result(made, item)
            case "system":
                row = Message(
                    f"system:{_id(item, position)}", "system", _parts(item), "complete", _time(item)
                )
                made[row.key] = row
    return tuple(row for row in made.values() if row.parts)


def merge(transcript: Transcript, messages: Iterable[Mapping[str, Any]]) -> Transcript:
    """Replace what is known by history; keep what a person sent and history has not yet.

    Rows that did not change stay the same objects, so that nothing is drawn again.
    """
    old = {row.key: row for row in transcript.messages}
    new = [_same_or_new(old.get(row.key), row) for row in rows(messages)]
    known = {row.key for row in new}
    waiting = _not_told(transcript.messages, known)
    merged = (*new, *waiting)
    return transcript if merged == transcript.messages else Transcript(merged)


def _not_told(rows_before: tuple[Message, ...], known: set[str]) -> list[Message]:
    """Return what a person sent that history does not have.

    A message that was accepted while history was on its way is newer than all of
    history; an older one that is missing was removed by the gateway.
    """
    newest_told = max((index for index, row in enumerate(rows_before) if row.key in known), default=-1)
    return [
        row
        for index, row in enumerate(rows_before)
        if row.role == "user"
        and row.key not in known
        and (row.state in ("queued", "sending", "failed") or index > newest_told)
    ]


def _same_or_new(before: Message | None, now: Message) -> Message:
    if before is None:
        return now
    # Only events tell how long a tool took; history does not contradict them by its silence.
    durations = {part.call_id: part.duration_ms for part in before.parts if isinstance(part, ToolActivity)}
    parts = tuple(
        replace(part, duration_ms=durations.get(part.call_id)) if isinstance(part, ToolActivity) else part
        for part in now.parts
    )
    now = replace(now, parts=parts)
    return before if before == now else now


def _meta(item: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = item.get("__openclaw")
    return meta if isinstance(meta, Mapping) else {}


def _id(item: Mapping[str, Any], position: int) -> str:
    return str(_meta(item).get("id") or position)


def _time(item: Mapping[str, Any]) -> int:
    timestamp = item.get("timestamp")
    return timestamp if isinstance(timestamp, int) else 0


def _parts(item: Mapping[str, Any]) -> tuple[Part, ...]:
    return tuple(_part(block) for block in parse_content(item.get("content")))


def _part(block: Block) -> Part:
    if isinstance(block, ToolCallBlock):
        return ToolActivity(block.call_id, block.name, "done", block.arguments)
    return block


def _user_row(item: Mapping[str, Any], position: int) -> Message:
    sent_as = item.get("idempotencyKey") or _meta(item).get("idempotencyKey")
    key = user_key(sent_as) if isinstance(sent_as, str) and sent_as else f"user:{_id(item, position)}"
    return Message(key, "user", _parts(item), "accepted", _time(item))


def _add_answer(made: dict[str, Message], item: Mapping[str, Any], position: int) -> None:
    run_id = str(_meta(item).get("runId") or "")
    key = run_key(run_id or _id(item, position))
    parts, state = _parts(item), "complete"
    if item.get("stopReason") in STOP_REASONS:
        parts, state = (*parts, Notice(STOPPED, "stopped")), "stopped"
    elif isinstance(item.get("errorMessage"), str):
        parts, state = (*parts, Notice(item["errorMessage"], "error")), "failed"
    before = made.get(key)
    if before is None:
        made[key] = Message(key, "assistant", parts, state, _time(item), run_id)  # type: ignore[arg-type]
    else:
        made[key] = replace(before, parts=(*before.parts, *parts), state=state)  # type: ignore[arg-type]


def _add_result(made: dict[str, Message], item: Mapping[str, Any]) -> None:
    call_id = item.get("toolCallId")
    for row in reversed(made.values()):
        for index, part in enumerate(row.parts):
            if isinstance(part, ToolActivity) and part.call_id == call_id:
                state = "failed" if item.get("isError") else "done"
                done = replace(part, state=state, result_text=result_text(item.get("content")))  # type: ignore[arg-type]
                made[row.key] = replace(row, parts=(*row.parts[:index], done, *row.parts[index + 1 :]))
                return
