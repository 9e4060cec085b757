from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_client.protocol.blocks import TextBlock, WidgetBlock
from gateway_client.protocol.events import (
    EVENTS,
    AgentEvent,
    ChatEvent,
    OtherEvent,
    ShutdownEvent,
    TickEvent,
    WireMessage,
    parse_event,
)
from gateway_client.protocol.frames import Event, decode
from gateway_client.protocol.handles import refusal
from tests.support.values import json_values, objects_with, texts
from tests.support.vectors import RECORDINGS, frames


def recorded(name):
    events = [decode(json.dumps(frame)) for frame in frames(name, "in") if frame["type"] == "event"]
    return [parse_event(event) for event in events if isinstance(event, Event)]


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_recorded_event_of_a_known_name_is_typed(name):
    strangers = [event.name for event in recorded(name) if isinstance(event, OtherEvent)]
    assert set(strangers).isdisjoint(EVENTS)


def test_a_recorded_run_ends_with_its_text_and_its_widget():
    chat = [event for event in recorded("widget_svg") if isinstance(event, ChatEvent)]
    *before, last = chat
    assert last.state == "final"
    assert last.is_end
    assert not any(event.is_end for event in before)
    assert last.message is not None
    text, widget = last.message.blocks()
    assert isinstance(text, TextBlock)
    assert isinstance(widget, WidgetBlock)
    assert widget.title == "Widget 1"
    assert refusal(widget) is None


def test_recorded_deltas_add_up_to_the_final_text():
    chat = [event for event in recorded("widget_svg") if isinstance(event, ChatEvent)]
    text = ""
    for event in chat:
        text = (event.delta_text or "") if event.replace else text + (event.delta_text or "")
    assert chat[-1].message is not None
    assert chat[-1].message.blocks()[0] == TextBlock(text)


def test_a_recorded_abort_says_that_a_person_stopped_it():
    (aborted,) = [e for e in recorded("abort") if isinstance(e, ChatEvent) and e.state == "aborted"][:1]
    assert aborted.is_end
    assert aborted.stop_reason == "rpc"


def test_recorded_tool_calls_come_as_agent_events():
    tools = [e for e in recorded("widget_svg") if isinstance(e, AgentEvent) and e.stream == "tool"]
    assert [event.data["phase"] for event in tools] == ["start", "result"]


def test_signs_of_life_and_of_the_end_are_typed():
    assert parse_event(Event("tick", {"ts": 5})) == TickEvent(ts=5)
    shutdown = parse_event(Event("shutdown", {"reason": "restart", "restartExpectedMs": 900}))
    assert shutdown == ShutdownEvent(reason="restart", restart_expected_ms=900)


def test_an_event_that_is_unknown_or_malformed_is_kept_as_it_came():
    assert parse_event(Event("news", [1])) == OtherEvent(name="news", payload=[1])
    assert parse_event(Event("chat", {"state": "odd"})) == OtherEvent(name="chat", payload={"state": "odd"})


def test_a_message_that_is_plain_text_is_one_block():
    assert WireMessage(content="hi").blocks() == (TextBlock("hi"),)


chat_like = objects_with(
    runId=texts,
    sessionKey=texts,
    seq=st.integers(),
    state=st.sampled_from(["status", "delta", "final", "aborted", "error"]),
    deltaText=texts,
    message=objects_with(
        role=texts, content=texts | st.lists(json_values, max_size=3), timestamp=st.integers()
    ),
)


@given(st.sampled_from([*EVENTS, "other"]) | texts, json_values | chat_like)
def test_any_event_gets_a_type_and_its_blocks_can_be_read(name, payload):
    event = parse_event(Event(name, payload))
    if isinstance(event, ChatEvent) and event.message is not None:
        event.message.blocks()
