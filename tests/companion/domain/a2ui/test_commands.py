from __future__ import annotations

import json

import pytest

from companion.domain.a2ui.commands import Setting, prepare
from companion.domain.a2ui.refusal import A2uiError
from tests.support.a2ui import cases, limit, policy


def prepared(case):
    given = case["given"]
    setting = Setting(
        policy(given.get("config")),
        tuple(given.get("advertisedCatalogs", ())),
        lambda _surface_id: given.get("lockedCatalog"),
    )
    try:
        return {"sent": prepare(case["input"]["tool"], case["input"]["args"], setting)}
    except A2uiError as error:
        return {"error": error.category}


@pytest.mark.parametrize("case", cases("tools"), ids=lambda case: case["id"])
def test_a_tool_prepares_or_refuses_as_the_case_says(case):
    assert prepared(case) == case["expect"]


def many(count):
    return [json.dumps({"type": "Text", "id": f"t{one}", "text": "x"}) for one in range(count)]


def test_two_thousand_components_are_taken():
    assert limit("limit-create-2000-components")["expect"]["accepted"]
    command = prepare("a2ui_create_surface", {"surfaceId": "s", "components": many(2000)}, Setting())
    assert len(command["components"]) == 2000


def test_components_over_the_reserve_are_refused():
    case = limit("limit-create-payload-over-reserve")
    text = json.dumps({"type": "Text", "id": "t", "text": "x" * case["generate"]["totalBytes"]})
    with pytest.raises(A2uiError) as refused:
        prepare("a2ui_create_surface", {"surfaceId": "s", "components": [text]}, Setting())
    assert refused.value.category == case["expect"]["reason"]


def test_the_official_form_is_refused_with_a_hint():
    text = '{"id":"root","component":"Text"}'
    with pytest.raises(A2uiError, match="official"):
        prepare("a2ui_create_surface", {"surfaceId": "s", "components": [text]}, Setting())
