from __future__ import annotations

import pytest

from companion.gateway.providers.guide import HELP, NAME, NO_WIDGETS, Guide, pages
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import TOOL_EVENTS, WIDGETS, house, text_of, widgets_of


@asynchronous
@pytest.mark.parametrize("words", ["widget", "Widget SVG please", "a widget counter"])
async def test_the_word_widget_takes_the_way_of_a_model_through_the_tool(words):
    async with house(Guide()) as home:
        client = await home.client(WIDGETS, TOOL_EVENTS)
        message = await client.ask(words)
        assert text_of(message) == pages.AFTER
        assert widgets_of(message)[0]["preview"]["title"] == pages.choose(words.casefold()).title
        assert [one["name"] for one in client.tool_results()] == ["show_widget"]


@asynchronous
async def test_a_client_that_cannot_draw_is_told_so_and_no_tool_is_called():
    async with house(Guide()) as home:
        client = await home.client(TOOL_EVENTS)
        assert text_of(await client.ask("widget")) == NO_WIDGETS
        assert client.tool_results() == []


@asynchronous
async def test_a_second_widget_in_the_same_conversation_is_another_one():
    async with house(Guide()) as home:
        client = await home.client(WIDGETS)
        ids = {
            widgets_of(await client.ask("widget", key))[0]["preview"]["viewId"] for key in ("k1", "k2", "k3")
        }
        assert len(ids) == 3


@asynchronous
@pytest.mark.parametrize("words", ["hello", "What is the capital of France?", "…"])
async def test_any_other_words_get_an_honest_answer_and_what_to_try(words):
    async with house(Guide()) as home:
        answer = text_of(await (await home.client()).ask(words))
        assert answer == HELP
        assert "without a model" in answer
        assert all(word in answer for word in ("widget", "markdown", "slow"))


@asynchronous
async def test_markdown_shows_every_kind_of_text():
    async with house(Guide()) as home:
        answer = text_of(await (await home.client()).ask("markdown"))
        for mark in ("# ", "| --- |", "```python", "> ", "1. ", "- [x]"):
            assert mark in answer


@asynchronous
async def test_slow_says_word_after_word_and_can_be_stopped():
    async with house(Guide(pause_s=0.001)) as home:
        client = await home.client()
        await client.send("slow")
        await client.chat("delta")
        await client.call("chat.abort", {"sessionKey": "main"})
        said = text_of((await client.chat("aborted"))["message"])
        assert said.startswith("This answer is slow on purpose")
        assert "word 120" not in said


@asynchronous
async def test_it_is_named_for_what_it_is():
    guide = Guide()
    assert NAME == "Guide (no model)"
    async with house(guide) as home:
        client = await home.client()
        await client.ask("hello")
        assert (await client.history())["messages"][-1]["model"] == NAME
