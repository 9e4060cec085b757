from __future__ import annotations

import asyncio
import json

from companion.gateway.provider import AssistantTurn, ToolCall, ToolResultTurn, UserTurn
from companion.gateway.providers.scripted import Scripted, call, say
from companion.gateway.runs import loop
from companion.gateway.tool import Tool, ToolError, ToolResult
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import TOOL_EVENTS, WIDGETS, house, text_of, widgets_of
from tests.support.plugins import plugin

ANYTHING = {"type": "object"}
SVG = "<svg viewBox='0 0 1 1'></svg>"


def tool(name, run, schema=ANYTHING):
    return plugin(Tool(name, "a tool for tests", schema, run))


async def echo(_context, arguments):
    return ToolResult(json.dumps(dict(arguments), sort_keys=True))


@asynchronous
async def test_the_model_hears_the_tool_s_result_and_answers():
    script = Scripted([[*say("Let me see."), *call("echo", a=1)], say("It is ", "one.")])
    async with house(script, plugins=[tool("echo", echo)]) as home:
        client = await home.client(TOOL_EVENTS)
        assert text_of(await client.ask("what?")) == "Let me see.\n\nIt is one."
        assert script.requests[0].turns == (UserTurn("what?"),)
        assert script.requests[1].turns[1:] == (
            AssistantTurn("Let me see.", (ToolCall("call_1", "echo", {"a": 1}),)),
            ToolResultTurn("call_1", "echo", '{"a": 1}'),
        )
        assert [one["isError"] for one in client.tool_results()] == [False]


@asynchronous
async def test_several_calls_of_one_turn_run_in_their_order():
    two = [*call("echo", "c1", a=1), *call("echo", "c2", a=2)]
    script = Scripted([two, say("done")])
    async with house(script, plugins=[tool("echo", echo)]) as home:
        client = await home.client(TOOL_EVENTS)
        await client.ask("go")
        results = [turn for turn in script.requests[1].turns if isinstance(turn, ToolResultTurn)]
        assert [(turn.call_id, turn.text) for turn in results] == [("c1", '{"a": 1}'), ("c2", '{"a": 2}')]
        roles = [message["role"] for message in (await client.history())["messages"]]
        assert roles == ["user", "assistant", "toolResult", "toolResult", "assistant"]


@asynchronous
async def test_history_keeps_a_run_as_a_real_gateway_does():
    script = Scripted([call("show_widget", title="Cat", widget_code=SVG), say("A cat.")])
    async with house(script) as home:
        client = await home.client(WIDGETS, TOOL_EVENTS)
        await client.ask("a cat", key="k")
        user, calling, result, answer = (await client.history())["messages"]
        assert user["idempotencyKey"] == "k:user"
        assert calling["content"] == [
            {
                "type": "toolCall",
                "id": "call_1",
                "name": "show_widget",
                "arguments": {"title": "Cat", "widget_code": SVG},
            }
        ]
        assert (calling["stopReason"], answer["stopReason"]) == ("toolUse", "stop")
        assert (result["toolName"], result["toolCallId"], result["isError"]) == (
            "show_widget",
            "call_1",
            False,
        )
        assert text_of(answer) == "A cat."
        assert widgets_of(answer)[0]["rawText"] == text_of(result)
        assert {message["__openclaw"].get("runId") for message in (calling, result, answer)} == {"k"}


async def refuse(_context, _arguments):
    raise ToolError("too big; the limit is 3. Draw less.")


async def break_down(_context, _arguments):
    raise RuntimeError("out of ink")


@asynchronous
async def test_each_way_to_fail_is_told_to_the_model_and_ends_no_run(caplog):
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    calls = [
        *call("refuse", "c1"),
        *call("break_down", "c2"),
        *call("typed", "c3", n="many"),
        *call("no_such_tool", "c4"),
        ToolCall("c5", "typed", {}, "its arguments are not JSON"),
    ]
    script = Scripted([calls, say("sorry")])
    plugins = [tool("refuse", refuse), tool("break_down", break_down), tool("typed", echo, schema)]
    async with house(script, plugins=plugins) as home:
        client = await home.client(TOOL_EVENTS)
        assert text_of(await client.ask("go")) == "sorry"
        told = [turn for turn in script.requests[1].turns if isinstance(turn, ToolResultTurn)]
        assert all(turn.is_error for turn in told)
        errors = [json.loads(turn.text)["error"] for turn in told]
        assert errors[0] == "too big; the limit is 3. Draw less."
        assert errors[1].startswith("break_down failed: RuntimeError: out of ink.")
        assert errors[2].startswith("typed: n: 'many' is not of type 'integer'")
        assert errors[3].startswith("there is no tool 'no_such_tool'")
        assert errors[4] == "typed: its arguments are not JSON"
        shown = client.tool_results()[0]["result"]["details"]
        assert shown == {"status": "error", "tool": "refuse", "error": errors[0]}
    assert "out of ink" in caplog.text


