from __future__ import annotations

from gateway_client.protocol.blocks.widget import WidgetBlock
from tests.support.vectors import frames


def recorded_block():
    rows = [
        row
        for frame in frames("widget_svg", "in")
        for row in (frame.get("payload") or {}).get("messages", [])
    ]
    return next(
        item
        for row in rows
        if isinstance(row["content"], list)
        for item in row["content"]
        if item["type"] == "canvas"
    )


def test_the_recorded_block_goes_back_to_the_wire_as_it_came():
    wire = recorded_block()
    block = WidgetBlock.from_wire(wire)
    assert block is not None
    assert block.to_wire() == wire
    assert block.projection() == "[widget: Widget 1]"


def test_a_block_without_preview_is_none():
    assert WidgetBlock.from_wire({"type": "canvas"}) is None
    assert WidgetBlock.from_wire({"type": "canvas", "preview": "x"}) is None


def test_what_a_preview_lacks_is_empty_so_that_the_handle_is_refused_later():
    assert WidgetBlock.from_wire({"preview": {}}) == WidgetBlock("", "", kind="", render="")


def test_a_preferred_height_is_a_whole_number_or_nothing():
    for height, read in ((320, 320), ("320", None), (True, None), (1.5, None)):
        block = WidgetBlock.from_wire({"preview": {"preferredHeight": height}})
        assert block is not None
        assert block.preferred_height_px == read
    tall = WidgetBlock("v", "u", preferred_height_px=320)
    assert tall.to_wire()["preview"]["preferredHeight"] == 320


def test_a_widget_without_a_title_still_has_a_name():
    assert WidgetBlock("v", "u").projection() == "[widget: untitled]"
