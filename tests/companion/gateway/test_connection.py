from __future__ import annotations

import asyncio
import json

import pytest

from companion.gateway import connection, methods
from companion.gateway.providers.scripted import Scripted, call, say
from gateway_client.errors import LinkClosed
from tests.support.asynchronous import asynchronous, until
from tests.support.gateway_in_memory import TOOL_EVENTS, WIDGETS, Refused, connect_params, house

# Coming in


@asynchronous
async def test_the_gateway_speaks_first_and_then_says_what_it_is():
    async with house() as home:
        client = await home.visitor()
        hello = await client.connect()
        assert client.frames[0]["event"] == "connect.challenge"
        assert isinstance(client.frames[0]["payload"]["ts"], int)
        assert hello["type"] == "hello-ok"
        assert hello["protocol"] == 4
        assert hello["auth"] == {"role": "operator", "scopes": ["operator.read", "operator.write"]}
        assert hello["snapshot"]["sessionDefaults"]["mainSessionKey"] == "agent:main:main"
        assert hello["pluginSurfaceUrls"]["canvas"].startswith("http://127.0.0.1:1/__openclaw__/cap/")


@asynchronous
async def test_the_features_are_the_truth():
    async with house() as home:
        client = await home.visitor()
        features = (await client.connect())["features"]
        assert features["methods"] == sorted(methods.HANDLERS)
        for method in features["methods"]:
            refusal = ""
            try:
                await client.call(method)
            except Refused as refused:
                refusal = refused.message
            assert "unknown method" not in refusal


@asynchronous
async def test_every_challenge_is_another_one():
    async with house() as home:
        nonces = set()
        for _ in range(3):
            client = await home.visitor()
            challenge = await client.frame(lambda frame: frame.get("event") == "connect.challenge")
            nonces.add(challenge["payload"]["nonce"])
        assert len(nonces) == 3


@asynchronous
async def test_a_wrong_token_is_answered_and_then_the_connection_closes():
    async with house() as home:
        client = await home.visitor()
        with pytest.raises(Refused, match="token mismatch") as caught:
            await client.connect(auth={"token": "wrong"})
        assert caught.value.details["code"] == "AUTH_TOKEN_MISMATCH"
        await client.closed()
        code, reason = home.channels[0].closed_with
        assert (code, reason) == (1008, "unauthorized: gateway token mismatch (provide gateway auth token)")
        assert len(home.gateway.hub) == 0


@asynchronous
async def test_who_does_not_connect_in_time_is_sent_away():
    async with house() as home:
        client = await home.visitor(handshake_limit_s=0.01)
        await client.closed()
        assert home.channels[0].closed_with == (1008, "no connect came in time")


@asynchronous
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello", "the message is not JSON"),
        ("[1]", "the message is not a JSON object"),
        ('{"type":"what"}', "the message is not a request, a response or an event"),
        ('{"type":"req","id":"","method":"connect"}', "the frame has no 'id'"),
        (
            '{"type":"req","id":"1","method":"connect","params":[]}',
            "the params of a request must be an object",
        ),
        ('{"type":"req","id":"1","method":"chat.history","params":{}}', "the first message must be connect"),
        ('{"type":"event","event":"tick"}', "a client sends nothing but requests"),
    ],
)
async def test_what_is_no_connect_closes_with_the_reason(text, reason):
    async with house() as home:
        client = await home.visitor()
        await client.send_raw(text)
        await client.closed()
        assert home.channels[0].closed_with == (1002, reason)


@asynchronous
async def test_a_second_connect_closes_the_connection():
    async with house() as home:
        client = await home.client()
        with pytest.raises(LinkClosed):
            await client.call("connect", connect_params())
        assert home.channels[0].closed_with == (1002, "the client is connected already")


@asynchronous
async def test_a_message_over_the_bound_closes_and_one_of_the_bound_does_not():
    bound = 65_536
    async with house(max_payload_bytes=bound) as home:
        client = await home.client()
        frame = {"type": "req", "id": "big", "method": "health", "params": {"x": ""}}
        frame["params"]["x"] = "x" * (bound - len(json.dumps(frame)))
        await client.send_raw(json.dumps(frame))
        await client.frame(lambda one: one.get("id") == "big")
        await client.send_raw(json.dumps(frame) + " ")
        await client.closed()
        assert home.channels[0].closed_with == (1002, f"the message is longer than {bound} bytes")


