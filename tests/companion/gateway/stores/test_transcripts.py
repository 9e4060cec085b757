from __future__ import annotations

from contextlib import asynccontextmanager

from companion.gateway.stores.database import Database
from companion.gateway.stores.run_log import RunLog
from companion.gateway.stores.transcripts import NewMessage, Transcripts
from tests.support.asynchronous import asynchronous


@asynccontextmanager
async def stores():
    database = Database(None)
    await database.open()
    yield Transcripts(database), RunLog(database)
    await database.close()


async def person(log, text, run_id, *, session="s", now_ms=1):
    await log.accept(run_id, session, "", NewMessage("user", {"content": text}, now_ms, run_id))


def answer(text, run_id, now_ms=2):
    return NewMessage("assistant", {"content": [{"type": "text", "text": text}]}, now_ms, run_id)


def words(messages):
    return [m["content"] if isinstance(m["content"], str) else m["content"][0]["text"] for m in messages]


@asynchronous
async def test_a_message_comes_back_with_what_the_gateway_adds():
    async with stores() as (transcripts, log):
        await person(log, "hello", "r1")
        await transcripts.append("s", answer("hi", "r1"))
        first, second = (await transcripts.page("s", limit=10)).messages
        assert first["role"] == "user"
        assert first["__openclaw"]["seq"] == 1
        assert "runId" not in first["__openclaw"]
        assert second["timestamp"] == 2
        assert second["__openclaw"]["runId"] == "r1"
        assert first["__openclaw"]["id"] != second["__openclaw"]["id"]


@asynchronous
async def test_an_answer_stands_under_its_own_question_also_if_the_next_one_came_before_it():
    async with stores() as (transcripts, log):
        await person(log, "one?", "r1")
        await person(log, "two?", "r2")
        await transcripts.append("s", answer("one.", "r1"))
        await transcripts.append("s", answer("two.", "r2"))
        page = await transcripts.page("s", limit=10)
        assert words(page.messages) == ["one?", "one.", "two?", "two."]
        assert [m["__openclaw"]["seq"] for m in page.messages] == [1, 2, 3, 4]


@asynchronous
async def test_a_run_answers_to_what_was_said_up_to_its_own_message():
    async with stores() as (transcripts, log):
        await person(log, "one?", "r1")
        await person(log, "two?", "r2")
        assert words(await transcripts.conversation("r1", limit=10)) == ["one?"]
        await transcripts.append("s", answer("one.", "r1"))
        assert words(await transcripts.conversation("r2", limit=10)) == ["one?", "one.", "two?"]
        assert words(await transcripts.conversation("r2", limit=2)) == ["one.", "two?"]


@asynchronous
async def test_a_run_sees_no_other_session():
    async with stores() as (transcripts, log):
        await person(log, "mine", "r1", session="a")
        await person(log, "other", "r2", session="b")
        assert words(await transcripts.conversation("r2", limit=10)) == ["other"]


@asynchronous
async def test_pages_go_back_from_the_newest():
    async with stores() as (transcripts, log):
        for number in range(5):
            await person(log, str(number), f"r{number}")
        newest = await transcripts.page("s", limit=2)
        assert (words(newest.messages), newest.total, newest.has_more) == (["3", "4"], 5, True)
        older = await transcripts.page("s", limit=3, offset=2)
        assert (words(older.messages), older.has_more) == (["0", "1", "2"], False)
        assert [m["__openclaw"]["seq"] for m in older.messages] == [1, 2, 3]
        assert (await transcripts.page("unknown", limit=2)).messages == []


@asynchronous
async def test_sessions_are_listed_newest_first_with_their_first_and_last_words():
    async with stores() as (transcripts, log):
        await person(log, "about   cats", "r1", session="a", now_ms=1)
        await person(log, "about dogs " + "x" * 100, "r2", session="b", now_ms=2)
        await transcripts.append("a", answer("Meow.", "r1", now_ms=3))
        rows, total = await transcripts.sessions(limit=10)
        assert ([row.key for row in rows], total) == (["a", "b"], 2)
        assert (rows[0].title, rows[0].preview) == ("about cats", "Meow.")
        assert rows[1].title.endswith("…")
        assert len(rows[1].title) == 60
        assert rows[0].session_id == await transcripts.session_id("a")
        assert await transcripts.session_id("unknown") is None


@asynchronous
async def test_a_search_finds_sessions_by_their_words_and_pages_are_counted_after_it():
    async with stores() as (transcripts, log):
        for number, text in enumerate(["cats", "dogs", "more cats"]):
            await person(log, text, f"r{number}", session=f"s{number}", now_ms=number + 1)
        rows, total = await transcripts.sessions(limit=1, offset=1, search="CATS")
        assert ([row.key for row in rows], total) == (["s0"], 2)
