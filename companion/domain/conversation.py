"""One conversation as a value: its rows, and the runs that made them. Pure.

Everything a gateway tells about a conversation goes through two functions,
`take_event` and `take_history`; both give a new value and may be repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.domain import history, runs
from companion.domain.runs import Run
from companion.domain.transcript import Transcript, run_key
from gateway_client.errors import ProtocolError
from gateway_client.protocol.blocks import TextBlock
from gateway_client.protocol.events import AgentEvent, ChatEvent
from gateway_client.protocol.methods import ChatHistoryResult, InFlightRun


@dataclass(frozen=True, slots=True)
class Conversation:
    """The rows, and what was heard of each run that history does not tell yet."""

    transcript: Transcript = field(default_factory=Transcript)
    runs: Mapping[str, Run] = field(default_factory=dict)

    @property
    def active_run_id(self) -> str:
        """The run that goes on, or an empty text."""
        return next((run.run_id for run in self.runs.values() if not run.is_over), "")

    @property
    def phase(self) -> str:
        """What the active run is doing before its first word, as the gateway names it."""
        run = self.runs.get(self.active_run_id)
        return run.phase if run else ""


def take_event(conversation: Conversation, event: ChatEvent | AgentEvent, now_ms: int) -> Conversation:
    """Take an event of this conversation; one of a run that history told is stale."""
    run = conversation.runs.get(event.run_id)
    if run is None:
        if conversation.transcript.find(run_key(event.run_id)) is not None:
            return conversation
        run = Run(event.run_id, started_ms=now_ms)
    after = runs.apply_chat(run, event) if isinstance(event, ChatEvent) else runs.apply_agent(run, event)
    return Conversation(
        conversation.transcript.put(runs.row(after)), {**conversation.runs, event.run_id: after}
    )


def take_history(conversation: Conversation, result: ChatHistoryResult) -> Conversation:
    """Replace what is known by what the gateway keeps, and adopt the run it has in flight.

    A run that the gateway neither keeps nor has in flight, and that was over
    here, stays as it was seen: its last words may not be stored yet.
    """
    told = {_run_id(item) for item in result.messages if item.get("role") == "assistant"}
    unsaved = {
        run.run_id: run for run in conversation.runs.values() if run.is_over and run.run_id not in told
    }
    transcript = history.merge(conversation.transcript, result.messages)
    if result.in_flight_run is not None and result.in_flight_run.run_id not in unsaved:
        run = _adopt(conversation.runs.get(result.in_flight_run.run_id), result.in_flight_run)
        unsaved[run.run_id] = run
    for run in unsaved.values():
        transcript = transcript.put(runs.row(run))
    return Conversation(transcript, unsaved)


def _adopt(known: Run | None, in_flight: InFlightRun) -> Run:
    run = known or Run(in_flight.run_id, started_ms=in_flight.started_at)
    for item in in_flight.events:
        try:
            run = runs.apply_agent(run, AgentEvent.from_wire(item))
        except ProtocolError:
            continue  # an event that this version cannot read tells nothing
    so_far = sum(len(block.text) for block in run.content if isinstance(block, TextBlock))
    if len(in_flight.text) > so_far:
        others = tuple(block for block in run.content if not isinstance(block, TextBlock))
        run = replace(run, content=(TextBlock(in_flight.text), *others))
    return run


def _run_id(item: Mapping[str, Any]) -> str:
    meta = item.get("__openclaw")
    return str(meta.get("runId") or "") if isinstance(meta, Mapping) else ""
