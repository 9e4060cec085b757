from __future__ import annotations

import base64
import struct

import pytest

from companion.domain.a2ui import catalogs
from companion.domain.a2ui.drawing import draw
from companion.domain.a2ui.leaves import LEAVES, MAX_ROWS
from tests.support.a2ui import limit


def drawn(model=None, values=None, **component):
    picture = draw([{"id": "x", **component}], model, values or {})
    return picture.nodes[0], sorted({one.code for one in picture.diagnostics})


def test_every_type_is_a_leaf_or_a_box():
    boxes = {"Row", "Column", "Card", "Modal", "List", "Tabs", "Carousel"}
    assert set(LEAVES) | boxes == set(catalogs.TYPES[catalogs.AGENUI])


def test_a_table_shows_its_first_rows_and_says_how_many_there_are():
    case = limit("limit-render-table-100000-rows")
    rows = [[one] for one in range(case["generate"]["rows"])]
    node, codes = drawn(type="Table", columns=["n"], itemsBinding="rows", model={"rows": rows})
    assert (len(node.rows), node.row_count) == (case["expect"]["shownRows"], len(rows))
    assert (len(node.rows), codes) == (MAX_ROWS, ["too_many_rows"])


def test_a_picture_that_would_fill_the_memory_is_not_decoded():
    case = limit("limit-render-data-image-decode-bomb")
    sides = struct.pack(">II", case["generate"]["width"], case["generate"]["height"])
    content = base64.b64encode(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + sides).decode()
    node, codes = drawn(type="Image", url=f"data:image/png;base64,{content}")
    assert (node.kind, codes) == (case["expect"]["kind"], case["expect"]["diagnostics"])


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"value": 5}, 5),
        ({"value": 1}, 100),
        ({"value": "x"}, 0),
        ({"value": -3}, 0),
        ({"value": 7, "max": 5}, 5),
    ],
)
def test_progress_stays_between_nothing_and_all(given, shown):
    assert drawn(type="progress", **given)[0].value == shown


def test_a_slider_whose_ends_are_crossed_is_turned_round():
    node, _codes = drawn(type="Slider", min=10, max=2, value=50)
    assert (node.min, node.max, node.value) == (2, 10, 10)


def test_a_choice_of_several_holds_a_list():
    node, _codes = drawn(type="ChoicePicker", multiple=True, options=[1, True, "1"], value=[True])
    assert (node.kind, node.value) == ("check_group", [True])


def test_a_chart_with_too_much_is_cut_and_says_so():
    data = {"series": [{"name": str(one), "data": [1] * 501} for one in range(9)]}
    node, codes = drawn(type="Chart", data=data)
    assert (len(node.series), len(node.series[0].points)) == (8, 500)
    assert codes == ["too_many_points", "too_many_series"]


@pytest.mark.parametrize("kind", ["Video", "AudioPlayer", "Web", "Image"])
def test_what_is_not_loaded_keeps_its_address(kind):
    node, _codes = drawn(type=kind, url="https://media.example/a")
    assert (node.kind, node.address) == ("placeholder", "https://media.example/a")
