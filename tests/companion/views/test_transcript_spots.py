from __future__ import annotations

from PySide6.QtCore import QPoint

from companion.domain.selection import Place
from companion.views.renderer import Action
from companion.views.theme import READING_WIDTH_PX
from tests.support.transcripts import point_of, said, shown, talk


def test_the_column_is_centred_and_never_wider_than_is_good_for_reading(qtbot):
    view = shown(qtbot, talk(2), size=(1400, 400))
    column = view._spots.column
    assert column.width() == READING_WIDTH_PX
    assert abs(column.left() - (view.viewport().width() - column.right() - 1)) <= 1
    view.resize(500, 400)
    assert view._spots.column.left() == 22


def test_the_place_under_a_letter_is_found(qtbot):
    view = shown(qtbot, (said("a", "First paragraph.\n\nSecond paragraph."),))
    assert view._spots.place_at(point_of(view, 0, 1, 7)) == Place(0, 1, 7)


def test_between_and_beside_messages_the_nearest_place_counts(qtbot):
    view = shown(qtbot, (said("a", "one"), said("b", "two")))
    below = view._spots.row_rect(1).bottom() + 200
    assert view._spots.place_at(QPoint(600, below)) == Place(1, 0, 3)
    assert view._spots.place_at(QPoint(0, 0)) == Place(0, 0, 0)
    assert view._spots.at(QPoint(300, below)) is None


def test_there_is_nothing_in_an_empty_conversation(qtbot):
    view = shown(qtbot)
    assert view._spots.place_at(QPoint(10, 10)) is None
    assert list(view._spots.visible_rows()) == []


def test_what_a_click_would_do_is_known(qtbot):
    view = shown(qtbot, (said("a", "go [there](https://example.org)"),))
    action, spot = view._spots.action_at(point_of(view, 0, 0, 5))
    assert action == Action("link", "https://example.org")
    assert (spot.row, spot.number) == (0, 0)


def test_only_rows_in_sight_are_visible_rows(qtbot):
    view = shown(qtbot, talk(100))
    rows = view._spots.visible_rows()
    assert rows[-1] == 99
    assert len(rows) < 30


def test_the_column_does_not_move_when_the_scroll_bar_comes(qtbot):
    view = shown(qtbot, talk(1), size=(1000, 400))
    assert view.verticalScrollBar().maximum() == 0
    before = view._spots.column.left()
    view.set_messages(talk(60))
    assert view.verticalScrollBar().maximum() > 0
    assert view._spots.column.left() == before
