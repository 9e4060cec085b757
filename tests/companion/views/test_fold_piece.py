from __future__ import annotations

import re

from PySide6.QtCore import QPoint

from companion.domain.outline import Outline
from companion.views.fold_piece import MAX_SHOWN_CHARACTERS, FoldPiece
from companion.views.renderer import Action
from tests.support.transcripts import scene


def fold(folded="hidden words", shared=None):
    made = FoldPiece(shared or scene(), Outline("Title", "Title", folded), "card")
    made.measure(400)
    return made


def test_a_closed_card_shows_its_title_only_and_an_open_one_all(qapp):
    made = fold()
    closed = made.size.height()
    assert made.prose.document.toPlainText() == "Title"
    made.set_open(True)
    made.measure(400)
    assert made.prose.document.toPlainText() == "Title\nhidden words"
    assert made.size.height() > closed


def test_it_stays_open_when_it_is_drawn_anew(qapp):
    shared = scene()
    fold(shared=shared).set_open(True)
    assert fold(shared=shared).is_open


def test_a_click_on_the_title_toggles_and_one_in_the_text_does_not(qapp):
    made = fold()
    assert made.action_at(QPoint(20, 8)) == Action("toggle")
    made.set_open(True)
    made.measure(400)
    assert made.action_at(QPoint(20, 12)) == Action("toggle")
    assert made.action_at(QPoint(40, made.size.height() - 12)) is None


def test_hidden_words_are_found_once_it_is_open(qapp):
    made = fold()
    pattern = re.compile("words")
    assert made.hits(pattern) == []
    made.set_open(True)
    made.measure(400)
    assert len(made.hits(pattern)) == 1


def test_a_huge_result_is_cut_and_says_so(qapp):
    made = fold("x" * (MAX_SHOWN_CHARACTERS + 1234))
    made.set_open(True)
    made.measure(400)
    assert made.prose.document.toPlainText().endswith("1,234 more characters are not shown here.")
