from __future__ import annotations

import asyncio

import pytest

from companion.gateway.provider import ProviderError, TextDelta
from companion.gateway.providers.scripted import Scripted, call, say
from companion.gateway.runs import manager
from companion.gateway.stores.run_log import INTERRUPTED
from companion.gateway.tool import Tool, ToolResult
from tests.support.asynchronous import asynchronous, until
from tests.support.gateway_in_memory import TOOL_EVENTS, WIDGETS, Refused, house, text_of, widgets_of
from tests.support.plugins import plugin

SVG = "<svg></svg>"


def user_texts(history):
    return [message["content"] for message in history["messages"] if message["role"] == "user"]


# Once


@asynchronous
async def test_the_same_key_never_sends_twice_while_it_runs_and_afterwards():
    gate = asyncio.Event()
    async with house(Scripted([[*say("a"), gate, TextDelta("b")]])) as home:
        client = await home.client()
        assert await client.send("hello") == {"runId": "key-1", "status": "started"}
        assert await client.send("hello") == {"runId": "key-1", "status": "in_flight"}
        gate.set()
        await client.chat("final")
        assert await client.send("hello") == {"runId": "key-1", "status": "ok"}
        assert user_texts(await client.history()) == ["hello"]
        assert len(home.provider.requests) == 1


@asynchronous
async def test_two_of_the_same_at_the_same_time_are_one():
    async with house(Scripted([say("a")])) as home:
        one, other = await home.client(), await home.client()
        answers = await asyncio.gather(one.send("hello"), other.send("hello"))
        assert [answer["status"] for answer in answers].count("started") == 1
        await one.chat("final")
        assert user_texts(await one.history()) == ["hello"]


@asynchronous
async def test_a_key_of_another_message_is_refused():
    async with house(Scripted([say("a")])) as home:
        client = await home.client()
        await client.ask("hello")
        for changed in ({"message": "other"}, {"message": "hello", "session": "work"}):
            with pytest.raises(Refused, match="another message") as caught:
                await client.send(**changed)
            assert caught.value.code == "INVALID_REQUEST"


@asynchronous
async def test_the_same_key_never_sends_twice_after_a_restart(tmp_path):
    async with house(Scripted([say("a")]), state_dir=tmp_path) as home:
        await (await home.client()).ask("hello")
    async with house(Scripted([]), state_dir=tmp_path) as home:
        client = await home.client()
        assert (await client.send("hello"))["status"] == "ok"
        assert user_texts(await client.history()) == ["hello"]
        assert home.provider.requests == []


# In order


@asynchronous
async def test_the_second_message_of_a_session_waits_for_the_first_answer():
    gate = asyncio.Event()
    async with house(Scripted([[gate, TextDelta("one.")], say("two.")])) as home:
        client = await home.client()
        await client.send("one?", "k1")
        await client.send("two?", "k2")
        history = await client.history()
        assert history["sessionInfo"]["activeRunIds"] == ["k1", "k2"]
        assert history["inFlightRun"]["runId"] == "k1"
        assert len(home.provider.requests) <= 1
        gate.set()
        await client.chat("final", "k2")
        said = [text_of(message) for message in (await client.history())["messages"]]
        assert said == ["one?", "one.", "two?", "two."]
        assert [text_of({"content": turn.text}) for turn in home.provider.requests[1].turns] == said[:3]


@asynchronous
async def test_sessions_do_not_wait_for_each_other():
    async with house(Scripted([[asyncio.Event()], say("quick")])) as home:
        client = await home.client()
        await client.send("slow", "k1", "one")
        await until(lambda: home.provider.requests)
        await client.ask("quick", "k2", "two")
        assert (await client.history("one"))["sessionInfo"]["hasActiveRun"] is True


# Belongs to the gateway


@asynchronous
async def test_a_run_goes_on_when_its_client_leaves_and_the_next_one_finds_it():
    gate = asyncio.Event()
    async with house(Scripted([[*say("half "), gate, TextDelta("whole")]])) as home:
        first = await home.client()
        await first.send("hello")
        await first.chat("delta")
        await first.close()
        second = await home.client()
        assert (await second.history())["inFlightRun"]["text"] == "half "
        gate.set()
        assert text_of((await second.chat("final"))["message"]) == "half whole"
        assert "inFlightRun" not in await second.history()


@asynchronous
async def test_caps_are_those_of_the_client_that_sent_the_message():
    script = Scripted([say("a"), say("b")])
    async with house(script) as home:
        drawing, plain = await home.client(WIDGETS), await home.client()
        await plain.ask("a", "k1")
        await drawing.ask("b", "k2")
        assert [[spec.name for spec in one.tools] for one in script.requests] == [[], ["show_widget"]]


# Stopped


@asynchronous
async def test_a_stopped_run_keeps_what_was_said_and_tells_everybody():
    async with house(Scripted([[*say("half"), asyncio.Event()], say("next")])) as home:
        client, other = await home.client(), await home.client()
        await client.send("hello")
        await client.chat("delta")
        stopped = await client.call("chat.abort", {"sessionKey": "main", "runId": "key-1"})
        assert stopped == {"ok": True, "aborted": True, "runIds": ["key-1"]}
        for one in (client, other):
            event = await one.chat("aborted")
            assert (event["stopReason"], text_of(event["message"])) == ("rpc", "half")
        last = (await client.history())["messages"][-1]
        assert (last["stopReason"], text_of(last)) == ("aborted", "half")
        assert (await client.send("hello"))["status"] == "aborted"
        assert text_of(await client.ask("again", "k2")) == "next"


