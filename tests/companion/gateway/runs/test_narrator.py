from __future__ import annotations

from companion.gateway.hub import Hub
from companion.gateway.provider import ToolCall
from companion.gateway.runs.narrator import Narrator
from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.handles import mint
from tests.support.asynchronous import asynchronous, until

CALL = ToolCall("c1", "show_widget", {"title": "t"})


class Client:
    def __init__(self, *caps):
        self.caps = frozenset(caps)
        self.heard = []

    def push(self, name, payload):
        self.heard.append((name, payload))

    def chat(self, state):
        return [one for name, one in self.heard if name == "chat" and one["state"] == state]

    def agent(self, stream):
        return [one for name, one in self.heard if name == "agent" and one["stream"] == stream]


def told(*caps):
    hub, client = Hub(), Client(*caps)
    hub.subscribe(client)
    return Narrator(hub, "r1", "agent:main:main", now_ms=lambda: 5), client


@asynchronous
async def test_words_are_gathered_and_none_is_lost():
    narrator, client = told()
    for word in ["a", "b", "c", "d"]:
        narrator.say(word)
    await until(lambda: len(client.chat("delta")) == 2)
    first, second = client.chat("delta")
    assert (first["deltaText"], second["deltaText"]) == ("a", "bcd")
    assert second["message"]["content"] == [{"type": "text", "text": "abcd"}]
    narrator.say("e")
    narrator.final("stop", None)
    assert "".join(one["deltaText"] for one in client.chat("delta")) == "abcde"
    assert client.heard[-1][1]["state"] == "final"


@asynchronous
async def test_every_event_of_a_run_has_a_higher_number_than_the_one_before():
    narrator, client = told("tool-events")
    narrator.status("starting_model")
    narrator.say("a")
    narrator.tool_started(CALL, 1)
    narrator.tool_ended(CALL, {"content": []}, is_error=False, started_at_ms=1)
    narrator.final("stop", {"input": 1})
    numbers = [payload["seq"] for _, payload in client.heard]
    assert numbers == sorted(set(numbers))
    assert client.chat("final")[0]["usage"] == {"input": 1}


@asynchronous
async def test_the_life_of_tools_is_told_only_to_who_wants_it():
    plain, quiet = told()
    plain.tool_started(CALL, 1)
    assert quiet.heard == []
    narrator, client = told("tool-events")
    narrator.say("first")
    narrator.tool_started(CALL, 1)
    narrator.tool_ended(CALL, {"content": []}, is_error=True, started_at_ms=1)
    start, result = client.agent("tool")
    assert start["data"] == {
        "phase": "start",
        "name": "show_widget",
        "toolCallId": "c1",
        "args": {"title": "t"},
    }
    assert result["data"]["isError"] is True
    assert [item["data"]["status"] for item in client.agent("item")] == ["running", "failed"]
    assert client.agent("item")[0]["data"]["title"] == "Show Widget"


@asynchronous
async def test_the_words_of_each_turn_are_a_paragraph():
    narrator, client = told()
    narrator.say("Let me see.")
    narrator.begin_turn()
    narrator.say("There")
    narrator.say(" it is.")
    narrator.flush()
    assert narrator.text == "Let me see.\n\nThere it is."
    assert narrator.turn_text == "There it is."
    assert "".join(one["deltaText"] for one in client.chat("delta")) == narrator.text


@asynchronous
async def test_a_client_that_joins_finds_the_words_and_the_tools_so_far():
    narrator, _ = told()
    narrator.say("half")
    narrator.tool_started(CALL, 1)
    joined = narrator.for_joining()
    assert (joined["runId"], joined["text"], joined["startedAt"]) == ("r1", "half", 5)
    assert [event["data"]["phase"] for event in joined["events"]] == ["start"]


@asynchronous
async def test_widgets_stand_after_the_words_and_history_keeps_their_raw_text():
    narrator, client = told()
    narrator.blocks.append(WidgetBlock("cv_1", mint("cv_1"), "t"))
    narrator.say("Look:")
    narrator.aborted("rpc")
    widget = client.chat("aborted")[0]["message"]["content"][1]
    assert (widget["preview"]["viewId"], widget["rawText"]) == ("cv_1", None)
    assert narrator.content("x", {"cv_1": "raw"})[1]["rawText"] == "raw"


@asynchronous
async def test_a_failure_carries_its_reason_and_only_a_message_that_says_something():
    narrator, client = told()
    narrator.failed("no")
    assert client.chat("error")[0]["errorMessage"] == "no"
    assert "message" not in client.chat("error")[0]
