from __future__ import annotations

import json
import re

import pytest

from companion import resources
from companion.domain.markup import MAX_MARKUP_CHARS, MAX_TITLE_CHARS
from companion.gateway.providers.scripted import Scripted, call, say
from companion.gateway.tools import TOOLS
from gateway_client.protocol import handles
from gateway_client.protocol.blocks import WidgetBlock, parse_block
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import TOOL_EVENTS, WIDGETS, Refused, house, text_of, widgets_of

SVG = "<svg viewBox='0 0 1 1'><circle r='1'/></svg>"


async def shown(home, **arguments):
    """Let the model call the tool; returns the answer and the tool's result as the client hears it."""
    home.provider.will(call("show_widget", **arguments), say("Here it is."))
    client = await home.client(WIDGETS, TOOL_EVENTS)
    message = await client.ask("draw", key=f"key-{len(home.channels)}")
    return client, message, client.tool_results()[-1]


async def page_of(client, message):
    view_id = widgets_of(message)[0]["preview"]["viewId"]
    return (await client.call("canvas.document.view", {"docId": view_id}))["html"]


@asynchronous
async def test_the_result_and_the_block_have_the_shape_of_a_real_gateway():
    async with house(Scripted()) as home:
        client, message, result = await shown(home, title="Cat", widget_code=SVG)
        details = result["result"]["details"]
        view_id = details["view"]["id"]
        assert re.fullmatch(r"cv_[0-9a-f]{32}", view_id)
        url = f"/__openclaw__/canvas/documents/{view_id}/index.html"
        assert details == {
            "kind": "canvas",
            "presentation": {"target": "assistant_message", "title": "Cat", "sandbox": "scripts"},
            "view": {"id": view_id, "url": url},
            "text": f"Widget hosted at {url}",
        }
        assert json.loads(text_of(result["result"])) == details
        assert message["content"][1] == {
            "type": "canvas",
            "preview": {
                "kind": "canvas",
                "surface": "assistant_message",
                "render": "url",
                "url": url,
                "viewId": view_id,
                "title": "Cat",
                "sandbox": "scripts",
            },
            "rawText": None,
        }
        block = parse_block(message["content"][1])
        assert isinstance(block, WidgetBlock)
        assert handles.refusal(block) is None
        assert (await client.history())["messages"][-1]["content"][1]["rawText"] == text_of(result["result"])


@asynchronous
async def test_a_drawing_and_a_fragment_are_hosted_with_our_script_and_style():
    async with house(Scripted()) as home:
        for code in (SVG, "<p>hello</p><script>go()</script>"):
            client, message, _ = await shown(home, title="A <b> & c", widget_code=code)
            page = await page_of(client, message)
            assert code in page
            assert resources.read_text("widget/shim.js") in page
            assert resources.read_text("widget/style.css") in page
            assert "<title>A &lt;b&gt; &amp; c</title>" in page


@asynchronous
@pytest.mark.parametrize(
    ("title", "code"),
    [("t", "<p>"), ("t" * MAX_TITLE_CHARS, "<p>"), ("t", "<p>" + "x" * (MAX_MARKUP_CHARS - 3))],
    ids=["shortest", "longest title", "longest markup"],
)
async def test_input_at_each_bound_is_shown(title, code):
    async with house(Scripted()) as home:
        client, message, result = await shown(home, title=title, widget_code=code)
        assert result["isError"] is False
        assert code in await page_of(client, message)


@asynchronous
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"title": "t" * 121, "widget_code": "<p>"}, "title is 121 characters; the limit is 120"),
        ({"title": "", "widget_code": "<p>"}, "title is blank"),
        (
            {"title": "t", "widget_code": "<p>" + "x" * (MAX_MARKUP_CHARS - 2)},
            "262145 characters; the limit is 262144",
        ),
        ({"title": "t", "widget_code": ""}, "widget_code is blank"),
        ({"title": "t", "widget_code": " \n"}, "widget_code is blank"),
        ({"title": "t", "widget_code": "plain words"}, "no tag"),
        ({"title": "t", "widget_code": "<p>\x00"}, "NUL"),
        ({"title": "t\x00", "widget_code": "<p>"}, "NUL"),
        ({"title": "t", "widget_code": "<p>\ud83d"}, "surrogate"),
        ({"title": "\udc00", "widget_code": "<p>"}, "surrogate"),
        ({"widget_code": "<p>"}, "'title' is a required property"),
        ({"title": "t"}, "'widget_code' is a required property"),
        ({"title": 7, "widget_code": "<p>"}, "title: 7 is not of type 'string'"),
        ({"title": "t", "widget_code": "<p>", "pin": True}, "'pin' was unexpected"),
        ({"title": "t", "widget_code": "<p>", "preferred_height": 47}, "47 is less than the minimum of 48"),
        (
            {"title": "t", "widget_code": "<p>", "preferred_height": 8001},
            "8001 is greater than the maximum of 8000",
        ),
    ],
)
async def test_input_past_a_bound_is_refused_with_a_sentence_and_nothing_is_shown(arguments, sentence):
    async with house(Scripted()) as home:
        _, message, result = await shown(home, **arguments)
        assert result["isError"] is True
        assert sentence in result["result"]["details"]["error"]
        assert len(result["result"]["details"]["error"]) < 1000
        assert widgets_of(message) == []


@asynchronous
@pytest.mark.parametrize("height", [48, 8000])
async def test_a_preferred_height_goes_into_the_handle(height):
    async with house(Scripted()) as home:
        _, message, result = await shown(home, title="t", widget_code="<p>", preferred_height=height)
        assert result["result"]["details"]["presentation"]["preferredHeight"] == height
        assert widgets_of(message)[0]["preview"]["preferredHeight"] == height


@asynchronous
async def test_the_thirty_third_widget_of_a_session_takes_the_oldest_and_its_block_stays_readable():
    script = Scripted()
    for number in range(33):
        script.will(call("show_widget", title=f"W{number}", widget_code="<p>"), say(str(number)))
    async with house(script) as home:
        client = await home.client(WIDGETS)
        for number in range(33):
            await client.ask("draw", key=f"k{number}")
        messages = (await client.history(limit=1000))["messages"]
        blocks = [
            block for message in messages if message["role"] == "assistant" for block in widgets_of(message)
        ]
        assert [block["preview"]["title"] for block in blocks] == [f"W{number}" for number in range(33)]
        with pytest.raises(Refused, match="keeps its newest 32") as caught:
            await client.call("canvas.document.view", {"docId": blocks[0]["preview"]["viewId"]})
        assert caught.value.code == "NOT_FOUND"
        for block in blocks[1:]:
            assert (await client.call("canvas.document.view", {"docId": block["preview"]["viewId"]}))["html"]


def test_the_tool_requires_a_client_that_draws():
    (tool,) = (tool for tool in TOOLS if tool.name == "show_widget")
    assert tool.requires == {"inline-widgets"}
