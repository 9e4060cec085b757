from __future__ import annotations

from companion.domain.markdown import parse
from companion.domain.markdown_blocks import Code, Items, Paragraph, Quote, Rule, Table, plain_text


def blocks(text):
    return parse(text).blocks


def test_raw_html_is_text():
    (block,) = blocks("<script>alert(1)</script> and <b>bold</b>")
    assert isinstance(block, Paragraph)
    assert plain_text(block) == "<script>alert(1)</script> and <b>bold</b>"


def test_a_table_has_cells_and_alignments():
    (table,) = blocks("| Name | Count |\n|:-----|------:|\n| a | **1** |\n| b |\n")
    assert isinstance(table, Table)
    assert table.aligns == ("left", "right")
    assert [len(row) for row in table.rows] == [2, 2]
    assert plain_text(table) == "Name\tCount\na\t1\nb\t"


def test_lists_keep_their_numbers_and_what_is_nested():
    (items,) = blocks("3. three\n4. four\n   - deep\n")
    assert isinstance(items, Items)
    assert [item.marker for item in items.items] == ["3.", "4."]
    assert plain_text(items) == "3. three\n4. four\n• deep"


def test_task_items_say_whether_they_are_done():
    (items,) = blocks("- [ ] open\n- [x] **done**\n- [y] none\n")
    assert isinstance(items, Items)
    assert [item.checked for item in items.items] == [False, True, None]
    assert plain_text(items) == "☐ open\n☑ done\n• [y] none"


def test_quotes_rules_and_code_are_blocks():
    quote, rule, fenced, indented = blocks("> said\n> twice\n\n---\n\n```Rust x\nfn\n```\n\n    plain\n")
    assert isinstance(quote, Quote)
    assert isinstance(rule, Rule)
    assert isinstance(fenced, Code)
    assert (fenced.language, fenced.text) == ("rust", "fn")
    assert isinstance(indented, Code)
    assert (indented.language, indented.text, indented.is_closed) == ("", "plain", True)


def test_lines_count_from_the_start_of_the_whole_text():
    assert [block.lines for block in blocks("a\n\nb\nc\n\n- d\n")] == [(0, 1), (2, 4), (5, 6)]
