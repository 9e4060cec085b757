"""One SQLite connection on one thread, and the numbered steps of its schema.

Everything that touches the connection runs on that thread, one piece of work
at a time and each in its own transaction: what `run` returned is on the disk.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from companion.gateway.stores.schema import MIGRATIONS

log = logging.getLogger(__name__)

Work = TypeVar("Work")
MEMORY: Final = ":memory:"
BACKUPS_KEPT = 5
BUSY_LIMIT_MS = 5000
"""How long to wait for a gateway that is just ending."""


class DatabaseError(Exception):
    """The database cannot be used; the message says what to do."""


class Database:
    """The gateway's database.

    Args:
        path: The file, or None for one that lives in memory and ends with this object.
        migrations: The schema's steps, oldest first; a test may give its own.
    """

    def __init__(
        self, path: Path | None, *, migrations: Sequence[str] = MIGRATIONS, busy_limit_ms: int = BUSY_LIMIT_MS
    ) -> None:
        self.path = path
        self._busy_limit_ms = busy_limit_ms
        self._migrations = migrations
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="gateway-database")
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open the file, make it if needed, and bring its schema up to date.

        Raises:
            DatabaseError: If the file is not ours, is damaged, or is from a newer version.
        """
        await self._on_thread(self._open)

    async def run(self, work: Callable[[sqlite3.Connection], Work]) -> Work:
        """Do *work* in one transaction and return its result after it is committed."""
        return await self._on_thread(lambda: self._in_transaction(work))

    async def close(self) -> None:
        """Close the file. Work that was begun is finished first."""
        if self._connection is not None:
            await self._on_thread(self._connection.close)
            self._connection = None
        self._thread.shutdown(wait=False)

    async def _on_thread(self, work: Callable[[], Work]) -> Work:
        # A caller that is cancelled does not cancel the work: half a transaction is none,
        # and a message that is on the disk must be known to be there.
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work))

    def _in_transaction(self, work: Callable[[sqlite3.Connection], Work]) -> Work:
        assert self._connection is not None, "the database is not open"
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            return work(connection)

    def _open(self) -> None:
        try:
            if self.path is not None:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self.path.touch(mode=0o600)
            self._connection = sqlite3.connect(
                self.path or MEMORY, check_same_thread=False, isolation_level=None
            )
            self._connection.execute(f"PRAGMA busy_timeout={self._busy_limit_ms}")
            # The file belongs to one gateway at a time: a second one would end the first one's runs.
            self._connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.execute("PRAGMA foreign_keys=ON")
            self._migrate(self._connection)
        except (sqlite3.Error, OSError) as error:
            self._forget_connection()
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise DatabaseError(
                    f"another gateway is using {self.path}. End it, or choose another --state-dir."
                ) from error
            raise DatabaseError(
                f"the gateway's data in {self.path} cannot be read: {error}. "
                "Move that file away to begin anew, or put a backup from the folder beside it in its place."
            ) from error
        except DatabaseError:
            self._forget_connection()
            raise

    def _forget_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > len(self._migrations):
            raise DatabaseError(
                f"the gateway's data in {self.path} was written by a newer version of this program. "
                "Update this program, or start it with another --state-dir."
            )
        for number, script in enumerate(self._migrations[version:], start=version + 1):
            if number > 1:
                self._back_up(connection, number - 1)
            log.info("schema step %d", number)
            try:
                connection.executescript(f"BEGIN; {script}; PRAGMA user_version={number}; COMMIT;")
            except sqlite3.Error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _back_up(self, connection: sqlite3.Connection, version: int) -> None:
        if self.path is None:
            return
        folder = self.path.parent / "backups"
        folder.mkdir(mode=0o700, exist_ok=True)
        file = folder / f"{self.path.stem}-v{version}.sqlite3"
        file.touch(mode=0o600)
        target = sqlite3.connect(file)
        try:
            connection.backup(target)
        finally:
            target.close()
        for old in sorted(folder.glob("*.sqlite3"), key=lambda file: file.stat().st_mtime)[:-BACKUPS_KEPT]:
            old.unlink()
