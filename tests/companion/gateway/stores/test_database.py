from __future__ import annotations

import os
import sqlite3
import sys

import pytest

from companion.gateway.stores.database import BACKUPS_KEPT, Database, DatabaseError
from companion.gateway.stores.schema import MIGRATIONS
from tests.support.asynchronous import asynchronous

STEPS = (
    "CREATE TABLE one (n INTEGER)",
    "ALTER TABLE one ADD COLUMN m INTEGER",
    "CREATE TABLE three (n INTEGER)",
)


async def opened(path, **settings) -> Database:
    database = Database(path, **settings)
    await database.open()
    return database


def version(connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


@asynchronous
async def test_a_new_file_has_every_step_of_the_schema_and_no_backup(tmp_path):
    database = await opened(tmp_path / "data" / "a.sqlite3")
    assert await database.run(version) == len(MIGRATIONS)
    assert await database.run(lambda c: c.execute("PRAGMA journal_mode").fetchone()[0]) == "wal"
    await database.close()
    assert not (tmp_path / "data" / "backups").exists()


@asynchronous
async def test_only_its_owner_can_read_the_file(tmp_path):
    await (await opened(tmp_path / "data" / "a.sqlite3")).close()
    if sys.platform != "win32":
        assert os.stat(tmp_path / "data" / "a.sqlite3").st_mode & 0o077 == 0
        assert os.stat(tmp_path / "data").st_mode & 0o077 == 0


@asynchronous
async def test_a_newer_schema_is_reached_step_by_step_with_a_backup_before_each(tmp_path):
    path = tmp_path / "a.sqlite3"
    database = await opened(path, migrations=STEPS[:1])
    await database.run(lambda c: c.execute("INSERT INTO one VALUES (7)"))
    await database.close()
    database = await opened(path, migrations=STEPS)
    assert await database.run(lambda c: c.execute("SELECT n, m FROM one").fetchall()) == [(7, None)]
    await database.close()
    for number in (1, 2):
        with sqlite3.connect(tmp_path / "backups" / f"a-v{number}.sqlite3") as backup:
            assert version(backup) == number
            assert backup.execute("SELECT n FROM one").fetchall() == [(7,)]
        backup.close()


@asynchronous
async def test_few_backups_are_kept(tmp_path):
    steps = tuple(f"CREATE TABLE t{number} (n INTEGER)" for number in range(BACKUPS_KEPT + 4))
    await (await opened(tmp_path / "a.sqlite3", migrations=steps)).close()
    assert len(list((tmp_path / "backups").iterdir())) == BACKUPS_KEPT


@asynchronous
async def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "a.sqlite3"
    await (await opened(path, migrations=STEPS[:1])).close()
    with pytest.raises(DatabaseError, match="cannot be read"):
        await opened(path, migrations=(STEPS[0], "CREATE TABLE two (n INTEGER); CREATE nonsense"))
    database = await opened(path, migrations=STEPS[:1])
    assert await database.run(version) == 1
    assert await database.run(lambda c: c.execute("SELECT name FROM sqlite_master").fetchall()) == [("one",)]
    await database.close()


@asynchronous
async def test_a_file_of_a_newer_program_is_refused(tmp_path):
    path = tmp_path / "a.sqlite3"
    await (await opened(path, migrations=STEPS)).close()
    with pytest.raises(DatabaseError, match=r"newer version.*Update this program"):
        await opened(path, migrations=STEPS[:2])


@asynchronous
async def test_a_damaged_file_is_refused_with_what_helps(tmp_path):
    path = tmp_path / "a.sqlite3"
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(DatabaseError, match="Move that file away"):
        await opened(path)


@asynchronous
async def test_a_file_belongs_to_one_gateway_at_a_time(tmp_path):
    path = tmp_path / "a.sqlite3"
    first = await opened(path)
    with pytest.raises(DatabaseError, match="another gateway is using"):
        await opened(path, busy_limit_ms=1)
    await first.close()
    await (await opened(path, busy_limit_ms=1)).close()


@asynchronous
async def test_work_that_fails_changes_nothing():
    database = await opened(None, migrations=STEPS)

    def fail(connection):
        connection.execute("INSERT INTO one VALUES (1, 2)")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await database.run(fail)
    assert await database.run(lambda c: c.execute("SELECT COUNT(*) FROM one").fetchone()[0]) == 0
    await database.close()
