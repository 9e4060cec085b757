"""Every run of this gateway: accepted once, one at a time per session, ended in order.

Rules:

1. A message is on the disk before `send` returns. The same key never runs twice,
   also after a restart.
2. A session has one run at a time; the next message waits for it.
3. A run belongs to the gateway, not to its client, and goes on when that leaves.
4. Only a run's lane ends it: whatever happens, it is kept first and told second.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from companion.gateway.hub import Hub
from companion.gateway.provider import ProviderError
from companion.gateway.runs.loop import Answer, Equipment, Order, RunLoop
from companion.gateway.runs.narrator import Narrator
from companion.gateway.stores.run_log import INTERRUPTED, RunLog, RunState, interruption
from companion.gateway.stores.transcripts import NewMessage

log = logging.getLogger(__name__)

STOP_LIMIT_S = 10.0
RPC = "rpc"
"""Why a run ended that a person stopped."""

Result = TypeVar("Result")


class KeyReused(Exception):
    """The idempotency key belongs to another message."""


class NotTaking(Exception):
    """The gateway is ending and takes no more messages."""


@dataclass(eq=False, slots=True)
class _Run:
    order: Order
    narrator: Narrator
    loop: RunLoop
    task: asyncio.Task[Answer] | None = None
    is_stopped: bool = False
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def stop(self) -> None:
        self.is_stopped = True
        if self.task is not None:
            self.task.cancel()


@dataclass(eq=False, slots=True)
class _Lane:
    """The runs of one session, the first of which goes on."""

    runs: deque[_Run] = field(default_factory=deque)
    task: asyncio.Task[None] | None = None


class Runs:
    """Accepts messages and answers them. Its `close` ends everything it began."""

    def __init__(self, equipment: Equipment, hub: Hub, run_log: RunLog) -> None:
        self._equipment = equipment
        self._hub = hub
        self._run_log = run_log
        self._lanes: dict[str, _Lane] = {}
        self._sending: set[asyncio.Task[Any]] = set()
        self._is_closing = False

    async def send(self, order: Order, message: Mapping[str, Any], *, fingerprint: str) -> str:
        """Accept a message once and answer it in its turn.

        Args:
            message: The person's message as history will show it, without role and timestamp.
            fingerprint: Stands for what was sent; a key that comes again must come with the same.

        Returns:
            `started`, `in_flight` while it waits or runs, else how it ended.

        Raises:
            KeyReused: If the key belongs to another message.
            NotTaking: If the gateway is ending.
        """
        if self._is_closing:
            raise NotTaking
        # A caller that is gone must not leave a message that is kept but never answered.
        return await self._finish_anyway(self._send(order, message, fingerprint))

    async def abort(self, session_key: str, run_id: str | None) -> list[str]:
        """Stop one run of a session, or all of them; returns the ids of those that were stopped."""
        lane = self._lanes.get(session_key, _Lane())
        stopped = [run for run in lane.runs if run_id in (None, run.order.run_id)]
        for run in stopped:
            run.stop()
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                for run in stopped:
                    await run.over.wait()
        except TimeoutError:
            log.warning("a run of %r does not stop within %g seconds", session_key, STOP_LIMIT_S)
        return [run.order.run_id for run in stopped]

    def active(self, session_key: str) -> list[str]:
        """Return the ids of the runs of a session that are not over, in order."""
        lane = self._lanes.get(session_key)
        return [run.order.run_id for run in lane.runs] if lane else []

    def in_flight(self, session_key: str) -> dict[str, Any] | None:
        """Return the run that goes on, for a client that joins now."""
        lane = self._lanes.get(session_key)
        return lane.runs[0].narrator.for_joining() if lane and lane.runs else None

    @property
    def count(self) -> int:
        """How many runs wait or go on."""
        return sum(len(lane.runs) for lane in self._lanes.values())

    async def close(self) -> None:
        """End every run; what was said so far is kept, with a sentence that it was interrupted."""
        self._is_closing = True
        await asyncio.gather(*self._sending, return_exceptions=True)
        lanes = list(self._lanes.values())
        for run in [run for lane in lanes for run in lane.runs]:
            run.stop()
        tasks = [lane.task for lane in lanes if lane.task is not None]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=STOP_LIMIT_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _finish_anyway(self, work: Coroutine[Any, Any, Result]) -> Result:
        task = asyncio.get_running_loop().create_task(work)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return await asyncio.shield(task)

    async def _send(self, order: Order, message: Mapping[str, Any], fingerprint: str) -> str:
        kept = NewMessage("user", message, self._equipment.now_ms(), order.run_id)
        accepted = await self._run_log.accept(order.run_id, order.session_key, fingerprint, kept)
        if not accepted.is_same_message:
            raise KeyReused
        if not accepted.is_new:
            return "in_flight" if accepted.state == "accepted" else accepted.state
        narrator = Narrator(self._hub, order.run_id, order.session_key, now_ms=self._equipment.now_ms)
        lane = self._lanes.setdefault(order.session_key, _Lane())
        lane.runs.append(_Run(order, narrator, RunLoop(self._equipment, order, narrator)))
        if lane.task is None:
            work = self._work(order.session_key, lane)
            lane.task = asyncio.get_running_loop().create_task(work, name=f"lane {order.session_key}")
        return "started"

    async def _work(self, session_key: str, lane: _Lane) -> None:
        while lane.runs:
            run = lane.runs[0]
            try:
                await self._one(run)
            # A boundary: a disk that is full ends this run, not every later one of the session.
            except Exception:
                log.exception("run %r could not be kept", run.order.run_id)
                run.narrator.failed(
                    "the gateway could not keep this answer. See its log, then send it again."
                )
            finally:
                lane.runs.popleft()
                run.over.set()
        del self._lanes[session_key]

    async def _one(self, run: _Run) -> None:
        if run.is_stopped:
            await self._end_stopped(run)
            return
        run.task = asyncio.get_running_loop().create_task(run.loop.play(), name=f"run {run.order.run_id}")
        await asyncio.wait({run.task})
        if run.task.cancelled():
            await self._end_stopped(run)
            return
        match run.task.exception():
            case None:
                await self._end_answered(run, run.task.result())
            case ProviderError() as error:
                await self._end_failed(run, str(error))
            case error:
                log.error("run %r failed", run.order.run_id, exc_info=error)
                reason = f"the gateway failed while it answered ({type(error).__name__})."
                await self._end_failed(run, f"{reason} See its log, then send the message again.")

    async def _end_answered(self, run: _Run, answer: Answer) -> None:
        extra: dict[str, Any] = {"stopReason": answer.stop_reason}
        if answer.usage:
            extra["usage"] = dict(answer.usage)
        await self._keep_end(run, "ok", extra)
        run.narrator.final(answer.stop_reason, answer.usage)

    async def _end_failed(self, run: _Run, reason: str) -> None:
        run.narrator.flush()
        await self._keep_end(run, "error", {"stopReason": "error", "errorMessage": reason})
        run.narrator.failed(reason)

    async def _end_stopped(self, run: _Run) -> None:
        run.narrator.flush()
        if self._is_closing:
            now_ms, text = self._equipment.now_ms(), run.narrator.turn_text
            last = interruption(run.order.run_id, text, now_ms)
            await self._run_log.end(run.order.run_id, "interrupted", now_ms, last)
            run.narrator.failed(INTERRUPTED)
            return
        await self._keep_end(run, "aborted", {"stopReason": "aborted"})
        run.narrator.aborted(RPC)

    async def _keep_end(self, run: _Run, state: RunState, extra: Mapping[str, Any]) -> None:
        content = run.narrator.content(run.narrator.turn_text, run.loop.raw_texts)
        now_ms = self._equipment.now_ms()
        body = {"content": content, **run.loop.origin(), **extra}
        last = NewMessage("assistant", body, now_ms, run.order.run_id)
        await self._run_log.end(run.order.run_id, state, now_ms, last)
