"""Tells the clients how one run goes on, and remembers it for those who join later.

`chat` events go to everybody, `agent` events to clients that declared
`tool-events`. Both count in one sequence per run. Words are gathered for a
moment, so that a fast model does not send the whole message a thousand times.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from companion.gateway.hub import Hub
from companion.gateway.provider import ToolCall
from companion.gateway.sessions import AGENT_ID
from gateway_client.protocol import events
from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.caps import TOOL_EVENTS

GATHER_S = 0.04
EVENTS_KEPT = 200


class Narrator:
    """The events of one run.

    Args:
        now_ms: Milliseconds since 1970.
    """

    def __init__(self, hub: Hub, run_id: str, session_key: str, *, now_ms: Callable[[], int]) -> None:
        self.text = ""
        """Every word so far; turns of the model are paragraphs."""
        self.turn_text = ""
        """The words of the turn that goes on."""
        self.blocks: list[WidgetBlock] = []
        self.accepted_at_ms = now_ms()
        self._hub = hub
        self._run_id = run_id
        self._session_key = session_key
        self._now_ms = now_ms
        self._seq = 0
        self._unsent = ""
        self._timer: asyncio.TimerHandle | None = None
        self._joined_events: deque[dict[str, Any]] = deque(maxlen=EVENTS_KEPT)

    def status(self, phase: str) -> None:
        """Say what is being prepared."""
        self._chat("status", phase=phase)
        self._agent("run_status", {"phase": phase})

    def lifecycle(self, phase: str, **data: Any) -> None:
        """Say how far the run is."""
        self.flush()
        self._agent("lifecycle", {"phase": phase, **data})

    def begin_turn(self) -> None:
        """The model is asked again: what it says next is a new paragraph."""
        self.turn_text = ""

    def say(self, words: str) -> None:
        """The model said more."""
        if not words:
            return
        gap = "\n\n" if self.text and not self.turn_text else ""
        self.text += gap + words
        self.turn_text += words
        self._unsent += gap + words
        if self._timer is None:
            self._send_delta()
            self._timer = asyncio.get_running_loop().call_later(GATHER_S, self._gathered)

    def flush(self) -> None:
        """Send the words that were gathered; everything else comes after them."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._send_delta()

    def tool_started(self, call: ToolCall, started_at_ms: int) -> None:
        """A tool begins."""
        self.flush()
        self._agent("item", self._item(call, "start", status="running", startedAt=started_at_ms))
        data = {"phase": "start", "name": call.name, "toolCallId": call.call_id, "args": dict(call.arguments)}
        self._agent("tool", data, is_kept=True)

    def tool_ended(
        self, call: ToolCall, result: Mapping[str, Any], *, is_error: bool, started_at_ms: int
    ) -> None:
        """A tool is over; *result* is `{content, details}`."""
        data = {"phase": "result", "name": call.name, "toolCallId": call.call_id, "isError": is_error}
        self._agent("tool", {**data, "result": dict(result)}, is_kept=True)
        times = {"startedAt": started_at_ms, "endedAt": self._now_ms()}
        self._agent("item", self._item(call, "end", status="failed" if is_error else "completed", **times))

    def final(self, stop_reason: str, usage: Mapping[str, int] | None) -> None:
        """The answer is complete."""
        self.lifecycle("end", stopReason=stop_reason, aborted=False, endedAt=self._now_ms())
        extra = {"usage": dict(usage)} if usage else {}
        self._chat("final", stopReason=stop_reason, message=self._message(), **extra)

    def aborted(self, stop_reason: str) -> None:
        """The answer was stopped; what was said stays."""
        self.lifecycle(
            "end", status="cancelled", stopReason=stop_reason, aborted=True, endedAt=self._now_ms()
        )
        self._chat("aborted", stopReason=stop_reason, message=self._message())

    def failed(self, reason: str) -> None:
        """There is no answer, and why."""
        self.lifecycle("error", error=reason, aborted=False, endedAt=self._now_ms())
        extra = {"message": self._message()} if self.text or self.blocks else {}
        self._chat("error", errorMessage=reason, **extra)

    def for_joining(self) -> dict[str, Any]:
        """Return `inFlightRun` of `chat.history`: the run so far, for a client that joins now."""
        self.flush()
        return {
            "runId": self._run_id,
            "text": self.text,
            "startedAt": self.accepted_at_ms,
            "events": list(self._joined_events),
        }

    def content(self, text: str, raw_texts: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
        """Return the content of a message: *text*, then the widgets of this run.

        Args:
            raw_texts: The result text of the tool behind each widget, by its id, where it is kept.
        """
        content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        texts = raw_texts or {}
        return content + [{**block.to_wire(), "rawText": texts.get(block.view_id)} for block in self.blocks]

    def _message(self) -> dict[str, Any]:
        return {"role": "assistant", "content": self.content(self.text), "timestamp": self._now_ms()}

    def _gathered(self) -> None:
        self._timer = None
        if self._unsent:
            self._send_delta()
            self._timer = asyncio.get_running_loop().call_later(GATHER_S, self._gathered)

    def _send_delta(self) -> None:
        if self._unsent:
            delta, self._unsent = self._unsent, ""
            self._agent("assistant", {"text": self.text, "delta": delta})
            self._chat("delta", deltaText=delta, message=self._message())

    @staticmethod
    def _item(call: ToolCall, phase: str, **data: Any) -> dict[str, Any]:
        title = call.name.replace("_", " ").title()
        about = {"itemId": f"tool:{call.call_id}", "toolCallId": call.call_id, "name": call.name}
        return {**about, "kind": "tool", "phase": phase, "title": title, **data}

    def _about(self) -> dict[str, Any]:
        self._seq += 1
        about = {"runId": self._run_id, "sessionKey": self._session_key, "agentId": AGENT_ID}
        return {**about, "seq": self._seq}

    def _chat(self, state: str, **fields: Any) -> None:
        self._hub.publish(events.CHAT, {**self._about(), "state": state, **fields})

    def _agent(self, stream: str, data: Mapping[str, Any], *, is_kept: bool = False) -> None:
        event = {**self._about(), "stream": stream, "ts": self._now_ms(), "data": dict(data)}
        if is_kept:
            self._joined_events.append(event)
        self._hub.publish(events.AGENT, event, requires=TOOL_EVENTS)