@asynchronous
async def test_a_tool_that_this_client_cannot_show_is_neither_offered_nor_callable_by_name():
    script = Scripted([call("show_widget", title="t", widget_code=SVG), say("no")])
    async with house(script) as home:
        client = await home.client(TOOL_EVENTS)
        await client.ask("a cat")
        assert script.requests[0].tools == ()
        assert "there is no tool 'show_widget'" in client.tool_results()[0]["result"]["details"]["error"]


@asynchronous
async def test_a_plugin_s_tool_is_gated_like_one_of_ours():
    gated = plugin(Tool("gated", "", ANYTHING, echo, requires=frozenset({WIDGETS})))
    script = Scripted([call("gated"), say("no"), call("gated"), say("yes")])
    async with house(script, plugins=[gated]) as home:
        without, with_caps = await home.client(TOOL_EVENTS), await home.client(WIDGETS, TOOL_EVENTS)
        await without.ask("go", key="k1")
        await with_caps.ask("go", key="k2")
        offered = [[spec.name for spec in request.tools] for request in script.requests]
        assert offered == [[], [], ["gated", "show_widget"], ["gated", "show_widget"]]
        assert [one["isError"] for one in with_caps.tool_results()] == [True, False]


@asynchronous
async def test_a_model_that_never_stops_calling_is_stopped_with_the_bound():
    script = Scripted([call("echo") for _ in range(10)])
    async with house(script, plugins=[tool("echo", echo)], max_turns_per_run=3) as home:
        client = await home.client()
        await client.send("go")
        error = (await client.chat("error"))["errorMessage"]
        assert "called tools in 3 turns" in error
        assert len(script.requests) == 3
        assert (await client.history())["messages"][-1]["errorMessage"] == error


@asynchronous
async def test_a_model_that_says_nothing_is_an_error_with_a_next_step():
    async with house(Scripted([say()])) as home:
        client = await home.client()
        await client.send("go")
        assert "without an answer. Send the message again" in (await client.chat("error"))["errorMessage"]


@asynchronous
async def test_a_message_may_bring_its_own_limit_of_time():
    async with house(Scripted([[*say("half"), asyncio.Event()]])) as home:
        client = await home.client()
        await client.send("go", timeoutMs=20)
        assert "no answer within 0.02 seconds" in (await client.chat("error"))["errorMessage"]
        assert text_of((await client.history())["messages"][-1]) == "half"


@asynchronous
async def test_a_tool_that_hangs_is_stopped(monkeypatch):
    monkeypatch.setattr(loop, "TOOL_LIMIT_S", 0.02)

    async def hang(_context, _arguments):
        await asyncio.Event().wait()

    async with house(Scripted([call("hang"), say("ok")]), plugins=[tool("hang", hang)]) as home:
        client = await home.client(TOOL_EVENTS)
        assert text_of(await client.ask("go")) == "ok"
        assert "not done after 0.02 seconds" in text_of(client.tool_results()[0]["result"])


@asynchronous
async def test_a_result_longer_than_the_bound_is_refused():
    async def flood(_context, arguments):
        return ToolResult("x" * arguments["n"])

    bound = loop.MAX_RESULT_CHARS
    turn = [*call("flood", "c1", n=bound), *call("flood", "c2", n=bound + 1)]
    async with house(Scripted([turn, say("ok")]), plugins=[tool("flood", flood)]) as home:
        client = await home.client(TOOL_EVENTS)
        await client.ask("go")
        assert [one["isError"] for one in client.tool_results()] == [False, True]


@asynchronous
async def test_what_is_not_fit_for_the_wire_still_reaches_the_client():
    strange = {"n": float("nan"), "text": "half \ud800"}
    script = Scripted([[*say("\udfff!"), ToolCall("c1", "echo", strange)], say("ok")])

    async def odd(_context, _arguments):
        return ToolResult("\ud800", details={"when": object, "n": float("inf")})

    async with house(script, plugins=[tool("echo", odd)]) as home:
        client = await home.client(TOOL_EVENTS)
        assert text_of(await client.ask("go")) == "?!\n\nok"
        started = next(
            e["data"] for e in client.events("agent", stream="tool") if e["data"]["phase"] == "start"
        )
        assert started["args"] == {"n": None, "text": "half ?"}
        assert len((await client.history())["messages"]) == 4
