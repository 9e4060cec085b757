from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor

from companion.domain.markdown import parse
from companion.domain.markdown_blocks import Table, plain_text
from companion.views.markdown_document import write_block
from companion.views.renderer import Style
from companion.views.theme import DARK, LIGHT

STYLE = Style(LIGHT)
WORDS = st.sampled_from(
    ["word", "**bold**", "`code`", "a_b", "\n- item", "\n> quote", "1. one", "\n\n", "😀", "# h"]
)


def prose(text, style=STYLE):
    return write_block(parse(text).blocks[0], style)


def format_at(written, place):
    cursor = QTextCursor(written.document)
    cursor.setPosition(place + 1)
    return cursor.charFormat()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(text=st.lists(WORDS, min_size=1, max_size=8).map(" ".join))
def test_a_document_holds_the_text_of_its_block(qapp, text):
    for block in parse(text).blocks:
        if not isinstance(block, Table):
            drawn = write_block(block, STYLE).document.toPlainText()
            assert drawn.replace("\t", " ").split() == plain_text(block).split()


def test_markup_of_a_model_stays_text(qapp):
    written = prose('<img src="x"> <a href="https://example.org">x</a>')
    assert written.document.toPlainText().startswith('<img src="x">')
    assert not format_at(written, 0).isImageFormat()
    assert format_at(written, 16).anchorHref() == ""


def test_links_are_underlined_in_the_accent_and_lead_to_their_address(qapp):
    format_ = format_at(prose("[docs](https://example.org)"), 0)
    assert format_.anchorHref() == "https://example.org"
    assert format_.fontUnderline()
    assert format_.foreground().color() == LIGHT.color("accent")


def test_looks_become_fonts(qapp):
    assert format_at(prose("**b**"), 0).fontWeight() >= 600
    assert format_at(prose("*i*"), 0).fontItalic()
    assert format_at(prose("~~s~~"), 0).fontStrikeOut()
    written = prose("a `code` b")
    assert written.chips == [(2, 6)]
    assert format_at(written, 2).font().family() == STYLE.mono().family()


def test_a_table_has_its_cells_and_no_room_for_the_paragraphs_around_it(qapp):
    written = prose("| a | b |\n|---|--:|\n| 1 | 2 |")
    assert written.is_table
    table = written.document.rootFrame().childFrames()[0]
    assert (table.rows(), table.columns()) == (2, 2)
    written.document.setTextWidth(400)
    layout = written.document.documentLayout()
    assert written.document.size().height() - layout.frameBoundingRect(table).height() < 6


def test_items_hang_beside_their_markers(qapp):
    written = prose("10. one two three four five six seven eight nine ten eleven twelve\n")
    written.document.setTextWidth(160)
    assert written.document.size().height() > 21
    block = written.document.begin()
    lines = [block.layout().lineAt(number) for number in range(block.layout().lineCount())]
    assert len(lines) > 1
    # The text of the first line begins where the following lines begin.
    start = lines[0].cursorToX(4)
    start = start[0] if isinstance(start, tuple) else start
    assert start == pytest.approx(lines[1].naturalTextRect().left(), abs=1.5)


@pytest.mark.parametrize("text", ["> said", "---", "- a\n\n  ```\n  x\n  ```"])
def test_quotes_rules_and_inner_code_are_decorated(qapp, text):
    kinds = {decoration.kind for decoration in prose(text).decorations}
    assert kinds == {{">": "quote", "---": "rule", "-": "panel"}[text.split()[0]]}


def test_line_breaks_stay_within_their_paragraph(qapp):
    written = write_block(parse("a\nb", breaks=True).blocks[0], STYLE)
    assert written.document.blockCount() == 1
    assert written.document.toPlainText() == "a\nb"


def test_colours_come_from_the_theme(qapp):
    assert format_at(prose("text", Style(DARK)), 0).foreground().color() == DARK.color("text")
    assert format_at(prose("# text", Style(DARK)), 0).foreground().color() == DARK.color("strong")
