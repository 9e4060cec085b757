from __future__ import annotations

import html.parser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.markup import (
    MAX_MARKUP_CHARS,
    MAX_TITLE_CHARS,
    MarkupError,
    build_document,
    check_markup,
    check_title,
    is_svg,
)

SHIM, STYLE = "/* shim */\n", "/* style */\n"


def padded(length: int) -> str:
    return "<p>" + "x" * (length - 3)


# Titles


@pytest.mark.parametrize("length", [1, MAX_TITLE_CHARS])
def test_a_title_of_either_bound_is_taken(length):
    assert check_title("t" * length) == "t" * length


def test_a_title_one_past_the_bound_is_refused_with_the_bound():
    with pytest.raises(MarkupError, match=r"121 characters; the limit is 120"):
        check_title("t" * (MAX_TITLE_CHARS + 1))


@pytest.mark.parametrize("title", ["", " ", "\n\t"])
def test_a_blank_title_is_refused(title):
    with pytest.raises(MarkupError, match="blank"):
        check_title(title)


def test_a_title_is_one_line():
    assert check_title("  two\n lines ") == "two lines"


def test_characters_are_counted_not_bytes():
    assert check_title("\N{CAT FACE}" * MAX_TITLE_CHARS)
    assert check_markup("<p>" + "\N{CAT FACE}" * (MAX_MARKUP_CHARS - 3))


# Markup


def test_markup_of_exactly_the_bound_is_taken():
    assert len(check_markup(padded(MAX_MARKUP_CHARS))) == MAX_MARKUP_CHARS


def test_markup_one_past_the_bound_is_refused_with_the_bound():
    with pytest.raises(MarkupError, match=r"262145 characters; the limit is 262144"):
        check_markup(padded(MAX_MARKUP_CHARS + 1))


@pytest.mark.parametrize("code", ["", "   ", "\n"])
def test_blank_markup_is_refused(code):
    with pytest.raises(MarkupError, match="blank"):
        check_markup(code)


@pytest.mark.parametrize(
    "code", ["just words", "1 < 2 and 3 > 2", "a <3 b", "< p >spaced", "&lt;p&gt;", "<>"]
)
def test_words_without_a_tag_are_refused(code):
    with pytest.raises(MarkupError, match="no tag"):
        check_markup(code)


@pytest.mark.parametrize(
    "code",
    ["<p>x", "<br/>", "<P CLASS=x>", "words <b>bold</b>", "<!doctype html><p>x", "<!-- only -->", "<my-tag>"],
)
def test_anything_with_a_tag_is_taken(code):
    assert check_markup(code) == code


@pytest.mark.parametrize("check", [check_title, check_markup])
def test_nul_is_refused(check):
    with pytest.raises(MarkupError, match="NUL"):
        check("<p>a\x00b")


@pytest.mark.parametrize("check", [check_title, check_markup])
@pytest.mark.parametrize("half", [chr(0xD800), chr(0xDFFF)])
def test_half_of_a_surrogate_pair_is_refused_with_its_place(check, half):
    with pytest.raises(MarkupError, match="surrogate pair at character 5"):
        check("<p>a" + half)


# Documents


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("<svg viewBox='0 0 1 1'/>", True),
        ("\n  <svg>", True),
        ("<SVG>", True),
        ("<svgx>", False),
        ("<p><svg></svg></p>", False),
        ("<!-- a --><svg>", False),
    ],
)
def test_a_drawing_is_text_that_begins_with_svg(code, expected):
    assert is_svg(code) is expected


def test_a_drawing_is_wrapped_and_a_fragment_is_the_body():
    drawing = build_document("t", "<svg></svg>", shim=SHIM, style=STYLE)
    assert '<body>\n<div class="drawing"><svg></svg></div>\n</body>' in drawing
    fragment = build_document("t", "<p>x</p>", shim=SHIM, style=STYLE)
    assert "<body>\n<p>x</p>\n</body>" in fragment


def test_our_script_runs_before_anything_of_the_page():
    document = build_document("t", "<script>first()</script>", shim=SHIM, style=STYLE)
    assert document.index(SHIM) < document.index("first()")
    assert document.startswith("<!doctype html>")


class Titles(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.title, self._in_title = [], "", False

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._in_title = tag == "title"

    def handle_endtag(self, tag):
        self._in_title = False

    def handle_data(self, data):
        if self._in_title:
            self.title += data


letters = st.characters(blacklist_categories=("Cs", "Cc"))


@given(st.text(letters, min_size=1, max_size=40).filter(str.strip))
def test_no_title_ends_the_title_or_adds_a_tag(title):
    parser = Titles()
    parser.feed(build_document(check_title(title), "<p>", shim=SHIM, style=STYLE))
    assert parser.title == check_title(title)
    assert parser.tags.count("script") == 1
    assert parser.tags.count("title") == 1


@given(st.text())
def test_any_text_is_taken_or_refused_with_a_sentence(text):
    try:
        taken = check_markup(text)
    except MarkupError as error:
        taken, sentence = "", str(error)
    assert taken == text.strip() or sentence.startswith("widget_code ")
    assert not taken or "<" in taken
    build_document("t", taken, shim=SHIM, style=STYLE).encode()
