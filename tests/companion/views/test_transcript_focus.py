from __future__ import annotations

from dataclasses import replace

from companion.domain.transcript import Notice
from companion.views.transcript_focus import MAX_SPOKEN_CHARACTERS
from tests.support.transcripts import WORDS, said, shown, talk


def test_the_view_says_what_it_is_and_how_much_there_is(qtbot):
    view = shown(qtbot, talk(3))
    assert view.accessibleName() == "Conversation"
    assert view.accessibleDescription().startswith("3 messages.")
    view.set_messages(talk(1))
    assert view.accessibleDescription().startswith("1 message.")


def test_the_focused_message_is_the_views_name(qtbot):
    view = shown(qtbot, (said("q", "Why?", role="user"), said("a", "**Because**.")))
    view._focus.set(0)
    assert view.accessibleName() == "Conversation. You: Why?"
    view._focus.step(1, range(2))
    assert view.accessibleName() == "Conversation. Agent: Because."
    view._focus.clear()
    assert view.accessibleName() == "Conversation"


def test_a_completed_answer_is_announced_once_and_not_while_it_grows(qtbot):
    answer = said("r", "It", state="streaming")
    view, heard = shown(qtbot, (answer,)), []
    view._focus.announced.connect(heard.append)
    grown = replace(answer, parts=said("", "It is **done**.").parts)
    view.set_messages((grown,))
    assert heard == []
    view.set_messages((replace(grown, state="complete"),))
    view.set_messages((replace(grown, state="complete"),))
    assert heard == ["Agent: It is done."]


def test_an_answer_that_failed_is_announced_with_its_reason(qtbot):
    answer = said("r", "It", state="streaming")
    view, heard = shown(qtbot, (answer,)), []
    view._focus.announced.connect(heard.append)
    view.set_messages((replace(answer, parts=(Notice("The key was refused.", "error"),), state="failed"),))
    assert heard == ["Agent: Error: The key was refused."]


def test_a_message_that_was_not_sent_is_announced(qtbot):
    sent = said("user:1", "Hi", role="user", state="sending")
    view, heard = shown(qtbot, (sent,)), []
    view._focus.announced.connect(heard.append)
    view.set_messages((replace(sent, state="failed"),))
    assert heard == ["You: Not sent. Hi"]


def test_long_answers_are_cut_for_the_ear(qtbot):
    view = shown(qtbot, (said("r", WORDS * 50),))
    spoken = view._focus.spoken(0)
    assert len(spoken) < MAX_SPOKEN_CHARACTERS + 20
    assert spoken.endswith(" …")


def test_the_focus_stays_on_its_message_and_goes_with_it(qtbot):
    messages = talk(4)
    view = shown(qtbot, messages)
    view._focus.set(2)
    view.set_messages((said("earlier"), *messages))
    assert view._focus.row == 3
    view.set_messages(messages[:1])
    assert view._focus.row is None
