from __future__ import annotations

import pytest

from companion.domain.markdown import parse
from companion.domain.markdown_blocks import Paragraph, Span
from companion.domain.markdown_inline import safe_link


def spans(text, *, breaks=False):
    (block,) = parse(text, breaks=breaks).blocks
    assert isinstance(block, Paragraph)
    return block.spans


def test_looks_are_kept_and_may_lie_in_each_other():
    assert spans("a **b *c*** ~~d~~ `e`") == (
        Span("a "),
        Span("b ", bold=True),
        Span("c", bold=True, italic=True),
        Span(" "),
        Span("d", strike=True),
        Span(" "),
        Span("e", code=True),
    )


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "/relative", "https:", "//host/x"],
)
def test_addresses_a_person_must_not_be_sent_to_are_no_links(address):
    assert safe_link(address) == ""
    assert all(not span.link for span in spans(f"see [this]({address}) now"))


@pytest.mark.parametrize(
    "address", ["https://example.org/a?b#c", "http://example.org", "mailto:a@example.org"]
)
def test_web_and_mail_addresses_are_links(address):
    assert spans(f"[x]({address})") == (Span("x", link=address),)


def test_bare_addresses_become_links_without_the_sentence_around_them():
    assert spans("See https://example.org/a_(b), and (https://example.org/c).") == (
        Span("See "),
        Span("https://example.org/a_(b)", link="https://example.org/a_(b)"),
        Span(", and ("),
        Span("https://example.org/c", link="https://example.org/c"),
        Span(")."),
    )


def test_an_address_in_code_is_no_link():
    assert spans("`https://example.org`") == (Span("https://example.org", code=True),)


def test_a_picture_is_named_and_links_to_where_it_lies():
    assert spans("![a cat](https://example.org/c.png)") == (
        Span("[picture: a cat]", link="https://example.org/c.png"),
    )


def test_line_ends_are_spaces_unless_they_are_kept():
    assert spans("a\nb") == (Span("a b"),)
    assert spans("a\nb", breaks=True) == (Span("a\nb"),)
    assert spans("a  \nb") == (Span("a\nb"),)
