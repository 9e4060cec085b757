from __future__ import annotations

import asyncio
import json
from contextlib import aclosing

import pytest

from companion.gateway.provider import (
    AssistantTurn,
    Picture,
    ProviderError,
    ProviderRequest,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolResultTurn,
    ToolSpec,
    TurnEnd,
    UserTurn,
)
from companion.gateway.providers.models import INSTRUCTIONS, ModelProvider
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import TOOL_EVENTS, WIDGETS, house, text_of, widgets_of
from tests.support.openai_endpoint import calls, endpoint, thoughts, words

ASK = ProviderRequest((UserTurn("hello"),))
DRAW = ToolSpec("draw", "draws", {"type": "object", "properties": {"title": {"type": "string"}}})


def model(one, *, api_key=None):
    return ModelProvider("test-model", base_url=one.base_url, api_key=api_key)


async def answered(provider, request=ASK):
    try:
        return [delta async for delta in provider.stream(request)]
    finally:
        await provider.close()


def text(deltas):
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


@asynchronous
async def test_words_come_as_they_are_streamed_and_the_end_with_its_tokens():
    async with endpoint() as one:
        one.will(words("Hel", "lo", "."))
        deltas = await answered(model(one))
        assert [delta.text for delta in deltas if isinstance(delta, TextDelta)] == ["Hel", "lo", "."]
        assert deltas[-1] == TurnEnd("stop", {"input": 7, "output": 5, "totalTokens": 12})


@asynchronous
async def test_a_word_arrives_before_the_answer_is_over():
    gate = asyncio.Event()
    async with endpoint() as one:
        one.will([*words("first")[:1], gate, *words("second")])
        provider = model(one)
        async with aclosing(provider.stream(ASK)) as stream:
            assert await anext(stream) == TextDelta("first")
            gate.set()
            assert text([delta async for delta in stream]) == "second"
        await provider.close()


@asynchronous
async def test_reasoning_is_told_apart_from_the_answer():
    async with endpoint() as one:
        one.will([*thoughts("hm", "…"), *words("Yes.")])
        deltas = await answered(model(one))
        assert "".join(d.text for d in deltas if isinstance(d, ThinkingDelta)) == "hm…"
        assert text(deltas) == "Yes."


@asynchronous
async def test_several_calls_of_one_turn_come_whole_and_in_order():
    async with endpoint() as one:
        one.will(calls(("c1", "draw", '{"title": "a"}'), ("c2", "draw", '{"title": "b"}')))
        deltas = await answered(model(one), ProviderRequest(ASK.turns, (DRAW,)))
        assert deltas[:-1] == [ToolCall("c1", "draw", {"title": "a"}), ToolCall("c2", "draw", {"title": "b"})]
        assert deltas[-1].stop_reason == "toolUse"


@asynchronous
@pytest.mark.parametrize("arguments", ['{"title": ', "[1]", '"text"', '{"n": NaN}'])
async def test_arguments_that_are_no_object_are_a_problem_for_the_model_to_correct(arguments):
    async with endpoint() as one:
        one.will(calls(("c1", "draw", arguments)))
        call = (await answered(model(one), ProviderRequest(ASK.turns, (DRAW,))))[0]
        assert (call.name, call.arguments) == ("draw", {})
        assert "Call it again with a JSON object." in call.problem


@asynchronous
async def test_an_answer_that_was_cut_says_so():
    async with endpoint() as one:
        one.will(words("long", finish="length"))
        assert (await answered(model(one)))[-1].stop_reason == "length"


@asynchronous
async def test_an_answer_whose_stream_ends_too_early_is_never_taken_for_a_whole_one():
    async with endpoint() as one:
        one.will([{"delta": {"content": "half an ans"}}])
        with pytest.raises(ProviderError, match="was cut off before its end"):
            await answered(model(one))


@asynchronous
async def test_the_whole_conversation_goes_to_the_endpoint():
    async with endpoint() as one:
        one.will(words("ok"))
        turns = (
            UserTurn("draw", (Picture("iVBORw0KGgo=", "image/png"),)),
            AssistantTurn("Let me.", (ToolCall("c1", "draw", {"title": "t"}),)),
            ToolResultTurn("c1", "draw", "done"),
            AssistantTurn("There."),
            UserTurn("again"),
        )
        await answered(model(one, api_key="secret"), ProviderRequest(turns, (DRAW,)))
        sent = one.requests[0]
        assert (sent["model"], sent["stream"], one.keys) == ("test-model", True, ["Bearer secret"])
        system, user, calling, result, answer, again = sent["messages"]
        assert system == {"role": "system", "content": INSTRUCTIONS}
        assert user["content"][0] == {"type": "text", "text": "draw"}
        assert user["content"][1]["image_url"]["url"] == "data:image/png;base64,iVBORw0KGgo="
        assert calling["content"] == "Let me."
        assert json.loads(calling["tool_calls"][0]["function"]["arguments"]) == {"title": "t"}
        assert (result["role"], result["tool_call_id"], result["content"]) == ("tool", "c1", "done")
        assert (answer["content"], again["content"]) == ("There.", "again")
        function = sent["tools"][0]["function"]
        assert (function["name"], function["description"]) == ("draw", "draws")
        assert function["parameters"] == DRAW.parameters


@asynchronous
@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "Check api_key_env"),
        (404, "Check model and base_url"),
        (429, "Wait a moment"),
        (400, "see the endpoint's log"),
    ],
)
async def test_each_refusal_of_the_endpoint_has_a_next_step(status, advice):
    async with endpoint() as one:
        one.will(*[status] * 5)
        with pytest.raises(ProviderError, match=f"status {status}") as caught:
            await answered(model(one))
        assert advice in str(caught.value)
        assert one.base_url in str(caught.value)


@asynchronous
async def test_an_endpoint_that_is_not_there_is_said_with_what_to_check():
    provider = ModelProvider("m", base_url="http://127.0.0.1:9/v1", api_key=None)
    with pytest.raises(ProviderError, match="Check that the endpoint runs"):
        await answered(provider)


@asynchronous
async def test_a_run_that_is_stopped_leaves_the_endpoint():
    async with endpoint() as one:
        one.will([*words("half")[:1], asyncio.Event()])
        async with house(model(one)) as home:
            client = await home.client()
            await client.send("hello")
            await client.chat("delta")
            await client.call("chat.abort", {"sessionKey": "main"})
            assert text_of((await client.chat("aborted"))["message"]) == "half"
            await one.is_left.wait()


@asynchronous
async def test_a_model_draws_a_widget_through_the_whole_gateway_and_only_where_it_is_seen():
    arguments = json.dumps({"title": "Cat", "widget_code": "<svg></svg>"})
    async with endpoint() as one:
        one.will(calls(("c1", "show_widget", arguments)), words("A cat."), words("No cat."))
        async with house(model(one)) as home:
            drawing, plain = await home.client(WIDGETS, TOOL_EVENTS), await home.client()
            message = await drawing.ask("a cat", "k1", "one")
            assert text_of(message) == "A cat."
            assert widgets_of(message)[0]["preview"]["title"] == "Cat"
            await plain.ask("a cat", "k2", "two")
            names = [[tool["function"]["name"] for tool in one.requests[n].get("tools", [])] for n in (0, 2)]
            assert names == [["show_widget"], []]
            assert (await drawing.history("one"))["messages"][-1]["usage"]["totalTokens"] == 12
