from __future__ import annotations

from companion.domain.transcript import (
    Message,
    Notice,
    ToolActivity,
    Transcript,
    echo,
    part_key,
    run_key,
    settle_echo,
    user_key,
)
from gateway_client.protocol.blocks import TextBlock, WidgetBlock

WIDGET = WidgetBlock("cv_1", "/__openclaw__/canvas/documents/cv_1/index.html", "Cat")


def answer(*parts, run_id="r1"):
    return Message(run_key(run_id), "assistant", tuple(parts), "complete", 0, run_id)


def test_what_a_person_sent_stands_there_before_the_gateway_has_it():
    shown = echo(Transcript(), "k1", "hello", 5)
    assert shown.messages == (Message("user:k1", "user", (TextBlock("hello"),), "sending", 5),)


def test_the_gateways_form_of_a_key_names_the_same_row():
    assert user_key("k1:user") == user_key("k1")


def test_sending_again_with_the_same_key_makes_no_second_row():
    shown = echo(echo(Transcript(), "k1", "hello", 5), "k1", "hello", 9)
    assert len(shown.messages) == 1


def test_a_failed_message_says_why_and_a_later_success_takes_the_reason_away():
    failed = settle_echo(echo(Transcript(), "k1", "hello", 5), "k1", "failed", "Not sent: too long")
    assert failed.messages[0].parts == (TextBlock("hello"), Notice("Not sent: too long", "error"))
    again = settle_echo(failed, "k1", "accepted")
    assert again.messages[0].parts == (TextBlock("hello"),)
    assert again.messages[0].state == "accepted"


def test_settling_a_message_that_is_not_shown_changes_nothing():
    shown = echo(Transcript(), "k1", "hello", 5)
    assert settle_echo(shown, "k2", "failed", "gone") is shown


def test_putting_an_equal_row_keeps_the_very_same_transcript():
    shown = Transcript().put(answer(TextBlock("a")))
    assert shown.put(answer(TextBlock("a"))) is shown


def test_a_widget_keeps_its_key_when_text_comes_in_front_of_it():
    alone, behind_text = answer(WIDGET), answer(TextBlock("Look:"), WIDGET)
    assert part_key(alone, 0) == part_key(behind_text, 1)


def test_parts_of_one_message_have_different_keys():
    tool = ToolActivity("c1", "show_widget", "done")
    message = answer(TextBlock("a"), tool, WIDGET, TextBlock("b"), WIDGET, tool)
    assert len({part_key(message, index) for index in range(6)}) == 6
