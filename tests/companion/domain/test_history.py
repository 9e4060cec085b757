from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.domain import history
from companion.domain.transcript import Message, Notice, ToolActivity, Transcript, echo, settle_echo
from gateway_client.protocol.blocks import TextBlock, WidgetBlock

FRAMES = Path(__file__).parents[2] / "vectors" / "frames"


def user(text, key):
    return {"role": "user", "content": text, "timestamp": 1, "idempotencyKey": f"{key}:user"}


def assistant(text, run_id, **more):
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": text}],
        "timestamp": 2,
        "__openclaw": {"id": f"m-{run_id}", "runId": run_id},
        **more,
    }


def recorded_history(name):
    lines = [json.loads(line) for line in (FRAMES / name).read_text(encoding="utf-8").splitlines()]
    payloads = [line["frame"].get("payload") for line in lines if "frame" in line]
    return next(p["messages"] for p in payloads if isinstance(p, dict) and "messages" in p)


def test_a_recorded_run_with_a_tool_becomes_one_row_with_its_widget():
    asked, answered = history.rows(recorded_history("widget_svg.jsonl"))
    assert asked.role == "user"
    card, text, widget = answered.parts
    assert isinstance(card, ToolActivity)
    assert (card.name, card.state) == ("show_widget", "done")
    assert "cv_" in card.result_text
    assert isinstance(text, TextBlock)
    assert isinstance(widget, WidgetBlock)
    assert widget.title == "Widget 1"


def test_a_stopped_answer_of_history_says_so():
    (row,) = history.rows([assistant("half", "r1", stopReason="aborted")])
    assert row.parts == (TextBlock("half"), Notice("Stopped.", "stopped"))
    assert row.state == "stopped"


def test_a_failed_answer_of_history_says_why():
    (row,) = history.rows([assistant("", "r1", errorMessage="the model is gone", stopReason="error")])
    assert Notice("the model is gone", "error") in row.parts


def test_history_takes_the_place_of_the_echo_it_contains():
    shown = settle_echo(echo(Transcript(), "k1", "hello", 1), "k1", "accepted")
    merged = history.merge(shown, [user("hello", "k1"), assistant("hi", "r1")])
    assert [row.key for row in merged.messages] == ["user:k1", "run:r1"]


def test_a_message_that_waits_to_be_sent_survives_a_history_without_it():
    shown = settle_echo(echo(Transcript(), "k2", "typed while offline", 1), "k2", "queued")
    merged = history.merge(shown, [user("hello", "k1"), assistant("hi", "r1")])
    assert [row.key for row in merged.messages] == ["user:k1", "run:r1", "user:k2"]


def test_a_message_accepted_while_history_was_on_its_way_stays():
    shown = history.merge(Transcript(), [user("hello", "k1"), assistant("hi", "r1")])
    shown = settle_echo(echo(shown, "k2", "next", 1), "k2", "accepted")
    merged = history.merge(shown, [user("hello", "k1"), assistant("hi", "r1")])
    assert merged.messages[-1].key == "user:k2"


def test_an_old_message_that_the_gateway_removed_goes():
    shown = history.merge(Transcript(), [user("old", "k0"), user("hello", "k1"), assistant("hi", "r1")])
    merged = history.merge(shown, [user("hello", "k1"), assistant("hi", "r1")])
    assert [row.key for row in merged.messages] == ["user:k1", "run:r1"]


def test_rows_that_did_not_change_stay_the_very_same_objects():
    told = [user("hello", "k1"), assistant("hi", "r1")]
    first = history.merge(Transcript(), told)
    second = history.merge(first, [*told, user("more", "k2")])
    assert second.messages[0] is first.messages[0]
    assert second.messages[1] is first.messages[1]
    assert history.merge(second, [*told, user("more", "k2")]) is second


def test_how_long_a_tool_took_is_not_forgotten_by_a_history_that_does_not_say_it():
    card = ToolActivity("c1", "show_widget", "done", {}, "", 200)
    live = Transcript((Message("run:r1", "assistant", (card,), "complete", 0, "r1"),))
    call = {"type": "toolCall", "id": "c1", "name": "show_widget", "arguments": {}}
    merged = history.merge(live, [{**assistant("", "r1"), "content": [call]}])
    assert merged.messages[0].parts[0].duration_ms == 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
ROLES = st.sampled_from(["user", "assistant", "toolResult", "system", "other", 3])
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": ROLES},
        optional={
            "content": JSON,
            "__openclaw": JSON,
            "toolCallId": JSON,
            "stopReason": JSON,
            "timestamp": JSON,
        },
    ),
    max_size=6,
)


@given(MESSAGES)
def test_no_history_however_strange_raises(messages):
    history.merge(Transcript(), messages)


@given(MESSAGES)
def test_merging_the_same_history_twice_changes_nothing(messages):
    once = history.merge(Transcript(), messages)
    assert history.merge(once, messages) is once
