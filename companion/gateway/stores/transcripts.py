"""Sessions and their messages. A message is kept as the wire says it.

Messages are read turn by turn: what a person sent and everything that answers
it stand together, even if the next message came before the answer was over.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.gateway.stores.database import Database

TITLE_CHARS = 60
PREVIEW_CHARS = 160


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message that is about to be kept."""

    role: str
    body: Mapping[str, Any]
    """The wire form without role, timestamp and what the gateway adds."""
    timestamp_ms: int
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a session's history, oldest first."""

    messages: list[dict[str, Any]]
    total: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session of a list."""

    key: str
    session_id: str
    created_at_ms: int
    updated_at_ms: int
    title: str | None
    """The first words that a person wrote in it."""
    preview: str | None
    """The newest words of anybody."""


def ensure_session(connection: sqlite3.Connection, key: str, now_ms: int) -> str:
    """Return the id of session *key*, which is made if it is new. Inside a transaction."""
    connection.execute(
        "INSERT INTO sessions VALUES (?, ?, ?, ?) "
        "ON CONFLICT(key) DO UPDATE SET updated_at_ms = excluded.updated_at_ms",
        (key, str(uuid.uuid4()), now_ms, now_ms),
    )
    row = connection.execute("SELECT session_id FROM sessions WHERE key = ?", (key,)).fetchone()
    return str(row[0])


def append(connection: sqlite3.Connection, key: str, message: NewMessage) -> str:
    """Keep *message* as the newest of session *key*; returns its id. Inside a transaction."""
    message_id = str(uuid.uuid4())
    seq = _number(connection, "SELECT COALESCE(MAX(seq), 0) + 1 FROM messages WHERE session_key = ?", key)
    turn = _number(connection, "SELECT COALESCE(MIN(turn), 0) FROM messages WHERE run_id = ?", message.run_id)
    body = json.dumps(dict(message.body), separators=(",", ":"))
    connection.execute(
        "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (message_id, key, seq, turn or seq, message.run_id, message.role, message.timestamp_ms, body),
    )
    connection.execute("UPDATE sessions SET updated_at_ms = ? WHERE key = ?", (message.timestamp_ms, key))
    return message_id


def _number(connection: sqlite3.Connection, query: str, *values: object) -> int:
    return int(connection.execute(query, values).fetchone()[0])


class Transcripts:
    """What was said, by session."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, key: str, *messages: NewMessage) -> None:
        """Keep *messages*, in their order, as the newest of session *key*."""

        def work(connection: sqlite3.Connection) -> None:
            for message in messages:
                append(connection, key, message)

        await self._database.run(work)

    async def session_id(self, key: str) -> str | None:
        """Return the id of session *key*, or None if nothing was ever said in it."""

        def work(connection: sqlite3.Connection) -> str | None:
            row = connection.execute("SELECT session_id FROM sessions WHERE key = ?", (key,)).fetchone()
            return str(row[0]) if row else None

        return await self._database.run(work)

    async def page(self, key: str, *, limit: int, offset: int = 0) -> Page:
        """Return the newest *limit* messages of session *key*, without the *offset* newest ones."""

        def work(connection: sqlite3.Connection) -> Page:
            total = _number(connection, "SELECT COUNT(*) FROM messages WHERE session_key = ?", key)
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM messages WHERE session_key = ? "
                "ORDER BY turn DESC, seq DESC LIMIT ? OFFSET ?",
                (key, limit, offset),
            ).fetchall()
            first = total - offset - len(rows) + 1
            messages = [_to_wire(row, first + place) for place, row in enumerate(reversed(rows))]
            return Page(messages, total, offset + len(rows) < total)

        return await self._database.run(work)

    async def conversation(self, run_id: str, *, limit: int) -> list[dict[str, Any]]:
        """Return what run *run_id* answers to: the newest *limit* messages up to its turn, oldest first."""

        def work(connection: sqlite3.Connection) -> list[dict[str, Any]]:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM messages JOIN ("
                "SELECT session_key AS session, MIN(turn) AS last FROM messages WHERE run_id = ?"
                ") ON session_key = session AND turn <= last ORDER BY turn DESC, seq DESC LIMIT ?",
                (run_id, limit),
            ).fetchall()
            return [_to_wire(row, place + 1) for place, row in enumerate(reversed(rows))]

        return await self._database.run(work)

    async def sessions(
        self, *, limit: int, offset: int = 0, search: str = ""
    ) -> tuple[list[SessionRow], int]:
        """Return a page of sessions, the newest first, and how many there are in all.

        Args:
            search: Only sessions whose key or first words contain this text.
        """

        def work(connection: sqlite3.Connection) -> list[SessionRow]:
            rows = connection.execute(
                "SELECT key, session_id, created_at_ms, updated_at_ms FROM sessions "
                "ORDER BY updated_at_ms DESC, key"
            ).fetchall()
            return [_session(connection, row) for row in rows]

        needle = search.casefold().strip()
        found = [
            row for row in await self._database.run(work) if needle in f"{row.key} {row.title}".casefold()
        ]
        return found[offset : offset + limit], len(found)


_COLUMNS = "id, run_id, role, timestamp_ms, body"


def _to_wire(row: tuple[str, str | None, str, int, str], seq: int) -> dict[str, Any]:
    message_id, run_id, role, timestamp_ms, body = row
    meta: dict[str, Any] = {"id": message_id, "seq": seq}
    if run_id is not None and role != "user":
        meta["runId"] = run_id
    return {"role": role, **json.loads(body), "timestamp": timestamp_ms, "__openclaw": meta}


def _session(connection: sqlite3.Connection, row: tuple[str, str, int, int]) -> SessionRow:
    first = connection.execute(
        "SELECT body FROM messages WHERE session_key = ? AND role = 'user' ORDER BY turn, seq LIMIT 1",
        (row[0],),
    ).fetchone()
    last = connection.execute(
        "SELECT body FROM messages WHERE session_key = ? AND role IN ('user', 'assistant') "
        "ORDER BY turn DESC, seq DESC LIMIT 1",
        (row[0],),
    ).fetchone()
    return SessionRow(*row, title=_words(first, TITLE_CHARS), preview=_words(last, PREVIEW_CHARS))


def _words(row: tuple[str] | None, limit: int) -> str | None:
    if row is None:
        return None
    content = json.loads(row[0]).get("content")
    if isinstance(content, list):
        content = " ".join(str(item.get("text", "")) for item in content if item.get("type") == "text")
    words = " ".join(str(content or "").split())
    return (words if len(words) <= limit else words[: limit - 1] + "…") or None
