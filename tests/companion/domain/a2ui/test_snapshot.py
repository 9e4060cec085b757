from __future__ import annotations

import json

import pytest

from companion.domain.a2ui import catalogs, snapshot
from companion.domain.a2ui.surface import Surface
from tests.support.a2ui import limit


def surface(*components, model=None):
    return Surface("s", catalogs.OPENCLAW_V08, "S", "v0_8", model=model).with_components(components)


@pytest.mark.parametrize("case_id", ["limit-snapshot-105-frames", "limit-snapshot-non-ascii"])
def test_a_large_snapshot_stays_within_its_bytes(case_id):
    case = limit(case_id)
    text = case["generate"].get("character", "x") * case["generate"]["textCharacters"]
    made = surface(
        *({"type": "text", "id": f"t{one}", "text": text} for one in range(case["generate"]["count"]))
    )
    taken = snapshot.snapshot(made, "s", is_visible=True, is_active=True)
    assert len(taken.encode()) <= case["expect"]["maxBytes"]
    said = json.loads(taken)
    expected = {key: value for key, value in case["expect"].items() if key != "maxBytes"}
    assert {key: said[key] for key in expected} == expected


def test_a_model_that_is_too_large_is_left_out_and_that_is_said():
    said = json.loads(
        snapshot.snapshot(surface(model={"t": "x" * 200_000}), "s", is_visible=True, is_active=True)
    )
    assert (said["dataModel"], said["truncated"]) == (None, True)
    assert said["diagnosticCodes"] == ["snapshot_cut"]


def test_a_long_text_ends_in_three_dots():
    said = json.loads(
        snapshot.snapshot(
            surface({"type": "text", "id": "t", "text": "x" * 2000}), "s", is_visible=True, is_active=False
        )
    )
    assert said["frames"][0]["text"] == "x" * 1024 + "..."
    assert said["truncated"]


def test_without_a_surface_a_sync_is_empty():
    assert snapshot.synced(None, "s", "data", None) == {}
    assert snapshot.synced(None, "s", None, None) == {"surfaceId": "s", "dataModel": None, "values": {}}
    assert snapshot.values(None) == {}


def test_data_in_the_model_comes_before_an_unbound_value():
    made = surface({"type": "input", "id": "n", "value": "mine"}, model={"n": "theirs"})
    assert snapshot.synced(made, "s", "data", None) == {"n": "theirs"}
