from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from companion.domain.selection import Place, Selection
from companion.domain.transcript import Message, ToolActivity
from companion.views.transcript_copy import Selected
from companion.views.transcript_rows import Rows
from tests.support.transcripts import said, scene, talk

ANSWER = said("a", "# Title\n\nSome **bold** words.\n\n- one\n- two")


def selected(messages, *ends):
    rows = Rows(scene())
    rows.width_px = 500
    rows.set_messages(messages)
    made = Selected(QCoreApplication.instance(), rows)
    if ends:
        made.set(Selection(*ends))
    return made


def test_a_selection_over_messages_is_their_text_without_looks(qapp):
    made = selected((said("q", "Why?", role="user"), ANSWER), Place(0, 0, 1), Place(1, 1, 9))
    assert made.text() == "hy?\n\nTitle\n\nSome bold"


def test_drawn_backwards_it_is_the_same(qapp):
    made = selected((said("q", "Why?"), ANSWER), Place(1, 1, 9), Place(0, 0, 1))
    assert made.text() == "hy?\n\nTitle\n\nSome bold"


def test_as_markdown_whole_pieces_are_as_they_were_written(qapp):
    made = selected((said("q", "**Why**?"), ANSWER), Place(0, 0, 0), Place(1, 2, 5))
    assert made.markdown() == "**Why**?\n\n# Title\n\nSome **bold** words.\n\n• one"


def test_everything_is_copied_without_laying_anything_out(qapp):
    made = selected(talk(500))
    made.select_all()
    text = made.text()
    assert text.startswith("Question 0?\n\nAnswer 1.")
    assert "Answer 499." in text
    assert len(made._rows._layouts) == 0


def test_a_closed_card_is_copied_by_its_title_and_an_open_one_with_what_it_shows(qapp):
    tool = ToolActivity("1", "browse", "done", {}, "the result")
    message = Message("a", "assistant", (tool, tool), "complete")
    made = selected((said("q"), message, said("z")), Place(1, 0, 0), Place(1, 1, 3))
    assert made.text() == "browse · done\n\nbro"
    made._rows.scene.opened.add("tool:1")
    made._rows._layouts.clear()
    assert made.text() == "browse · done\nNo arguments\n\nResult\nthe result\n\nbro"


def test_rows_that_move_take_the_selection_along(qapp):
    old = talk(4)
    made = selected(old, Place(1, 0, 0), Place(1, 0, 6))
    assert made.text() == "Answer"
    made.take(made._rows.set_messages((said("earlier"), *old)))
    assert made.text() == "Answer"
    made.take(made._rows.set_messages((old[0],)))
    assert made.is_empty


def test_nothing_selected_is_no_text(qapp):
    made = selected(talk(2), Place(0, 0, 1), Place(0, 0, 1))
    assert made.is_empty
    assert made.text() == ""
    assert made.markdown() == ""
