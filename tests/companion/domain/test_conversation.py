from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.domain.conversation import Conversation, take_event, take_history
from companion.domain.transcript import ToolActivity
from gateway_client.protocol.blocks import TextBlock
from gateway_client.protocol.events import AgentEvent, ChatEvent, WireMessage
from gateway_client.protocol.methods import ChatHistoryResult, InFlightRun


def chat(seq, state, text=None, *, run_id="r1"):
    message = None if text is None else WireMessage(content=[{"type": "text", "text": text}])
    return ChatEvent(run_id=run_id, session_key="main", seq=seq, state=state, message=message)


def told(*messages, in_flight=None):
    return ChatHistoryResult(session_key="main", messages=list(messages), in_flight_run=in_flight)


def answer(text, run_id="r1"):
    return {"role": "assistant", "content": text, "__openclaw": {"id": run_id, "runId": run_id}}


def play(*events, start=None):
    conversation = start or Conversation()
    for event in events:
        conversation = take_event(conversation, event, now_ms=1)
    return conversation


def text_of(conversation, key="run:r1"):
    row = conversation.transcript.find(key)
    return "".join(part.text for part in row.parts if isinstance(part, TextBlock))


def test_a_run_is_active_from_its_first_event_to_its_last():
    begun = play(chat(1, "delta", "He"))
    assert begun.active_run_id == "r1"
    assert play(chat(2, "final", "Hello"), start=begun).active_run_id == ""


def test_history_and_the_events_before_it_tell_one_row():
    live = play(chat(1, "delta", "He"), chat(2, "final", "Hello"))
    after = take_history(live, told(answer("Hello")))
    assert [row.key for row in after.transcript.messages] == ["run:r1"]
    assert text_of(after) == "Hello"


def test_an_event_of_a_run_that_history_told_is_stale():
    after = take_history(Conversation(), told(answer("Hello")))
    assert play(chat(9, "delta", "again"), start=after) is after


def test_the_last_words_of_a_run_that_is_not_stored_yet_stay():
    after = take_history(play(chat(2, "final", "Hello")), told())
    assert text_of(after) == "Hello"


def test_a_client_that_joins_during_a_run_sees_its_words_so_far_and_goes_on():
    joined = take_history(Conversation(), told(in_flight=InFlightRun(run_id="r1", text="word0 word1")))
    assert joined.active_run_id == "r1"
    assert text_of(joined) == "word0 word1"
    assert text_of(play(chat(9, "final", "word0 word1 word2"), start=joined)) == "word0 word1 word2"


def test_a_client_that_joins_sees_the_tools_of_the_run_in_flight():
    start = {"phase": "start", "name": "show_widget", "toolCallId": "c1", "args": {}}
    event = AgentEvent(run_id="r1", stream="tool", seq=3, ts=5, data=start).to_wire()
    joined = take_history(Conversation(), told(in_flight=InFlightRun(run_id="r1", events=[event, {"x": 1}])))
    (card,) = joined.transcript.messages[0].parts
    assert isinstance(card, ToolActivity)
    assert card.state == "running"


def test_history_never_shortens_what_was_streamed_already():
    live = play(chat(4, "delta", "word0 word1 word2"))
    after = take_history(live, told(in_flight=InFlightRun(run_id="r1", text="word0")))
    assert text_of(after) == "word0 word1 word2"


def test_a_run_that_ended_while_we_were_away_is_as_history_tells_it():
    live = play(chat(1, "delta", "He"))
    after = take_history(live, told(answer("Hello")))
    assert after.active_run_id == ""
    assert text_of(after) == "Hello"


EVENTS = [chat(1, "delta", "a"), chat(2, "delta", "ab"), chat(3, "final", "abc")]


@given(st.lists(st.sampled_from(EVENTS), max_size=8), st.lists(st.sampled_from(EVENTS), max_size=8))
def test_whatever_was_heard_or_missed_history_ends_it_the_same_way(before, after):
    settled = take_history(play(*before), told(answer("abc")))
    assert text_of(play(*after, start=settled)) == "abc"
    assert play(*after, start=settled).active_run_id == ""
