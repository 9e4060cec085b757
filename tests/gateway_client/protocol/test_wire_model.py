from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from gateway_client.errors import ProtocolError
from gateway_client.protocol.wire_model import WireModel


class Inner(WireModel):
    how_many: int


class Outer(WireModel):
    run_id: str
    parts: list[Inner] = []
    note: str | None = None
    extra_data: dict[str, Any] | None = None


def test_names_are_camel_case_on_the_wire_and_what_is_not_said_is_left_out():
    value = Outer(run_id="r", parts=[Inner(how_many=2)])
    assert value.to_wire() == {"runId": "r", "parts": [{"howMany": 2}]}
    assert Outer.from_wire(value.to_wire()) == value


def test_what_a_newer_peer_adds_is_ignored():
    assert (
        Outer.from_wire({"runId": "r", "new": 1, "parts": [{"howMany": 1, "new": 2}]}).parts[0].how_many == 1
    )


def test_a_number_is_no_text_and_a_text_no_number():
    with pytest.raises(ProtocolError, match="runId"):
        Outer.from_wire({"runId": 5})
    with pytest.raises(ProtocolError, match=r"parts\.0\.howMany"):
        Outer.from_wire({"runId": "r", "parts": [{"howMany": "2"}]})


def test_the_first_problem_is_told_in_the_peers_own_names():
    with pytest.raises(ProtocolError, match="must have required property 'runId'"):
        Outer.from_wire({})
    with pytest.raises(ProtocolError, match="value"):
        Outer.from_wire(None)


def test_half_a_surrogate_pair_travels_as_it_came():
    assert Outer.from_wire({"runId": "\ud800"}).to_wire()["runId"] == "\ud800"


def test_values_do_not_change():
    with pytest.raises(ValidationError):
        Outer(run_id="r").run_id = "other"  # type: ignore[misc]
