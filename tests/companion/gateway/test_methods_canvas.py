from __future__ import annotations

import json

import pytest

from companion.gateway.providers.scripted import say
from gateway_client.protocol import canvas
from tests.support.asynchronous import asynchronous
from tests.support.canvas_client import SESSION
from tests.support.gateway_in_memory import Refused, house

CLICK = {
    "type": "a2ui_event",
    "sessionId": SESSION,
    "componentId": "b",
    "event": "click",
    "valueJson": "true",
}


@asynchronous
async def test_an_act_of_a_person_is_a_turn_with_its_fields_beside_it():
    async with house() as one:
        one.provider.will(say("hello"), say("done"))
        client = await one.client()
        await client.ask("hi")
        answer = await client.call(canvas.REPLY_METHOD, {**CLICK, "sequence": 1})
        await client.chat("final", answer["runId"])
        message = (await client.history())["messages"][2]
        assert json.loads(message["content"])["event"] == "click"
        assert message["surfaceEvent"] == {
            "type": "a2ui_event",
            "surfaceId": "main",
            "componentId": "b",
            "name": "click",
            "value": True,
            "sequence": 1,
        }


@asynchronous
async def test_the_same_act_makes_one_turn():
    async with house() as one:
        one.provider.will(say("hello"), say("done"))
        client = await one.client()
        await client.ask("hi")
        answer = await client.call(canvas.REPLY_METHOD, {**CLICK, "sequence": 1})
        await client.chat("final", answer["runId"])
        assert (await client.call(canvas.REPLY_METHOD, {**CLICK, "sequence": 1}))["status"] == "ok"
        assert (await client.history())["totalMessages"] == 4


@asynchronous
async def test_an_act_in_a_conversation_that_is_not_there_is_refused():
    async with house() as one:
        client = await one.client()
        with pytest.raises(Refused, match="no such conversation"):
            await client.call(canvas.REPLY_METHOD, {**CLICK, "sessionId": "belongs-to-someone-else"})
        assert (await client.call("sessions.list"))["count"] == 0


@asynchronous
async def test_a_flood_of_acts_is_refused_with_a_reason():
    async with house() as one:
        one.provider.will(say("hello"))
        client = await one.client()
        await client.ask("hi")
        broker = one.gateway.broker
        sender = next(iter(broker._senders))
        while broker.may_send_event(sender):
            pass
        with pytest.raises(Refused, match="too many acts") as refused:
            await client.call(canvas.REPLY_METHOD, CLICK)
        assert refused.value.details == {"reason": "rate_limited"}


@pytest.mark.parametrize("envelope", [{}, {"type": ""}, {"type": 5}])
def test_what_is_no_envelope_is_refused(envelope):
    @asynchronous
    async def story():
        async with house() as one:
            client = await one.client()
            with pytest.raises(Refused, match=r"invalid canvas.reply params"):
                await client.call(canvas.REPLY_METHOD, envelope)

    story()


@asynchronous
async def test_a_client_that_may_only_read_sends_no_envelopes():
    async with house() as one:
        client = await one.client(scopes=["operator.read"])
        with pytest.raises(Refused, match="missing scope"):
            await client.call(canvas.REPLY_METHOD, CLICK)