@asynchronous
async def test_stopping_a_session_stops_what_runs_and_what_waits():
    async with house(Scripted([[asyncio.Event()]])) as home:
        client = await home.client()
        await client.send("one", "k1")
        await client.send("two", "k2")
        assert (await client.call("chat.abort", {"sessionKey": "main"}))["runIds"] == ["k1", "k2"]
        assert len(home.provider.requests) <= 1
        assert user_texts(await client.history()) == ["one", "two"]
        assert (await client.history())["sessionInfo"]["hasActiveRun"] is False


@asynchronous
async def test_stopping_what_does_not_run_stops_nothing():
    async with house(Scripted([say("a")])) as home:
        client = await home.client()
        await client.ask("hello")
        for params in ({"sessionKey": "main"}, {"sessionKey": "main", "runId": "key-1"}, {"sessionKey": "x"}):
            assert await client.call("chat.abort", params) == {"ok": True, "aborted": False, "runIds": []}


@asynchronous
async def test_a_widget_that_was_made_before_the_stop_stays_in_history():
    turns = [call("show_widget", title="t", widget_code=SVG), [*say("Here"), asyncio.Event()]]
    async with house(Scripted(turns)) as home:
        client = await home.client(WIDGETS)
        await client.send("draw")
        await client.chat("delta")
        await client.call("chat.abort", {"sessionKey": "main"})
        last = (await client.history())["messages"][-1]
        assert text_of(last) == "Here"
        assert widgets_of(last)[0]["preview"]["title"] == "t"


@asynchronous
async def test_a_run_that_is_stopped_in_a_tool_can_be_followed_by_another_one():
    started = asyncio.Event()

    async def hang(_context, _arguments):
        started.set()
        await asyncio.Event().wait()
        return ToolResult("")

    hanging = plugin(Tool("hang", "", {"type": "object"}, hang))
    async with house(Scripted([call("hang"), say("fine")]), plugins=[hanging]) as home:
        client = await home.client(TOOL_EVENTS)
        await client.send("one", "k1")
        await started.wait()
        await client.call("chat.abort", {"sessionKey": "main"})
        assert text_of(await client.ask("two", "k2")) == "fine"
        assert "not known" in home.provider.requests[1].turns[2].text


# Failed


@asynchronous
async def test_what_the_provider_cannot_do_is_told_in_its_words():
    async with house(Scripted([[*say("half"), ProviderError("the endpoint is gone. Start it.")]])) as home:
        client = await home.client()
        await client.send("hello")
        event = await client.chat("error")
        assert event["errorMessage"] == "the endpoint is gone. Start it."
        last = (await client.history())["messages"][-1]
        assert (text_of(last), last["errorMessage"]) == ("half", "the endpoint is gone. Start it.")
        assert (await client.send("hello"))["status"] == "error"


@asynchronous
async def test_a_fault_of_ours_ends_one_run_with_a_sentence_and_the_next_goes_on(caplog):
    async with house(Scripted([[KeyError("oops")], say("fine")])) as home:
        client = await home.client()
        await client.send("one", "k1")
        assert "(KeyError). See its log" in (await client.chat("error", "k1"))["errorMessage"]
        assert text_of(await client.ask("two", "k2")) == "fine"
    assert "oops" in caplog.text


@asynchronous
async def test_an_answer_that_cannot_be_kept_is_an_error_and_no_silence(caplog, monkeypatch):
    async with house(Scripted([say("one"), say("two")])) as home:
        client = await home.client()

        async def full(*_):
            raise OSError("disk full")

        with monkeypatch.context() as patched:
            patched.setattr(home.gateway.run_log, "end", full)
            await client.send("one", "k1")
            assert "could not keep" in (await client.chat("error", "k1"))["errorMessage"]
        assert text_of(await client.ask("two", "k2")) == "two"
    assert "disk full" in caplog.text


# The end


@asynchronous
async def test_an_orderly_end_keeps_what_was_said_and_says_that_it_was_interrupted(tmp_path):
    async with house(Scripted([[*say("half"), asyncio.Event()]]), state_dir=tmp_path) as home:
        client = await home.client()
        await client.send("one", "k1")
        await client.chat("delta", "k1")
        await client.send("two", "k2")
        await home.gateway.runs.close()
        assert (await client.chat("error", "k1"))["errorMessage"] == INTERRUPTED
        with pytest.raises(Refused, match="ending") as caught:
            await client.send("three", "k3")
        assert caught.value.code == "UNAVAILABLE"
    async with house(state_dir=tmp_path) as home:
        messages = (await (await home.client()).history())["messages"]
        said = [(message["role"], text_of(message), message.get("errorMessage")) for message in messages]
        assert said == [
            ("user", "one", None),
            ("assistant", "half", INTERRUPTED),
            ("user", "two", None),
            ("assistant", "", INTERRUPTED),
        ]


@asynchronous
async def test_a_run_that_does_not_let_itself_be_stopped_does_not_hold_the_caller(monkeypatch, caplog):
    monkeypatch.setattr(manager, "STOP_LIMIT_S", 0.02)
    gate, started = asyncio.Event(), asyncio.Event()

    async def stubborn(_context, _arguments):
        started.set()
        while not gate.is_set():
            try:
                await gate.wait()
            except asyncio.CancelledError:
                continue
        return ToolResult("at last")

    tool = plugin(Tool("stubborn", "", {"type": "object"}, stubborn))
    async with house(Scripted([call("stubborn"), say("done")]), plugins=[tool]) as home:
        client = await home.client()
        await client.send("go")
        await started.wait()
        assert (await client.call("chat.abort", {"sessionKey": "main"}))["aborted"] is True
        gate.set()
        await until(lambda: not home.gateway.runs.active("agent:main:main"))
    assert "does not stop" in caplog.text
