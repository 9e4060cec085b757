"""Which runs were accepted and how they ended: what makes sending twice harmless.

A run's id is the idempotency key it was sent with. Accepting one keeps the
person's message in the same transaction, so an acknowledged message is never
without its run, nor a run without its message.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.gateway.stores.database import Database
from companion.gateway.stores.transcripts import NewMessage, append, ensure_session

RunState: TypeAlias = Literal["accepted", "ok", "aborted", "error", "interrupted"]

INTERRUPTED = "The gateway ended before this answer was finished. Send the message again to get a new answer."


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of an attempt to accept a run."""

    is_new: bool
    state: RunState
    is_same_message: bool
    """Whether the key belongs to this very message; if not, the sender reused a key."""


def interruption(run_id: str, partial: str, now_ms: int) -> NewMessage:
    """Return the message that stands for an answer which the gateway could not finish."""
    content = [{"type": "text", "text": partial}] if partial else []
    body = {"content": content, "stopReason": "error", "errorMessage": INTERRUPTED}
    return NewMessage("assistant", body, now_ms, run_id)


class RunLog:
    """Every run that was ever accepted, by its id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accept(self, run_id: str, session_key: str, fingerprint: str, message: NewMessage) -> Accepted:
        """Keep the run and the person's *message*, once.

        Args:
            fingerprint: Stands for the message's content; the same key with another one is an error.
        """

        def work(connection: sqlite3.Connection) -> Accepted:
            known = connection.execute(
                "SELECT state, fingerprint FROM runs WHERE run_id = ?", (run_id,)
            ).fetchone()
            if known:
                return Accepted(is_new=False, state=known[0], is_same_message=known[1] == fingerprint)
            ensure_session(connection, session_key, message.timestamp_ms)
            connection.execute(
                "INSERT INTO runs VALUES (?, ?, ?, 'accepted', ?, NULL)",
                (run_id, session_key, fingerprint, message.timestamp_ms),
            )
            append(connection, session_key, message)
            return Accepted(is_new=True, state="accepted", is_same_message=True)

        return await self._database.run(work)

    async def end(self, run_id: str, state: RunState, now_ms: int, *messages: NewMessage) -> None:
        """Keep how an accepted run ended together with its last *messages*; the first end counts."""

        def work(connection: sqlite3.Connection) -> None:
            row = connection.execute(
                "SELECT session_key FROM runs WHERE run_id = ? AND state = 'accepted'", (run_id,)
            ).fetchone()
            if row is None:
                return
            for message in messages:
                append(connection, row[0], message)
            connection.execute(
                "UPDATE runs SET state = ?, ended_at_ms = ? WHERE run_id = ?", (state, now_ms, run_id)
            )

        await self._database.run(work)

    async def mark_interrupted(self, now_ms: int) -> list[str]:
        """End every run that a gateway before this one left open; returns their ids.

        Call it once, before the first client comes.
        """

        def work(connection: sqlite3.Connection) -> list[str]:
            rows = connection.execute(
                "SELECT run_id, session_key FROM runs WHERE state = 'accepted' ORDER BY accepted_at_ms"
            ).fetchall()
            for run_id, session_key in rows:
                append(connection, session_key, interruption(run_id, "", now_ms))
                connection.execute(
                    "UPDATE runs SET state = 'interrupted', ended_at_ms = ? WHERE run_id = ?",
                    (now_ms, run_id),
                )
            return [run_id for run_id, _ in rows]

        return await self._database.run(work)
