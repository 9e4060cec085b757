from __future__ import annotations

import json

import pytest

from companion.domain.a2ui.canvases import Canvases
from tests.support.a2ui import cases, differences

SESSION = "s1"


def wire(node):
    """Return a node as the cases spell it."""
    return {
        "id": node.id,
        "type": node.type,
        "kind": node.kind,
        "title": node.title,
        "text": node.text,
        "value": node.value,
        "visible": node.is_visible,
        "enabled": node.is_enabled,
        "children": [wire(child) for child in node.children],
        "placeholder": node.placeholder,
        "options": [one.label for one in node.options],
        "columns": list(node.columns),
        "rows": [list(row) for row in node.rows],
        "points": [list(point) for point in node.series[0].points] if node.series else None,
        "tabs": list(node.tabs),
        "active": 0 if node.tabs else None,
        "min": node.min,
        "max": node.max,
        "mode": node.mode,
        "ordered": node.is_ordered,
    }


def opened(envelope):
    """Return an envelope with its JSON texts read, and the category in the place of the text."""
    said = dict(envelope)
    for name in ("value", "dataModel", "snapshot"):
        if f"{name}Json" in said:
            said[name] = json.loads(said[f"{name}Json"])
    if "diagnosticCode" in said:
        assert said["error"]
        said["error"] = said["diagnosticCode"]
    return said


class Player:
    def __init__(self):
        self.canvases = Canvases()
        self.sent = []

    def surface(self, name):
        return self.canvases.canvas(SESSION).surface(name)

    def step(self, step):
        (kind, given), *_ = step.items()
        return getattr(self, f"do_{kind}")(given) or []

    def do_server(self, envelope):
        self.sent = [self.canvases.apply(envelope)]

    def do_user(self, act):
        about = (SESSION, act["surfaceId"], act["componentId"])
        match act["do"]:
            case "click":
                sent = self.canvases.click(*about)
            case "set":
                sent = self.canvases.commit(*about, act["value"])
            case "toggle":
                sent = self.canvases.toggle(*about, act["option"])
        self.sent = [] if sent is None else [sent]

    def do_expectSent(self, expected):
        assert self.sent, "nothing was sent"
        found = [differences(expected, opened(one)) for one in self.sent]
        return min(found, key=len)

    def do_expectNothingSent(self, _expected):
        assert self.sent == []

    def do_expectTree(self, expected):
        nodes = [wire(node) for node in self.surface(expected["surfaceId"]).picture.nodes]
        return differences(expected["nodes"], nodes)

    def do_expectDiagnostics(self, expected):
        codes = {one.code for one in self.surface(expected["surfaceId"]).diagnostics}
        return differences(sorted(expected["codes"]), sorted(codes))

    def do_expectModel(self, expected):
        return differences(expected["dataModel"], self.surface(expected["surfaceId"]).model)

    def do_expectState(self, expected):
        canvas = self.canvases.canvas(SESSION)
        active = canvas.active
        state = {
            "visible": canvas.is_visible,
            "active": None if active is None else active.id,
            "surfaces": [surface.id for surface in canvas.surfaces],
        }
        return differences(expected, state)


@pytest.mark.parametrize("case", cases("render"), ids=lambda case: case["id"])
def test_a_surface_stands_as_the_case_says(case):
    player = Player()
    for step in case["steps"]:
        assert player.step(step) == []


def command(kind, **fields):
    return {"type": kind, "sessionId": SESSION, "requestId": "r", "surfaceId": "s", **fields}


def create(surface_id, *components, **fields):
    texts = [json.dumps(one) for one in components]
    return command("a2ui_create_surface", surfaceId=surface_id, components=texts, **fields)


def test_surfaces_belong_to_their_conversation():
    canvases = Canvases()
    canvases.apply(create("s", {"type": "Button", "id": "b"}))
    assert canvases.canvas("s2").surfaces == ()
    assert canvases.click("s2", "s", "b") is None
    assert canvases.click(SESSION, "s", "b")["sessionId"] == SESSION


def test_after_a_new_connection_surfaces_stay_and_the_count_begins_again():
    canvases = Canvases()
    canvases.apply(create("s", {"type": "Button", "id": "b"}))
    canvases.click(SESSION, "s", "b")
    canvases.reconnected()
    assert canvases.canvas(SESSION).surface("s").is_earlier
    assert canvases.click(SESSION, "s", "b")["sequence"] == 1
    canvases.apply(command("a2ui_update_data_model", dataModelJson="{}"))
    assert not canvases.canvas(SESSION).surface("s").is_earlier


def test_a_value_that_is_not_new_sends_nothing():
    canvases = Canvases()
    canvases.apply(create("s", {"type": "TextField", "id": "f", "value": "x"}))
    assert canvases.commit(SESSION, "s", "f", "x") is None
    assert canvases.commit(SESSION, "s", "f", "y")["valueJson"] == '"y"'


def test_what_stands_in_a_hidden_box_sends_nothing():
    canvases = Canvases()
    button = {"type": "Button", "id": "b"}
    canvases.apply(create("s", {"type": "Row", "id": "r", "visible": False, "children": [button]}))
    assert canvases.click(SESSION, "s", "b") is None


def test_a_large_model_does_not_travel_with_an_event():
    canvases = Canvases()
    model = json.dumps({"t": "x" * 70_000})
    canvases.apply(create("s", {"type": "Button", "id": "b"}, dataModelJson=model))
    assert "dataModelJson" not in canvases.click(SESSION, "s", "b")


def test_a_reply_that_would_close_the_socket_is_a_failure_instead():
    canvases = Canvases()
    canvases.apply(create("s", *({"type": "TextField", "id": f"f{one}"} for one in range(40))))
    for one in range(40):
        canvases.commit(SESSION, "s", f"f{one}", "x" * 50_000)
    reply = canvases.apply(command("a2ui_sync_ui_to_data"))
    assert (reply["type"], reply["success"]) == ("a2ui_sync_result", False)
    assert reply["diagnosticCode"] == "result_too_large"
