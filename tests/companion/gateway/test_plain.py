from __future__ import annotations

import asyncio
import json

import pytest

from companion.domain.a2ui.canvases import Canvases
from companion.gateway.plain import MAX_WAITING, PlainConnection
from companion.gateway.providers.scripted import call, say
from gateway_client.protocol import canvas
from gateway_client.transport import memory_pair
from tests.support.a2ui import cases
from tests.support.asynchronous import asynchronous
from tests.support.canvas_client import CAPS
from tests.support.gateway_in_memory import MemoryChannel, house

(FOREIGN,) = (case for case in cases("turns") if case["expect"].get("refused"))
READY = {"type": canvas.READY, "capabilities": list(CAPS)}


class Plain:
    """The client's end of a connection of that dialect."""

    def __init__(self, gateway):
        ours, self.transport = memory_pair()
        self.connection = PlainConnection(gateway, MemoryChannel(ours))
        self._serving = asyncio.create_task(self.connection.serve())

    async def send(self, message):
        await self.transport.send(message if isinstance(message, str) else json.dumps(message))

    async def receive(self):
        return json.loads(await self.transport.receive())

    async def of_type(self, kind):
        while True:
            envelope = await self.receive()
            if envelope["type"] == kind:
                return envelope

    async def leave(self):
        await self.transport.close()
        await self._serving


@asynchronous
async def test_a_message_is_answered_with_the_id_that_it_came_with():
    async with house() as one:
        one.provider.will(say("hello ", "you"))
        client = Plain(one.gateway)
        await client.send({"type": "user_message", "text": "hi", "messageId": "m1"})
        answer = await client.of_type("assistant_message")
        assert (answer["text"], answer["inReplyToMessageId"]) == ("hello you", "m1")
        await client.leave()


@asynchronous
async def test_a_client_that_only_knows_text_is_answered_with_text():
    async with house() as one:
        one.provider.will(say("hello"))
        client = Plain(one.gateway)
        await client.send("hi there")
        assert await client.transport.receive() == "hello"
        await client.leave()


@asynchronous
async def test_a_surface_is_made_clicked_and_answered():
    async with house() as one:
        button = json.dumps({"type": "Button", "id": "ok", "label": "OK"})
        one.provider.will(call("a2ui_create_surface", surfaceId="s", components=[button]), say("shown"))
        client, canvases = Plain(one.gateway), Canvases()
        await client.send(READY)
        await client.send({"type": "user_message", "text": "show it"})
        command = await client.of_type("a2ui_create_surface")
        assert command["sessionId"] == client.connection.session_key
        await client.send(canvases.apply(command))
        assert (await client.of_type("assistant_message"))["text"] == "shown"
        one.provider.will(say("thanks"))
        await client.send(canvases.click(client.connection.session_key, "s", "ok"))
        assert (await client.of_type("assistant_message"))["text"] == "thanks"
        assert json.loads(one.provider.requests[-1].turns[-1].text)["action"] == "click"
        await client.leave()


@asynchronous
async def test_an_act_in_the_conversation_of_somebody_else_is_refused():
    async with house() as one:
        client = Plain(one.gateway)
        await client.send(FOREIGN["input"])
        assert "belongs to another client" in (await client.of_type("error"))["text"]
        await client.leave()


@asynchronous
async def test_a_client_hears_nothing_of_other_conversations():
    async with house() as one:
        one.provider.will(say("for the other"), say("for you"))
        client, other = Plain(one.gateway), await one.client()
        await other.ask("hi")
        await client.send({"type": "user_message", "text": "hi"})
        assert (await client.of_type("text_delta"))["text"] == "for you"
        await client.leave()


@pytest.mark.parametrize(
    ("message", "reason"),
    [('{"type":"dance"}', "'dance'"), ('{"type":"user_message"}', "message or attachment")],
)
def test_what_cannot_be_taken_is_answered_with_a_sentence(message, reason):
    @asynchronous
    async def story():
        async with house() as one:
            client = Plain(one.gateway)
            await client.send(message)
            assert reason in (await client.of_type("error"))["text"]
            await client.leave()

    story()


@asynchronous
async def test_when_the_client_leaves_its_command_fails_at_once():
    async with house() as one:
        one.provider.will(call("canvas_present"), say("so be it"))
        client, watcher = Plain(one.gateway), await one.client("tool-events")
        await client.send(READY)
        await client.send({"type": "user_message", "text": "go"})
        await client.of_type("canvas_present")
        await client.leave()
        await watcher.frame(
            lambda frame: frame.get("event") == "chat" and frame["payload"]["state"] == "final"
        )
        assert "the client left" in watcher.tool_results()[0]["result"]["content"][0]["text"]


@asynchronous
async def test_a_client_that_does_not_read_is_cut():
    async with house() as one:
        channel = MemoryChannel(memory_pair()[0])
        connection = PlainConnection(one.gateway, channel)
        about = {"runId": "r", "sessionKey": connection.session_key, "state": "error", "errorMessage": "no"}
        for _ in range(MAX_WAITING):
            connection.push("chat", about)
        assert not channel.is_aborted.is_set()
        connection.push("chat", about)
        assert channel.is_aborted.is_set()
