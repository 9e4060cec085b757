from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint

from companion.domain.markdown import parse
from companion.domain.outline import of_document
from companion.views.blocks.markdown import BlockPiece
from companion.views.renderer import Action, Mark, Style
from companion.views.text_piece import blend, mark_format
from companion.views.theme import LIGHT, THEMES
from tests.support.transcripts import contrast, scene


def piece(text, width_px=400):
    document = parse(text)
    made = BlockPiece(scene(), of_document(document)[0], document.blocks[0])
    made.measure(width_px)
    return made


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("kind", ["selected", "found", "current"])
def test_marked_text_can_be_read_in_every_theme(qapp, theme, kind):
    format_ = mark_format(Style(theme), Mark(0, 1, kind))
    assert contrast(format_.foreground().color(), format_.background().color()) >= 4.5


def test_a_narrow_piece_is_higher(qapp):
    text = "words " * 40
    assert piece(text, 200).size.height() > piece(text, 600).size.height()


def test_places_count_as_qt_does_and_texts_come_out_whole(qapp):
    made = piece("😀 smile **bold** end")
    (hit,) = made.hits(re.compile("bold"))
    assert hit == (9, 13)
    assert made.text_between(*hit) == "bold"
    assert made.text_between(0, 2) == "😀"


def test_the_place_at_a_hit_is_the_hit(qapp):
    made = piece("one two three")
    rect = made.rect_of(4)
    places = [made.place_at(QPoint(x, rect.center().y())) for x in range(120)]
    assert places == sorted(places)
    assert {0, 4, 13} <= set(places)


def test_the_word_around_a_place_is_found(qapp):
    assert piece("one two three").word_at(5) == (4, 7)


def test_a_part_of_a_list_keeps_its_markers_and_a_part_of_a_table_its_columns(qapp):
    items = piece("- one\n- two\n- three")
    assert items.text_between(0, 11) == "• one\n• two"
    table = piece("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |")
    (start, _), (_, end) = table.hits(re.compile("b")) + table.hits(re.compile("2"))
    assert table.text_between(start, end) == "b\n1\t2"


def test_a_click_on_a_link_leads_there_and_beside_it_nowhere(qapp):
    made = piece("go [there](https://example.org)")
    y = made.rect_of(4).center().y()
    actions = [made.action_at(QPoint(x, y)) for x in range(300)]
    assert Action("link", "https://example.org") in actions
    assert actions[0] is None
    assert actions[-1] is None
    assert made.links() == ["https://example.org"]


def test_blending_mixes_two_colours():
    assert blend(LIGHT.color("bg"), LIGHT.color("warn"), 0.0) == LIGHT.color("bg")
    assert blend(LIGHT.color("bg"), LIGHT.color("warn"), 1.0) == LIGHT.color("warn")
