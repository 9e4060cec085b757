from __future__ import annotations

import pytest

from companion.domain.rich_output.texts import forbidden, is_blank, quoted, shown


@pytest.mark.parametrize("text", ["", " \t\n", "\u200b\u2060", "\u3164", "\u2800 "])
def test_a_text_without_a_visible_character_is_blank(text):
    assert is_blank(text)


def test_a_text_with_one_visible_character_is_not_blank():
    assert not is_blank("\u200bx")


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x7f", "\x85", "\ud800"])
def test_controls_and_surrogates_are_found(character):
    assert forbidden(f"a{character}b") == character


def test_line_ends_and_tabs_are_allowed():
    assert forbidden("a\tb\r\nc") is None


def test_what_is_shown_is_one_line_that_turns_no_direction():
    assert shown(" a\n\u202eb\u2066 \t c\u200d ") == "a b c\u200d"


def test_quotes_cut_long_cells_and_show_no_control():
    assert quoted("x" * 50) == '"' + "x" * 40 + '…"'
    assert quoted("a\x1bb") == '"a\ufffdb"'
