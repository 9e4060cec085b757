from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint

from companion.domain.transcript import Message, Notice, ToolActivity
from companion.views.blocks.notice import draw_notice, status_of
from companion.views.renderer import Action
from companion.views.theme import LIGHT
from gateway_client.protocol.blocks import TextBlock
from tests.support.transcripts import PLACE, color_at, said, scene


@pytest.mark.parametrize(
    ("kind", "word", "token"),
    [("error", "Error:", "danger"), ("stopped", "Stopped:", "warn"), ("info", "Note:", "accent")],
)
def test_a_notice_has_a_word_and_a_colour(qapp, kind, word, token):
    (piece,) = draw_notice(scene(), Notice("What happened.\nWhat to do.", kind), PLACE).pieces
    assert piece.prose.document.toPlainText() == f"{word} What happened.\nWhat to do."
    assert color_at(piece) == LIGHT.color(token)


def words(message):
    status = status_of(message, scene())
    return status.prose.document.toPlainText() if status else None


def test_a_message_that_was_not_sent_offers_to_try_again(qapp):
    status = status_of(said("user:1", role="user", state="failed"), scene())
    status.measure(400)
    assert status.prose.document.toPlainText() == "Not sent  ·  Retry"
    actions = [status.action_at(QPoint(x, 9)) for x in range(200)]
    assert Action("retry", "user:1") in actions
    assert actions[2] is None
    assert status.links() == []


def test_an_answer_shows_dots_until_its_words_come(qapp):
    assert words(Message("r", "assistant", (), "streaming")) == "…"
    assert words(Message("r", "assistant", (TextBlock(""),), "streaming")) == "…"
    assert words(Message("r", "assistant", (ToolActivity("1", "t", "running"),), "streaming")) == "…"
    assert words(said("r", "Hi", state="streaming")) is None


def test_other_states_are_said_only_where_they_matter(qapp):
    assert words(said("u", role="user", state="queued")) == "Waiting to be sent"
    assert words(said("u", role="user", state="accepted")) is None
    assert words(said("r", state="stopped")) == "Stopped"
    assert words(Message("r", "assistant", (Notice("x", "stopped"),), "stopped")) is None
    assert words(said("r", state="failed")) is None
