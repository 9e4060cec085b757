from __future__ import annotations

from companion.domain.transcript import ToolActivity
from companion.views.blocks.tool import draw_tool
from companion.views.theme import LIGHT
from tests.support.transcripts import PLACE, color_at, scene


def piece(**fields):
    (made,) = draw_tool(scene(), ToolActivity("c1", "show_widget", **fields), PLACE).pieces
    made.measure(400)
    return made


def test_a_card_says_name_state_and_time(qapp):
    made = piece(state="done", duration_ms=210)
    assert made.prose.document.toPlainText() == "show_widget · done · 0.2 s"
    assert color_at(made) == LIGHT.color("muted")


def test_a_failed_call_says_so_in_its_word_and_in_colour(qapp):
    made = piece(state="failed")
    assert "failed" in made.prose.document.toPlainText()
    assert color_at(made) == LIGHT.color("danger")


def test_an_open_card_shows_arguments_and_result(qapp):
    made = piece(state="done", arguments={"title": "Cat"}, result_text="drawn")
    made.set_open(True)
    text = made.prose.document.toPlainText()
    assert 'Arguments\n{\n  "title": "Cat"\n}' in text
    assert text.endswith("Result\ndrawn")


def test_a_card_that_is_open_stays_open_when_its_call_ends(qapp):
    shared = scene()
    (running,) = draw_tool(shared, ToolActivity("c1", "t", "running"), PLACE).pieces
    running.set_open(True)
    (done,) = draw_tool(shared, ToolActivity("c1", "t", "done"), PLACE).pieces
    assert done.is_open
