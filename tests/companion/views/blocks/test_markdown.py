from __future__ import annotations

from PySide6.QtCore import QPoint

from companion.domain.outline import of_message
from companion.domain.transcript import Notice
from companion.views import highlight
from companion.views.blocks.markdown import PARSE_HERE_CHARACTERS, CodePiece, MarkdownDrawing, RawPiece
from companion.views.renderer import Action, PartPlace
from gateway_client.protocol.blocks import TextBlock
from tests.support.transcripts import PLACE, LaterJobs, said, scene


def drawing(text, **kwargs):
    return MarkdownDrawing(scene(**kwargs), TextBlock(text), PLACE)


def test_a_text_has_one_piece_for_each_block_as_its_outline_says(qapp):
    text = "# T\n\npara\n\n- a\n- b\n\n```\ncode\n```"
    made = drawing(text)
    assert [piece.outline for piece in made.pieces] == list(of_message(said("1", text)))


def test_only_the_open_block_gets_a_new_piece_while_a_text_grows(qapp):
    made = drawing("First\nparagraph.\n\nSecond one\nis here.\n\nThe open")
    before = list(made.pieces)
    assert made.update(TextBlock("First\nparagraph.\n\nSecond one\nis here.\n\nThe open one grew."))
    assert [new is old for new, old in zip(made.pieces, before, strict=True)] == [True, True, False]


def test_another_kind_of_part_needs_another_drawing(qapp):
    assert not drawing("x").update(Notice("y"))


def test_code_is_coloured_and_keeps_its_colours_while_it_grows(qapp):
    highlight._met.add("python")
    made = drawing("```python\nreturn 1\n")
    made.pieces[0].measure(400)
    runs = made.pieces[0]._runs
    assert runs
    jobs_later = "```python\n" + "return 1\n" * 300
    made.update(TextBlock(jobs_later))
    assert made.pieces[0]._runs[: len(runs)] == runs


def test_copy_on_a_code_card_gives_exactly_the_source(qapp):
    made = drawing("```py\na\t= 1\n\n  b\n```")
    (piece,) = made.pieces
    assert isinstance(piece, CodePiece)
    piece.measure(400)
    assert piece.action_at(QPoint(390, 10)) == Action("copy", "a\t= 1\n\n  b")
    assert piece.action_at(QPoint(20, 10)) is None
    assert piece.prose.document.toPlainText() == "a\t= 1\n\n  b"


def test_a_long_text_stands_as_written_until_a_worker_has_read_it(qapp):
    jobs = LaterJobs()
    text = "A **bold** line of text.\n\n" * (PARSE_HERE_CHARACTERS // 20)
    made = drawing(text, jobs=jobs)
    assert all(isinstance(piece, RawPiece) for piece in made.pieces)
    assert "".join(piece.outline.plain for piece in made.pieces).count("**bold**") == text.count("**bold**")
    made.update(TextBlock(text + "And an end."))
    jobs.run()
    assert made.pieces[-1].outline.plain == "And an end."
    assert made.pieces[0].outline.plain == "A bold line of text."


def test_line_ends_of_a_person_stay(qapp):
    made = MarkdownDrawing(scene(), TextBlock("a\nb"), PartPlace("user:1/0", True))
    assert made.pieces[0].outline.plain == "a\nb"
