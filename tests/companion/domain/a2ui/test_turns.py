from __future__ import annotations

import json

import pytest

from companion.domain.a2ui.turns import turn
from tests.support.a2ui import cases, differences

OWN = [case for case in cases("turns") if not case["expect"].get("refused")]


@pytest.mark.parametrize("case", OWN, ids=lambda case: case["id"])
def test_an_act_becomes_the_turn_that_the_case_says(case):
    found, expected = turn(case["input"]), case["expect"]
    if expected["turn"] is None:
        assert found is None
        return
    said = json.loads(found.text)
    assert said == expected["turn"]
    assert differences(expected["turn"], said) == []
    assert list(said) == expected.get("keyOrder", list(said))
    assert expected.get("textContains", "") in found.text
    assert found.fields()["value"] == expected["turn"]["value"]


def test_the_text_has_one_key_a_line():
    text = turn({"type": "a2ui_event", "componentId": "b", "event": "click", "valueJson": "true"}).text
    assert text.split("\n")[:2] == ["{", '  "type": "a2ui_event",']
