from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.domain.markdown import parse
from companion.domain.markdown_blocks import Code, Heading, Paragraph

FRAGMENTS = st.sampled_from(
    [
        "word",
        "two words",
        " ",
        "  ",
        "    ",
        "\t",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "- ",
        "* ",
        "1. ",
        "2) ",
        "> ",
        "# ",
        "#",
        "##",
        "---",
        "===",
        "***",
        "*",
        "**",
        "_",
        "~~",
        "`",
        "```",
        "```py\n",
        "~~~\n",
        "| a | b |",
        "a | b",
        "|---|---|",
        "--- | ---",
        "|",
        "[x](https://example.org)",
        "[ref]",
        "[ref]: https://example.org",
        "[ref]:",
        '"title"',
        "[ ] ",
        "[x] ",
        "<b>",
        "<div>\n",
        "&amp;",
        "\\",
        "![p](q)",
        "https://example.org/a_b",
        "\N{GRINNING FACE}",
        "\x00",
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=24).map("".join)


@settings(max_examples=600)
@given(TEXTS, st.lists(st.integers(0, 200), max_size=6), st.booleans())
@example("foo\n#x", [5], False)
@example("foo\na | b\n--- | --x", [17], False)
@example("- a\n**bold**", [5], False)
@example("[ref]\n\n[ref]: https://example.org", [7], False)
def test_a_text_that_grows_gives_the_same_blocks_as_a_full_parse(text, cuts, breaks):
    document = None
    for cut in [*sorted(min(cut, len(text)) for cut in cuts), len(text)]:
        document = parse(text[:cut], document, breaks=breaks)
        assert document == parse(text[:cut], breaks=breaks)


@given(TEXTS, TEXTS)
def test_any_earlier_document_may_be_handed_in(text, other):
    assert parse(text, parse(other)) == parse(text)


def test_blocks_before_the_open_one_stay_the_same_objects():
    text = "# Title\n\nOne paragraph\nof two lines.\n\n"
    earlier = parse(text + "The open")
    later = parse(text + "The open one grew.\n\n- and a list", earlier)
    assert later.blocks[0] is earlier.blocks[0]
    assert later.blocks[1] is earlier.blocks[1]
    assert [type(block) for block in later.blocks[:2]] == [Heading, Paragraph]


def test_only_the_tail_is_read_again(monkeypatch):
    from companion.domain import markdown

    text = "".join(f"Paragraph {number}\nwith a second line.\n\n" for number in range(200))
    earlier = parse(text)
    seen: list[int] = []
    read = markdown._read
    monkeypatch.setattr(markdown, "_read", lambda tail, *rest: (seen.append(len(tail)), read(tail, *rest))[1])
    parse(text + "more", earlier)
    assert len(seen) == 1
    assert seen[0] < 100


def test_the_source_of_a_block_is_what_was_written():
    document = parse("# A\n\n- one\n- **two**\n\n```py\nx = 1\n```\n")
    assert [document.source(block) for block in document.blocks] == [
        "# A",
        "- one\n- **two**",
        "```py\nx = 1\n```",
    ]


def test_a_fence_is_open_until_its_end_is_written():
    text = "```python\nx = 1\n"
    open_ = parse(text)
    closed = parse(text + "```", open_)
    assert [block.is_closed for block in open_.blocks if isinstance(block, Code)] == [False]
    assert [block.is_closed for block in closed.blocks if isinstance(block, Code)] == [True]
    assert closed.blocks[0].text == "x = 1"