@asynchronous
async def test_a_binary_message_closes_with_the_reason():
    async with house() as home:
        client = await home.client()
        await client.transport.send(b"binary")
        await client.closed()
        assert home.channels[0].closed_with == (1003, "binary frames are not part of this protocol")


@asynchronous
async def test_one_client_s_fault_does_not_touch_another():
    async with house(Scripted([say("a")])) as home:
        good, bad = await home.client(), await home.client()
        await bad.send_raw("nonsense")
        await bad.closed()
        await good.ask("hello")
        await until(lambda: len(home.gateway.hub) == 1)


# Staying


@asynchronous
async def test_ticks_come_at_the_pace_that_was_promised():
    async with house(tick_interval_ms=50) as home:
        client = await home.visitor()
        assert (await client.connect())["policy"]["tickIntervalMs"] == 50
        await until(lambda: len(client.events("tick")) == 2)


@asynchronous
async def test_events_of_a_connection_are_numbered_without_a_gap():
    async with house(Scripted([call("show_widget", title="t", widget_code="<p>"), say("a", "b")])) as home:
        client = await home.client(WIDGETS, TOOL_EVENTS)
        await client.ask("draw")
        numbers = [frame["seq"] for frame in client.frames if "seq" in frame]
        assert numbers == list(range(1, len(numbers) + 1))


@asynchronous
async def test_a_client_hears_that_its_message_was_taken_before_it_hears_of_its_run():
    async with house(Scripted([say(f"answer {number}") for number in range(20)])) as home:
        client = await home.client(TOOL_EVENTS)
        for number in range(20):
            await client.ask("hello", f"k{number}")
            about = [
                frame for frame in client.frames if (frame.get("payload") or {}).get("runId") == f"k{number}"
            ]
            assert about[0]["type"] == "res"


@asynchronous
async def test_agent_events_go_only_to_who_declared_them():
    async with house(Scripted([say("a")])) as home:
        plain, curious = await home.client(), await home.client(TOOL_EVENTS)
        await plain.ask("hello")
        await curious.chat("final")
        assert plain.events("agent") == []
        assert {event["stream"] for event in curious.events("agent")} >= {
            "lifecycle",
            "run_status",
            "assistant",
        }


@asynchronous
async def test_an_answer_over_the_bound_is_an_error_with_what_to_do():
    async with house(Scripted([say("x" * 70_000)]), max_payload_bytes=65_536) as home:
        client = await home.client()
        await client.send("hello")
        await until(lambda: not home.gateway.runs.active("agent:main:main"))
        with pytest.raises(Refused, match="ask for less with limit or maxChars"):
            await client.history()
        assert len((await client.history(maxChars=100))["messages"]) == 2


@asynchronous
async def test_an_id_of_half_a_surrogate_pair_is_answered_as_it_came():
    async with house() as home:
        client = await home.client()
        await client.send_raw('{"type":"req","id":"\\ud800","method":"health"}')
        assert (await client.frame(lambda one: one.get("id") == "\ud800"))["ok"]


@asynchronous
async def test_a_client_that_does_not_read_is_cut_and_the_others_are_not(caplog):
    answers = [say(str(number) + "x" * 5_000) for number in range(20)]
    async with house(Scripted(answers), max_buffered_bytes=65_536) as home:
        stuck, reading = await home.client(), await home.client()
        channel = home.channels[0]

        async def never(_text):
            await asyncio.Event().wait()

        channel.send = never
        for number in range(20):
            await reading.ask("hello", f"k{number}")
        await channel.is_aborted.wait()
        assert not home.channels[1].is_aborted.is_set()
        await stuck.transport.close()
        await until(lambda: len(home.gateway.hub) == 1)
    assert caplog.text.count("does not read and is cut") == 1


@asynchronous
async def test_a_flush_waits_no_longer_than_its_bound(monkeypatch, caplog):
    monkeypatch.setattr(connection, "FLUSH_LIMIT_S", 0.01)
    async with house() as home:
        client = await home.client()
        channel = home.channels[0]

        async def never(_text):
            await asyncio.Event().wait()

        channel.send = never
        home.gateway.hub.publish("tick", {"ts": 1})
        await client.transport.close()
        await channel.is_aborted.wait()
