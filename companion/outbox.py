"""What a person sent and the gateway has not acknowledged: on the disk before the screen shows it."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

log = logging.getLogger(__name__)

BUSY_LIMIT_S = 2.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    target TEXT NOT NULL,
    key TEXT NOT NULL,
    session_key TEXT NOT NULL,
    text TEXT NOT NULL,
    failure TEXT NOT NULL DEFAULT '',
    UNIQUE (target, key)
)
"""


class NotKept(Exception):
    """A message could not be written to the disk; the message says what that means."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A message that waits to be sent, or that the gateway refused.

    `key` is the idempotency key it is sent with, however often that takes.
    `failure` is a sentence, or empty while the message waits.
    """

    key: str
    session_key: str
    text: str
    failure: str = ""


class Outbox:
    """The messages of one connection target, oldest first.

    An entry leaves when the gateway acknowledged it or a person discards it.
    If the disk refuses, entries live in memory until the app ends.

    Args:
        path: The file, made if needed, or None to keep nothing after this object.
        target: The gateway that the messages are for; others' messages are left alone.

    Attributes:
        problem: A sentence for the person if the file could not be used, or an empty text.
    """

    def __init__(self, path: Path | None = None, target: str = "") -> None:
        self.problem = ""
        self._target = target
        self._entries: list[Entry] = []
        self._file: sqlite3.Connection | None = None
        if path is not None:
            self._open(path)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that is not acknowledged, failed ones too."""
        return tuple(self._entries)

    def next_waiting(self) -> Entry | None:
        """Return the oldest message that is to be sent."""
        return next((entry for entry in self._entries if not entry.failure), None)

    def add(self, entry: Entry) -> None:
        """Put *entry* at the end; one with the same key leaves its old place.

        Raises:
            NotKept: If it is in memory only.
        """
        self._entries = [*(other for other in self._entries if other.key != entry.key), entry]
        try:
            self._write(
                "INSERT OR REPLACE INTO outbox (target, key, session_key, text) VALUES (?, ?, ?, ?)",
                (self._target, entry.key, entry.session_key, entry.text),
            )
        except sqlite3.Error as error:
            raise NotKept(
                f"This message could not be saved on the disk ({error}). It is sent as long as the app "
                "is open; free some space, and keep a copy until the gateway has it."
            ) from error

    def fail(self, key: str, failure: str) -> None:
        """Keep a refused message with the reason, until it is sent again or discarded."""
        self._entries = [
            replace(entry, failure=failure) if entry.key == key else entry for entry in self._entries
        ]
        self._write_or_log(
            "UPDATE outbox SET failure = ? WHERE target = ? AND key = ?", (failure, self._target, key)
        )

    def remove(self, key: str) -> None:
        """Forget a message: it is acknowledged, or a person discarded it."""
        self._entries = [entry for entry in self._entries if entry.key != key]
        self._write_or_log("DELETE FROM outbox WHERE target = ? AND key = ?", (self._target, key))

    def close(self) -> None:
        """Close the file; what waits is in it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, path: Path) -> None:
        try:
            self._read(path)
        except (sqlite3.OperationalError, OSError) as error:
            self.problem = (
                f"Messages that wait to be sent are not kept when the app ends: {path} can not be used "
                f"({error}). Check its folder, then start again."
            )
        except sqlite3.DatabaseError as error:
            aside = path.with_name(f"{path.name}.damaged-{time.time_ns()}")
            path.rename(aside)
            self.problem = (
                f"The list of messages that wait to be sent was damaged ({error}). "
                f"It lies at {aside} now, and a new one was begun; look whether a message is missing."
            )
            self._read(path)

    def _read(self, path: Path) -> None:
        file = sqlite3.connect(path, timeout=BUSY_LIMIT_S, isolation_level=None)
        try:
            path.chmod(0o600)
            file.execute("PRAGMA synchronous = FULL")  # each write is on the disk when it returns
            file.execute(SCHEMA)
            rows = file.execute(
                "SELECT key, session_key, text, failure FROM outbox WHERE target = ? ORDER BY position",
                (self._target,),
            ).fetchall()
        except (sqlite3.Error, OSError):
            file.close()
            raise
        self._file, self._entries = file, [Entry(*row) for row in rows]

    def _write(self, statement: str, values: Sequence[str]) -> None:
        if self._file is not None:
            self._file.execute(statement, values)

    def _write_or_log(self, statement: str, values: Sequence[str]) -> None:
        try:
            self._write(statement, values)
        except sqlite3.Error as error:
            # Harmless: at the next start it is sent once more, with the key the gateway knows.
            log.warning("the outbox could not be written: %s", error)
