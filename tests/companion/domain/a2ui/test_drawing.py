from __future__ import annotations

import pytest

from companion.domain.a2ui.drawing import MAX_DEPTH, children_of, draw, referenced, tabs_of
from tests.support.a2ui import limit


def codes(picture):
    return sorted({one.code for one in picture.diagnostics})


def text(name):
    return {"type": "Text", "id": name, "text": "x"}


@pytest.mark.parametrize("case_id", ["limit-render-1000-components", "limit-render-5000-components"])
def test_a_thousand_components_are_drawn_and_no_more(case_id):
    case = limit(case_id)
    picture = draw([text(f"t{one}") for one in range(case["generate"]["count"])], None, {})
    assert len(picture.all()) == case["expect"]["rendered"]
    assert codes(picture) == case["expect"].get("diagnostics", [])


def test_components_that_name_each_other_many_times_do_not_explode():
    case = limit("limit-render-diamond-references")
    levels, fan_out = case["generate"]["levels"], case["generate"]["fanOut"]
    rows = [{"type": "Row", "id": f"r{one}", "children": [f"r{one + 1}"] * fan_out} for one in range(levels)]
    picture = draw([*rows, text(f"r{levels}")], None, {})
    assert len(picture.all()) <= case["expect"]["renderedAtMost"]
    assert codes(picture) == case["expect"]["diagnostics"]


def test_deep_children_become_placeholders():
    component = text("t")
    for one in range(limit("limit-render-inline-depth-200")["generate"]["depth"]):
        component = {"type": "Row", "id": f"r{one}", "children": [component]}
    picture = draw([component], None, {})
    assert codes(picture) == ["too_deep"]
    assert [node.kind for node in picture.all()] == ["row"] * MAX_DEPTH + ["placeholder"]


def test_a_long_chain_of_references_stays_below_its_top():
    rows = [{"type": "Row", "id": f"r{one}", "children": [f"r{one + 1}"]} for one in range(10_000)]
    picture = draw([*rows, text("r10000")], None, {})
    assert [node.id for node in picture.nodes] == ["r0"]
    assert codes(picture) == ["too_deep"]


def test_a_ring_is_shown_from_its_first_component():
    ring = [{"type": "Row", "id": one, "children": [two]} for one, two in ("ab", "ba")]
    picture = draw(ring, None, {})
    assert [node.id for node in picture.nodes] == ["a"]
    assert codes(picture) == ["cycle"]


def test_the_pages_of_tabs_are_columns():
    tabs = {"type": "Tabs", "id": "t", "tabs": [{"title": "{n}", "children": ["x"]}, {}, "no"]}
    node = draw([tabs, text("x")], {"n": "One"}, {}).nodes[0]
    assert node.tabs == ("One", "Tab 2")
    assert [[child.id for child in page.children] for page in node.children] == [["x"], []]


def test_children_are_found_under_each_of_their_names():
    assert children_of({"items": ["a"], "children": ["b"]}) == ["b"]
    assert tabs_of({"items": [{"title": "x"}, 5]}) == [{"title": "x"}]
    inline = {"type": "Column", "id": "c", "children": ["b"]}
    assert referenced([{"type": "Row", "id": "r", "children": ["a", inline]}]) == {"a", "b"}


def test_a_list_of_ten_thousand_entries_is_cut():
    picture = draw([{"type": "List", "id": "l", "itemsBinding": "n"}], {"n": list(range(10_000))}, {})
    assert len(picture.all()) == 1000
    assert codes(picture) == ["too_many_components"]
