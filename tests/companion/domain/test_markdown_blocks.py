from __future__ import annotations

from companion.domain.markdown_blocks import Code, Item, Items, Paragraph, Quote, Rule, Span, plain_text

LINES = (0, 1)


def paragraph(text):
    return Paragraph((Span(text),), LINES)


def test_plain_text_leaves_looks_away():
    assert plain_text(Paragraph((Span("a ", bold=True), Span("b", code=True)), LINES)) == "a b"


def test_plain_text_of_nested_blocks_is_their_lines():
    items = Items((Item("1.", (paragraph("a"), Code("", "x\ny", LINES))), Item("2.", ())), LINES)
    assert plain_text(Quote((items, paragraph("end")), LINES)) == "1. a\nx\ny\n2.\nend"


def test_a_rule_says_nothing():
    assert plain_text(Rule(LINES)) == ""
