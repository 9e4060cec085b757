from __future__ import annotations

from companion.gateway.provider import AssistantTurn, Picture, ToolCall, ToolResultTurn, UserTurn
from companion.gateway.runs.conversation import STOPPED, turns


def user(text):
    return {"role": "user", "content": text}


def calling(*ids):
    blocks = [{"type": "toolCall", "id": one, "name": "draw", "arguments": {"a": 1}} for one in ids]
    return {"role": "assistant", "content": [{"type": "text", "text": "Let me see."}, *blocks]}


def result(call_id, text="done", is_error=False):
    content = [{"type": "text", "text": text}]
    return {
        "role": "toolResult",
        "toolCallId": call_id,
        "toolName": "draw",
        "content": content,
        "isError": is_error,
    }


def answer(text):
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": text}, {"type": "canvas", "preview": {}}],
    }


def test_a_whole_turn_comes_out_as_it_was():
    call = ToolCall("c1", "draw", {"a": 1})
    assert turns([user("hello"), calling("c1"), result("c1"), answer("There.")]) == (
        UserTurn("hello"),
        AssistantTurn("Let me see.", (call,)),
        ToolResultTurn("c1", "draw", "done"),
        AssistantTurn("There."),
    )


def test_pictures_of_a_person_go_along():
    content = [{"type": "text", "text": "look"}, {"type": "image", "data": "AA", "mimeType": "image/png"}]
    assert turns([user(content)]) == (UserTurn("look", (Picture("AA", "image/png"),)),)


def test_a_call_without_its_result_is_said_to_be_unknown():
    found = turns([user("a"), calling("c1", "c2"), result("c1"), user("b")])
    assert found[2:4] == (
        ToolResultTurn("c1", "draw", "done"),
        ToolResultTurn("c2", "draw", STOPPED, is_error=True),
    )
    assert found[4] == UserTurn("b")
    assert turns([user("a"), calling("c1")])[-1] == ToolResultTurn("c1", "draw", STOPPED, is_error=True)


def test_a_result_that_nobody_asked_for_is_left_out():
    assert turns([user("a"), result("c9"), answer("b")]) == (UserTurn("a"), AssistantTurn("b"))


def test_a_conversation_begins_with_a_person():
    assert turns([calling("c1"), result("c1"), answer("x"), user("a")]) == (UserTurn("a"),)


def test_an_answer_that_says_nothing_is_left_out():
    empty = {"role": "assistant", "content": [], "errorMessage": "no"}
    assert turns([user("a"), empty, user("b")]) == (UserTurn("a"), UserTurn("b"))
