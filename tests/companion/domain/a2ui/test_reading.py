from __future__ import annotations

import pytest

from companion.domain.a2ui.bindings import MISSING
from companion.domain.a2ui.reading import MAX_OPTIONS, MAX_TEXT_CHARS, Reading
from tests.support.a2ui import limit


def reading(model=None, values=None, **component):
    notes = []
    made = Reading(
        {"id": "x", **component}, "TextField", model, values or {}, lambda code, _text: notes.append(code)
    )
    return made, notes


def test_a_megabyte_of_text_is_cut():
    case = limit("limit-render-text-1-megabyte")
    made, notes = reading(text="x" * case["generate"]["characters"])
    assert len(made.text("text")) == case["expect"]["shownCharacters"] == MAX_TEXT_CHARS
    assert notes == ["text_cut"]


def test_ten_thousand_options_are_cut():
    case = limit("limit-render-options-10000")
    made, notes = reading(options=list(range(case["generate"]["count"])))
    assert len(made.options()) == case["expect"]["shownOptions"] == MAX_OPTIONS
    assert notes == case["expect"]["diagnostics"]


def test_the_model_comes_before_the_edit_and_the_edit_before_the_literal():
    assert reading({"n": 1}, {"x": 2}, valueBinding="n", value=3)[0].value("value") == 1
    assert reading({}, {"x": 2}, valueBinding="n", value=3)[0].value("value") == 2
    assert reading(value=3)[0].value("value") == 3
    assert reading()[0].value("value") is MISSING


def test_entries_that_are_bound_to_no_list_are_none():
    assert reading({"n": 5}, itemsBinding="n", items=[1])[0].items("items") == []
    assert reading({}, itemsBinding="n", items=[1])[0].items("items") == [1]


@pytest.mark.parametrize(
    ("given", "title"),
    [({"title": "", "label": "L"}, "L"), ({"title": "{n}"}, "N"), ({"labelBinding": "n"}, "N")],
)
def test_the_heading_is_the_title_or_the_label(given, title):
    assert reading({"n": "N"}, **given)[0].heading() == title


def test_what_all_kinds_have_in_common():
    node = reading({"off": True}, disabledBinding="off", visible=False, valueBinding="n")[0].node(
        "text_field"
    )
    assert (node.is_enabled, node.is_visible, node.binding) == (False, False, "n")
