"""From the events of a run to its row in the transcript. Pure.

A run's events may come twice, late, or in another order: `Run` keeps what each
of them said, and `row` computes the one message that follows from all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.domain.transcript import Message, MessageState, Notice, Part, ToolActivity, run_key
from gateway_client.protocol.blocks import Block, TextBlock, ToolCallBlock
from gateway_client.protocol.events import AgentEvent, ChatEvent

STOPPED = "Stopped."
NO_REASON = "The gateway gave no reason. Send the message again, or look at the gateway's log."


@dataclass(frozen=True, slots=True)
class ToolTrace:
    """What was heard of one tool call; the parts may come in any order."""

    name: str
    first_seq: int
    arguments: Mapping[str, Any] = field(default_factory=dict)
    started_ms: int | None = None
    ended_ms: int | None = None
    is_error: bool = False
    result_text: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """Everything heard of one run."""

    run_id: str
    started_ms: int = 0
    chat_seq: int = -1
    phase: str = ""
    content: tuple[Block, ...] = ()
    end: ChatEvent | None = None
    tools: Mapping[str, ToolTrace] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether the gateway said that the run ended."""
        return self.end is not None


def apply_chat(run: Run, event: ChatEvent) -> Run:
    """Take a `chat` event. The end is taken once; everything else in order only."""
    if run.is_over or (not event.is_end and event.seq < run.chat_seq):
        return run
    seq = max(run.chat_seq, event.seq)
    if event.is_end:
        content = event.message.blocks() if event.message else run.content
        return replace(run, chat_seq=seq, content=content, end=event, phase="")
    if event.state == "status":
        return replace(run, chat_seq=seq, phase=event.phase or "")
    return replace(run, chat_seq=seq, content=_after_delta(run.content, event), phase="")


def _after_delta(content: tuple[Block, ...], event: ChatEvent) -> tuple[Block, ...]:
    if event.message is not None:
        return event.message.blocks()
    delta = event.delta_text or ""
    others = tuple(block for block in content if not isinstance(block, TextBlock))
    if event.replace:
        return (TextBlock(delta), *others)
    before = "".join(block.text for block in content if isinstance(block, TextBlock))
    return (TextBlock(before + delta), *others)


def apply_agent(run: Run, event: AgentEvent) -> Run:
    """Take an `agent` event; only the life of tool calls matters to the row."""
    call_id = event.data.get("toolCallId")
    if event.stream != "tool" or not isinstance(call_id, str):
        return run
    known = run.tools.get(call_id, ToolTrace(str(event.data.get("name") or "tool"), event.seq))
    trace = _after_tool(replace(known, first_seq=min(known.first_seq, event.seq)), event)
    return replace(run, tools={**run.tools, call_id: trace})


def _after_tool(trace: ToolTrace, event: AgentEvent) -> ToolTrace:
    data = event.data
    match data.get("phase"):
        case "start":
            arguments = data.get("args")
            return replace(
                trace,
                arguments=arguments if isinstance(arguments, Mapping) else {},
                started_ms=event.ts or None,
            )
        case "result":
            return replace(
                trace,
                ended_ms=event.ts or 0,
                is_error=bool(data.get("isError")),
                result_text=result_text(data.get("result")),
            )
    return trace


def result_text(result: object) -> str:
    """Return the text of a tool's result: its content's texts, or itself if it is one."""
    if isinstance(result, str):
        return result
    content = result.get("content") if isinstance(result, Mapping) else result
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (item.get("text") for item in content if isinstance(item, Mapping))
    return "\n".join(text for text in texts if isinstance(text, str))


def row(run: Run) -> Message:
    """Return the message that follows from what was heard of the run."""
    cards = [_card(call_id, trace, run.is_over) for call_id, trace in _in_order(run.tools)]
    blocks = [block for block in run.content if not isinstance(block, ToolCallBlock)]
    parts: tuple[Part, ...] = (*cards, *blocks, *_ending(run))
    return Message(run_key(run.run_id), "assistant", parts, _state(run), run.started_ms, run.run_id)


def _in_order(tools: Mapping[str, ToolTrace]) -> list[tuple[str, ToolTrace]]:
    return sorted(tools.items(), key=lambda item: (item[1].first_seq, item[0]))


def _card(call_id: str, trace: ToolTrace, is_over: bool) -> ToolActivity:
    duration = None
    if trace.started_ms is not None and trace.ended_ms:
        duration = max(0, trace.ended_ms - trace.started_ms)
    if trace.ended_ms is None:
        state = "done" if is_over else "running"
        return ToolActivity(call_id, trace.name, state, trace.arguments)  # type: ignore[arg-type]
    failed = "failed" if trace.is_error else "done"
    return ToolActivity(
        call_id,
        trace.name,
        failed,  # type: ignore[arg-type]
        trace.arguments,
        trace.result_text,
        duration,
    )


def _ending(run: Run) -> tuple[Notice, ...]:
    match run.end.state if run.end else None:
        case "aborted":
            return (Notice(STOPPED, "stopped"),)
        case "error":
            return (Notice((run.end.error_message if run.end else None) or NO_REASON, "error"),)
    return ()


def _state(run: Run) -> MessageState:
    if run.end is None:
        return "streaming"
    states: dict[str, MessageState] = {"aborted": "stopped", "error": "failed"}
    return states.get(run.end.state, "complete")
