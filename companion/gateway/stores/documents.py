"""The HTML of widgets, by id. A document never changes after it is stored.

A session keeps a bounded number of them; the oldest goes first. Its block
stays in the history, and reading it says that the document is gone.
"""

from __future__ import annotations

import sqlite3
import uuid
from dataclasses import dataclass

from companion.gateway.stores.database import Database

DEFAULT_MAX_PER_SESSION = 32


@dataclass(frozen=True, slots=True)
class Document:
    """A stored page."""

    id: str
    title: str
    html: str


class Documents:
    """The pages that this gateway hosts.

    Args:
        max_per_session: How many a session keeps; at least one.
    """

    def __init__(self, database: Database, *, max_per_session: int = DEFAULT_MAX_PER_SESSION) -> None:
        self._database = database
        self._max_per_session = max_per_session

    async def put(self, session_key: str, *, title: str, html: str, now_ms: int) -> str:
        """Store a page and return its id, which nobody can guess."""
        document_id = f"cv_{uuid.uuid4().hex}"

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO documents (id, session_key, title, html, created_at_ms) VALUES (?, ?, ?, ?, ?)",
                (document_id, session_key, title, html, now_ms),
            )
            connection.execute(
                "DELETE FROM documents WHERE session_key = ? AND number NOT IN ("
                "SELECT number FROM documents WHERE session_key = ? ORDER BY number DESC LIMIT ?)",
                (session_key, session_key, self._max_per_session),
            )

        await self._database.run(work)
        return document_id

    async def get(self, document_id: str) -> Document | None:
        """Return the page, or None if it was removed or never was."""

        def work(connection: sqlite3.Connection) -> Document | None:
            row = connection.execute(
                "SELECT id, title, html FROM documents WHERE id = ?", (document_id,)
            ).fetchone()
            return Document(*row) if row else None

        return await self._database.run(work)
