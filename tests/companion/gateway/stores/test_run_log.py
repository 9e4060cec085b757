from __future__ import annotations

from companion.gateway.stores.run_log import INTERRUPTED, NewMessage, interruption
from tests.companion.gateway.stores.test_transcripts import answer, person, stores
from tests.support.asynchronous import asynchronous


async def accept(log, run_id="r1", fingerprint="f", session="s"):
    message = NewMessage("user", {"content": "hello"}, 1, run_id)
    return await log.accept(run_id, session, fingerprint, message)


async def messages(transcripts, session="s"):
    return (await transcripts.page(session, limit=100)).messages


@asynchronous
async def test_a_run_and_its_message_are_kept_once():
    async with stores() as (transcripts, log):
        first, second = await accept(log), await accept(log)
        assert (first.is_new, second.is_new, second.state) == (True, False, "accepted")
        assert len(await messages(transcripts)) == 1


@asynchronous
async def test_a_key_that_comes_with_another_message_is_told_apart():
    async with stores() as (_, log):
        await accept(log)
        assert (await accept(log)).is_same_message
        assert not (await accept(log, fingerprint="other")).is_same_message


@asynchronous
async def test_the_first_end_of_a_run_counts():
    async with stores() as (transcripts, log):
        await accept(log)
        await log.end("r1", "ok", 2, answer("done", "r1"))
        await log.end("r1", "aborted", 3, answer("stopped", "r1"))
        assert (await accept(log)).state == "ok"
        assert len(await messages(transcripts)) == 2


@asynchronous
async def test_runs_that_were_left_open_are_ended_once_with_a_sentence_in_their_place():
    async with stores() as (transcripts, log):
        await accept(log)
        await log.end("r1", "ok", 2, answer("done", "r1"))
        await person(log, "lost?", "r2")
        assert await log.mark_interrupted(5) == ["r2"]
        assert await log.mark_interrupted(6) == []
        last = (await messages(transcripts))[-1]
        assert (last["role"], last["errorMessage"]) == ("assistant", INTERRUPTED)
        assert last["__openclaw"]["runId"] == "r2"


def test_an_interrupted_answer_keeps_what_was_said():
    assert interruption("r", "half", 1).body["content"] == [{"type": "text", "text": "half"}]
    assert interruption("r", "", 1).body["content"] == []
