from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.domain.runs import NO_REASON, STOPPED, Run, apply_agent, apply_chat, result_text, row
from companion.domain.transcript import Notice, ToolActivity
from gateway_client.protocol.blocks import TextBlock, WidgetBlock
from gateway_client.protocol.events import AgentEvent, ChatEvent, WireMessage


def chat(seq, state, text=None, *, delta=None, **more):
    message = None if text is None else WireMessage(content=[{"type": "text", "text": text}])
    return ChatEvent(
        run_id="r", session_key="main", seq=seq, state=state, message=message, delta_text=delta, **more
    )


def tool(seq, phase, call_id="c1", **data):
    data = {"phase": phase, "name": "show_widget", "toolCallId": call_id, **data}
    return AgentEvent(run_id="r", stream="tool", seq=seq, ts=1000 + seq * 10, data=data)


def play(*events):
    run = Run("r")
    for event in events:
        run = apply_chat(run, event) if isinstance(event, ChatEvent) else apply_agent(run, event)
    return run


def texts(run):
    return [part.text for part in row(run).parts if isinstance(part, TextBlock)]


def test_words_that_stream_in_are_one_text():
    assert texts(play(chat(1, "delta", delta="Hel"), chat(2, "delta", delta="lo"))) == ["Hello"]


def test_a_delta_that_brings_the_whole_message_replaces_what_was_there():
    assert texts(play(chat(1, "delta", "Hel"), chat(2, "delta", "Hello", delta="lo"))) == ["Hello"]


def test_a_replacing_delta_takes_away_the_text_so_far():
    assert texts(play(chat(1, "delta", delta="Wrong"), chat(2, "delta", delta="Right", replace=True))) == [
        "Right"
    ]


def test_an_older_delta_is_dropped():
    assert texts(play(chat(5, "delta", "new"), chat(3, "delta", "old"))) == ["new"]


def test_nothing_after_the_end_changes_the_answer():
    run = play(chat(9, "final", "done"), chat(10, "delta", "more"), chat(11, "error", error_message="late"))
    assert texts(run) == ["done"]
    assert row(run).state == "complete"


def test_a_failed_tool_that_is_told_late_never_stands_in_place_of_the_answer():
    run = play(chat(9, "final", "done"), tool(4, "result", isError=True, result="it broke"))
    assert row(run).parts == (
        ToolActivity("c1", "show_widget", "failed", {}, "it broke"),
        TextBlock("done"),
    )


def test_a_stopped_answer_keeps_its_words_and_says_that_it_was_stopped():
    run = play(chat(1, "delta", "half an ans"), chat(2, "aborted", "half an ans", stop_reason="rpc"))
    assert row(run).parts == (TextBlock("half an ans"), Notice(STOPPED, "stopped"))
    assert row(run).state == "stopped"


def test_an_error_without_a_reason_still_says_what_to_do():
    assert row(play(chat(1, "error"))).parts == (Notice(NO_REASON, "error"),)


def test_a_tool_shows_its_arguments_its_result_and_how_long_it_took():
    run = play(
        tool(1, "start", args={"title": "Cat"}),
        tool(3, "result", isError=False, result={"content": [{"type": "text", "text": "shown"}]}),
    )
    assert row(run).parts == (ToolActivity("c1", "show_widget", "done", {"title": "Cat"}, "shown", 20),)


def test_a_tool_without_a_result_runs_until_the_run_is_over():
    running = play(tool(1, "start"))
    assert row(running).parts[0].state == "running"
    assert row(play(tool(1, "start"), chat(2, "final", "ok"))).parts[0].state == "done"


def test_a_widget_of_the_answer_is_a_part_of_the_row():
    block = WidgetBlock("cv_1", "/__openclaw__/canvas/documents/cv_1/index.html", "Cat")
    message = WireMessage(content=[{"type": "text", "text": "Here."}, block.to_wire()])
    run = play(ChatEvent(run_id="r", session_key="main", seq=3, state="final", message=message))
    assert row(run).parts == (TextBlock("Here."), block)


def test_the_text_of_a_result_is_found_in_every_form_that_gateways_use():
    assert result_text("plain") == "plain"
    assert result_text({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}) == "a\nb"
    assert result_text({"content": "x"}) == "x"
    assert result_text(None) == ""


EVENTS = [
    tool(1, "start", args={"a": 1}),
    tool(3, "result", isError=False, result="fine"),
    tool(2, "start", "c2"),
    tool(5, "result", "c2", isError=True, result="broke"),
    chat(4, "delta", "Hel"),
    chat(6, "delta", "Hello"),
    chat(7, "final", "Hello there"),
]


@given(st.permutations(EVENTS))
def test_any_order_of_a_runs_events_ends_in_the_same_row(events):
    assert row(play(*events)) == row(play(*EVENTS))


@given(st.permutations(EVENTS), st.lists(st.integers(0, len(EVENTS) - 1), max_size=10))
def test_events_that_come_twice_change_nothing(events, again):
    doubled = [*events, *(events[index] for index in again)]
    assert row(play(*doubled)) == row(play(*EVENTS))
