from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.domain.selection import Place, Selection, everything

PLACES = st.builds(Place, st.integers(0, 4), st.integers(0, 3), st.integers(0, 10))
PIECES = [(row, piece) for row in range(5) for piece in range(4)]
LENGTH = 10


@given(PLACES, PLACES)
def test_a_selection_covers_the_same_text_in_either_direction(one, other):
    forth, back = Selection(one, other), Selection(other, one)
    assert [forth.range_in(*place, LENGTH) for place in PIECES] == [
        back.range_in(*place, LENGTH) for place in PIECES
    ]


@given(PLACES, PLACES)
def test_the_selected_units_are_those_between_the_ends(one, other):
    selection = Selection(one, other)
    for row, piece in PIECES:
        taken = selection.range_in(row, piece, LENGTH)
        units = set(range(*taken)) if taken else set()
        assert units == {
            unit for unit in range(LENGTH) if selection.start <= Place(row, piece, unit) < selection.end
        }


def test_a_piece_that_became_shorter_is_selected_to_its_new_end():
    assert Selection(Place(0, 0, 2), Place(0, 0, 9)).range_in(0, 0, 5) == (2, 5)
    assert Selection(Place(0, 0, 7), Place(0, 0, 9)).range_in(0, 0, 5) is None


def test_everything_covers_every_row_and_of_no_rows_is_nothing():
    selection = everything(3)
    assert selection is not None
    assert all(selection.covers_row(row) for row in range(3))
    assert selection.range_in(2, 7, 4) == (0, 4)
    assert everything(0) is None


def test_a_partly_selected_row_is_not_covered():
    selection = Selection(Place(0, 0, 1), Place(2, 0, 3))
    assert [selection.covers_row(row) for row in range(3)] == [False, True, False]


def test_a_selection_moves_with_its_rows_and_is_gone_with_them():
    selection = Selection(Place(0, 0, 1), Place(1, 0, 3))
    assert selection.moved(lambda row: row + 2) == Selection(Place(2, 0, 1), Place(3, 0, 3))
    assert selection.moved(lambda row: None if row else row) is None
