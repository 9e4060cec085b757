from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.page_bridge import (
    BURST,
    MAX_PROMPT_CHARS,
    BridgeReady,
    OuterReady,
    PageBridge,
    PageFloods,
    PageLeft,
    PageLoaded,
    Painted,
    PromptOffered,
    Reply,
    RuntimeErrorReported,
    SizeReported,
    SnapshotTaken,
    WheelLeft,
    chat_host_message,
    snapshot_request,
    theme_message,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=8,
)
TYPES = ["size", "scroll", "runtime-error", "snapshot", "bridge-ready", "prompt", "prompt-offer", "theme"]
shaped = st.fixed_dictionaries(
    {"type": st.sampled_from([f"openclaw:widget-{name}" for name in TYPES])},
    optional=dict.fromkeys(
        ("height", "deltaY", "message", "source", "line", "column", "id", "dataUrl", "error", "prompt"),
        json_values,
    ),
)
calls = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0")},
    optional={
        "method": st.sampled_from(["ping", "ui/initialize", "tools/call", "ui/notifications/size-changed"])
        | json_values,
        "id": json_values,
        "params": json_values,
    },
)


def page(data: Any, bridge: PageBridge | None = None, at_s: float = 0.0) -> tuple[object, ...]:
    return (bridge or PageBridge()).receive(json.dumps({"from": "page", "data": data}), at_s)


def prompt(text: Any, bridge: PageBridge, at_s: float = 0.0) -> tuple[object, ...]:
    data = {"type": "openclaw:widget-prompt", "prompt": text}
    return bridge.receive(json.dumps({"from": "prompt", "data": data}), at_s)


def note(name: str, **more: Any) -> tuple[object, ...]:
    return PageBridge().receive(json.dumps({"from": "outer", "note": name, **more}), 0)


def reply(data: Any, bridge: PageBridge | None = None) -> dict[str, Any]:
    (effect,) = page({"jsonrpc": "2.0", **data}, bridge)
    assert isinstance(effect, Reply)
    return json.loads(effect.text)


@given(st.text())
def test_no_text_raises(text):
    PageBridge().receive(text, 0)


@given(st.sampled_from(["page", "prompt", "outer", "x"]) | json_values, shaped | calls | json_values)
def test_no_message_raises_and_every_effect_can_be_encoded(origin, data):
    bridge = PageBridge()
    bridge.person_acted(0)
    for effect in bridge.receive(json.dumps({"from": origin, "data": data}), 0):
        repr(effect).encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "1",
        "null",
        "{",
        "NaN",
        '{"from":"page","data":NaN}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 10_000,
    ],
)
def test_what_is_no_object_is_dropped_and_counted(text):
    bridge = PageBridge()
    assert bridge.receive(text, 0) == ()
    assert bridge.dropped == 1


