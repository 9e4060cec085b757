from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given

from gateway_client.errors import ProtocolError
from gateway_client.protocol import methods
from gateway_client.protocol.methods import METHODS
from tests.support.values import json_values
from tests.support.vectors import RECORDINGS, frames


def recorded_calls(name):
    """Yield every recorded call that was answered well: method, params, payload."""
    answers = {frame["id"]: frame for frame in frames(name, "in") if frame["type"] == "res"}
    for frame in frames(name, "out"):
        answer = answers.get(frame["id"], {})
        if frame["method"] in METHODS and answer.get("ok"):
            yield METHODS[frame["method"]], frame["params"], answer["payload"]


CALLS = [
    pytest.param(*call, id=f"{name}-{call[0].name}-{number}")
    for name in RECORDINGS
    for number, call in enumerate(recorded_calls(name))
]


@pytest.mark.parametrize(("method", "params", "payload"), CALLS)
def test_recorded_calls_and_their_answers_are_read(method, params, payload):
    assert method.params.from_wire(params).to_wire() == params
    assert isinstance(method.result.from_wire(payload), method.result)


def test_every_method_was_seen_on_a_gateway_that_others_wrote():
    seen = {param.values[0].name for param in CALLS}
    assert seen == set(METHODS)


def test_a_method_is_found_by_its_name():
    assert all(METHODS[name].name == name for name in METHODS)


def test_a_repeat_with_the_same_key_is_in_flight():
    results = [
        method.result.from_wire(payload)
        for method, _, payload in recorded_calls("abort")
        if method is methods.CHAT_SEND
    ]
    assert {result.status for result in results} == {"started", "in_flight"}


def test_a_client_that_joins_finds_the_run_in_flight():
    runs = [
        result.in_flight_run
        for method, _, payload in recorded_calls("second_client")
        if method is methods.CHAT_HISTORY and (result := method.result.from_wire(payload)).in_flight_run
    ]
    assert runs
    assert runs[0].run_id
    assert runs[0].started_at > 0


@pytest.mark.parametrize(
    ("kind", "wire", "problem"),
    [
        (methods.ChatSendParams, {}, "sessionKey"),
        (methods.ChatSendParams, {"sessionKey": "", "message": "a", "idempotencyKey": "k"}, "sessionKey"),
        (methods.ChatSendParams, {"sessionKey": "s" * 513, "message": "a", "idempotencyKey": "k"}, "512"),
        (methods.ChatSendParams, {"sessionKey": "s", "message": 7, "idempotencyKey": "k"}, "message"),
        (methods.ChatSendParams, {"sessionKey": "s", "message": "a", "idempotencyKey": ""}, "idempotencyKey"),
        (methods.ChatHistoryParams, {"sessionKey": "s", "limit": 1001}, "1000"),
        (methods.ChatHistoryParams, {"sessionKey": "s", "limit": "5"}, "limit"),
        (methods.ChatAbortParams, {"sessionKey": "s", "runId": ""}, "runId"),
        (methods.SurfaceRefreshParams, {}, "surface"),
    ],
)
def test_wrong_params_are_refused_naming_the_field(kind, wire, problem):
    with pytest.raises(ProtocolError, match=problem):
        kind.from_wire(wire)


def test_a_session_is_called_by_the_best_name_it_has():
    entry = methods.SessionEntry
    assert entry(key="k").title == "k"
    assert entry(key="k", display_name="d").title == "d"
    assert entry(key="k", display_name="d", derived_title="t").title == "t"
    assert entry(key="k", display_name="d", derived_title="t", label="l").title == "l"


@given(json_values)
def test_any_json_value_is_read_or_is_a_protocol_error(value):
    for method in METHODS.values():
        for model in (method.params, method.result):
            with suppress(ProtocolError):
                model.from_wire(value)
