from __future__ import annotations

from companion.domain.outline import duration_words, join_markdown, join_plain, of_message, rough_text
from companion.domain.transcript import Message, Notice, ToolActivity
from gateway_client.protocol.blocks import ImageBlock, TextBlock, ThinkingBlock, UnknownBlock, WidgetBlock


def message(*parts, role="assistant"):
    return Message("run:1", role, parts, "complete")


def test_a_text_has_one_outline_for_each_of_its_blocks():
    outlines = of_message(message(TextBlock("# T\n\nSome **bold** text.\n\n```py\nx\n")))
    assert [outline.plain for outline in outlines] == ["T", "Some bold text.", "x"]
    assert [outline.markdown for outline in outlines] == ["# T", "Some **bold** text.", "```py\nx\n```"]


def test_line_ends_a_person_typed_stay():
    assert of_message(message(TextBlock("a\nb"), role="user"))[0].plain == "a\nb"
    assert of_message(message(TextBlock("a\nb")))[0].plain == "a b"


def test_a_tool_card_is_copied_by_its_title_and_found_by_its_result_too():
    (outline,) = of_message(
        message(ToolActivity("1", "show_widget", "done", {"title": "Cat"}, "drawn", duration_ms=234))
    )
    assert outline.plain == "show_widget · done · 0.2 s"
    assert '"title": "Cat"' in outline.searchable
    assert "drawn" in outline.searchable
    assert "drawn" not in outline.plain


def test_reasoning_is_found_but_not_copied():
    outlines = of_message(message(ThinkingBlock("Hm, cats.")))
    assert "cats" in outlines[0].searchable
    assert join_plain(outlines) == "Thinking"
    assert join_markdown(outlines) == ""


def test_every_other_part_is_its_words():
    outlines = of_message(
        message(
            ImageBlock("", "image/png"),
            WidgetBlock("1", "/x", "Cat"),
            UnknownBlock("hologram"),
            Notice("The key was refused.", "error"),
        )
    )
    assert join_plain(outlines).split("\n\n") == [
        "[picture, image/png]",
        "[widget: Cat]",
        "[a block of type 'hologram', which this version cannot show]",
        "Error: The key was refused.",
    ]


def test_the_rough_text_has_what_is_said_without_most_marks():
    rough = rough_text(message(TextBlock("# Title\n\n- **one** `two` [three](https://example.org)")))
    assert "one two three" in rough
    assert "example.org" not in rough


def test_durations_are_said_in_seconds_or_minutes():
    assert [duration_words(ms) for ms in (40, 234, 59_000, 61_400)] == [
        "0.0 s",
        "0.2 s",
        "59.0 s",
        "1 min 1 s",
    ]