def test_what_is_nested_too_deep_is_dropped():
    deep: Any = "x"
    for _ in range(40):
        deep = [deep]
    assert page({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": deep}) == ()


def test_a_message_of_more_than_a_mebibyte_is_dropped():
    assert page({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "x" * (1 << 20)}) == ()


@pytest.mark.parametrize(
    ("data", "effect"),
    [
        ({"type": "openclaw:widget-size", "height": 420}, SizeReported(420.0)),
        ({"type": "openclaw:widget-scroll", "deltaY": -12.6, "nonce": "n"}, WheelLeft(-13)),
        ({"type": "openclaw:widget-bridge-ready"}, BridgeReady()),
        (
            {
                "type": "openclaw:widget-runtime-error",
                "message": "boom",
                "source": "s",
                "line": 3,
                "column": 4,
            },
            RuntimeErrorReported("boom", "s", 3, 4),
        ),
        (
            {
                "type": "openclaw:widget-snapshot",
                "id": "1",
                "dataUrl": "data:image/png;base64,AA",
                "width": 1,
                "height": 1,
            },
            SnapshotTaken("1", data_url="data:image/png;base64,AA"),
        ),
        ({"type": "openclaw:widget-snapshot", "id": "1", "error": "no"}, SnapshotTaken("1", error="no")),
        (
            {"jsonrpc": "2.0", "method": "ui/notifications/size-changed", "params": {"height": 10}},
            SizeReported(10.0),
        ),
    ],
)
def test_each_kind_of_message_becomes_its_effect(data, effect):
    assert page(data) == (effect,)


@pytest.mark.parametrize(
    "data",
    [
        {"type": "openclaw:widget-size"},
        {"type": "openclaw:widget-size", "height": "420"},
        {"type": "openclaw:widget-size", "height": True},
        {"type": "openclaw:widget-size", "height": -1},
        {"type": "openclaw:widget-size", "height": 10**400},
        {"type": "openclaw:widget-scroll", "deltaY": None},
        {"type": "openclaw:widget-runtime-error", "message": 5},
        {"type": "openclaw:widget-snapshot", "id": "1", "dataUrl": "data:text/html,x"},
        {"type": "openclaw:widget-snapshot", "id": 1, "error": "x"},
        {"type": "openclaw:widget-theme", "tokens": {}},
        {"type": ["openclaw:widget-size"]},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"},
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        "text",
        None,
    ],
)
def test_what_is_malformed_or_unknown_is_dropped_and_counted(data):
    bridge = PageBridge()
    assert page(data, bridge) == ()
    assert bridge.dropped == 1


def test_a_page_can_not_speak_as_our_own_script():
    assert page({"from": "outer", "note": "painted"}) == ()
    assert page({"note": "painted"}) == ()


@pytest.mark.parametrize(
    ("effect", "name", "more"),
    [
        (OuterReady(), "ready", {}),
        (PageLoaded(), "loaded", {}),
        (Painted(), "painted", {}),
        (PageLeft(), "left", {}),
        (PageFloods(2000), "floods", {"dropped": 2000}),
    ],
)
def test_what_our_own_script_saw_becomes_its_effect(effect, name, more):
    assert note(name, **more) == (effect,)


def test_a_prompt_is_not_taken_without_a_person():
    bridge = PageBridge()
    assert prompt("hello", bridge) == ()
    assert bridge.dropped == 1


def test_a_prompt_is_taken_once_for_each_click():
    bridge = PageBridge()
    bridge.person_acted(1.0)
    assert prompt("one", bridge, 1.1) == (PromptOffered("one"),)
    assert prompt("two", bridge, 1.2) == ()
    bridge.person_acted(2.0)
    assert prompt("three", bridge, 2.1) == (PromptOffered("three"),)


def test_a_click_is_forgotten_after_five_seconds_and_by_a_new_load():
    bridge = PageBridge()
    bridge.person_acted(1.0)
    assert prompt("late", bridge, 6.5) == ()
    bridge.person_acted(7.0)
    bridge.start_load()
    assert prompt("other page", bridge, 7.1) == ()


@pytest.mark.parametrize("text", ["", "   ", "x" * (MAX_PROMPT_CHARS + 1), 5, None])
def test_a_prompt_that_is_empty_too_long_or_no_text_is_dropped_and_leaves_the_click(text):
    bridge = PageBridge()
    bridge.person_acted(0)
    assert prompt(text, bridge) == ()
    assert prompt("x" * MAX_PROMPT_CHARS, bridge) == (PromptOffered("x" * MAX_PROMPT_CHARS),)


def test_half_a_character_in_a_prompt_becomes_one_that_can_be_shown():
    bridge = PageBridge()
    bridge.person_acted(0)
    assert prompt("a\ud800b\0", bridge) == (PromptOffered("a?b"),)


def test_a_prompt_must_come_through_its_port():
    bridge = PageBridge()
    bridge.person_acted(0)
    assert page({"type": "openclaw:widget-prompt", "prompt": "x"}, bridge) == ()


def test_at_most_three_errors_of_a_load_are_told():
    bridge = PageBridge()
    error = {"type": "openclaw:widget-runtime-error", "message": "e" * 900}
    told = [effect for _ in range(5) for effect in page(error, bridge)]
    assert told == [RuntimeErrorReported("e" * 500)] * 3
    bridge.start_load()
    assert page(error, bridge) != ()


def test_a_page_that_speaks_too_fast_is_cut_to_thirty_a_second():
    bridge = PageBridge()
    size = {"type": "openclaw:widget-size", "height": 100}
    heard = sum(len(page(size, bridge, i / 1000)) for i in range(10_000))
    assert BURST + 295 <= heard <= BURST + 305
    assert bridge.dropped == 10_000 - heard


def test_our_own_script_is_heard_however_much_the_page_says():
    bridge = PageBridge()
    for _ in range(BURST + 5):
        page({"type": "openclaw:widget-size", "height": 1}, bridge)
    assert bridge.receive('{"from":"outer","note":"left"}', 0) == (PageLeft(),)


def test_a_page_that_greets_is_told_where_it_is():
    greeting = reply(
        {"id": 0, "method": "ui/initialize"}, PageBridge(host_context={"theme": "dark"}, host_version="1.2")
    )
    assert greeting["id"] == 0
    assert greeting["result"]["hostInfo"] == {"name": "companion", "version": "1.2"}
    assert greeting["result"]["hostContext"] == {"theme": "dark"}
    assert set(greeting["result"]) == {"protocolVersion", "hostInfo", "hostCapabilities", "hostContext"}


@pytest.mark.parametrize("request_id", [0, "", "a", 7, -1])
def test_a_ping_is_answered_with_the_same_id(request_id):
    assert reply({"id": request_id, "method": "ping"}) == {"jsonrpc": "2.0", "id": request_id, "result": {}}


@pytest.mark.parametrize(
    "method",
    [
        "tools/call",
        "resources/read",
        "ui/message",
        "ui/update-model-context",
        "ui/open-link",
        "tools/list",
        "",
        "x",
    ],
)
def test_every_other_call_of_a_show_widget_document_is_not_found(method):
    assert reply({"id": 1, "method": method})["error"]["code"] == -32601


def test_a_notification_is_never_answered_and_no_fault():
    bridge = PageBridge()
    assert page({"jsonrpc": "2.0", "method": "ui/notifications/initialized"}, bridge) == ()
    assert bridge.dropped == 0


def test_what_we_post_to_a_page_is_json_of_the_agreed_types():
    assert json.loads(theme_message({"text": "#fff"})) == {
        "type": "openclaw:widget-theme",
        "tokens": {"text": "#fff"},
    }
    assert json.loads(chat_host_message()) == {"type": "openclaw:widget-chat-host"}
    assert json.loads(snapshot_request("s")) == {"type": "openclaw:widget-snapshot-request", "id": "s"}
