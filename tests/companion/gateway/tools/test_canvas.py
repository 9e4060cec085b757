from __future__ import annotations

from companion.gateway.providers.scripted import call, say
from companion.gateway.tools import TOOLS as ALL
from companion.gateway.tools.canvas import TOOLS
from gateway_client.protocol import canvas
from tests.support.asynchronous import asynchronous
from tests.support.canvas_client import CAPS, CanvasClient
from tests.support.gateway_in_memory import house

WITHOUT_EVAL = sorted(set(canvas.CAPABILITIES) - {"a2ui_eval"})


def test_there_is_a_tool_for_every_command():
    assert {tool.name for tool in ALL} > set(canvas.CAPABILITIES)
    assert {tool.name for tool in TOOLS} <= set(canvas.CAPABILITIES)


@asynchronous
async def test_a_client_without_a_canvas_is_offered_none_of_the_tools():
    async with house() as one:
        one.provider.will(say("hi"))
        client = await one.client("inline-widgets")
        await client.ask("hello")
        assert [tool.name for tool in one.provider.requests[0].tools] == ["show_widget"]


@asynchronous
async def test_a_client_that_declares_a_canvas_is_offered_what_it_can_show():
    async with house() as one:
        one.provider.will(say("hi"), say("hi"))
        client = await one.client(*CAPS)
        await client.ask("hello")
        assert [tool.name for tool in one.provider.requests[0].tools] == WITHOUT_EVAL
        await client.call(canvas.REPLY_METHOD, {"type": "canvas_ready", "capabilities": [canvas.HIDE]})
        await client.ask("hello", "key-2")
        assert [tool.name for tool in one.provider.requests[1].tools] == ["canvas_hide"]


@asynchronous
async def test_the_canvas_is_emptied_shown_and_hidden():
    async with house() as one:
        names = ("canvas_present", "canvas_navigate", "canvas_hide")
        one.provider.will(call(names[0]), call(names[1], url="about:blank"), call(names[2]), say("done"))
        client = await CanvasClient.of(one)
        await client.raw.ask("go")
        assert [envelope["type"] for envelope in client.received] == list(names)
        assert [result["isError"] for result in client.raw.tool_results()] == [False] * 3
        assert not client.canvas.is_visible
        await client.close()


@asynchronous
async def test_a_command_fails_at_once_when_the_client_is_gone():
    async with house() as one:
        one.provider.will(call("canvas_present"), say("so be it"))
        watcher = await one.client("tool-events")
        gone = await one.client(*CAPS)
        await gone.send("go")
        await gone.frame(lambda frame: frame.get("event") == canvas.EVENT)
        await gone.close()
        await watcher.chat("final")
        (result,) = watcher.tool_results()
        assert result["isError"]
        assert "the client left" in result["result"]["content"][0]["text"]
