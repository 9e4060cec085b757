from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_client.errors import NextStep, ProtocolError
from gateway_client.protocol.frames import WireError
from gateway_client.protocol.handshake import Challenge, ClientInfo, ConnectParams, HelloOk, refused
from tests.support.values import json_values, objects_with, texts
from tests.support.vectors import frames


def connect_answer(name):
    answers = [frame for frame in frames(name, "in") if frame["type"] == "res"]
    return answers[0]


@pytest.mark.parametrize("ts", [None, "1796084389112", 1.5, True, -1])
def test_a_challenge_without_a_whole_time_is_refused(ts):
    with pytest.raises(ProtocolError, match="ts"):
        Challenge.from_wire({"nonce": "n", "ts": ts})


def test_a_challenge_without_a_nonce_is_refused():
    for payload in (None, {}, {"ts": 1}, {"nonce": "", "ts": 1}):
        with pytest.raises(ProtocolError):
            Challenge.from_wire(payload)


def test_the_recorded_challenge_is_read_with_what_it_has_beyond_ours():
    challenge = Challenge.from_wire(frames("widget_svg", "in")[0]["payload"])
    assert challenge == Challenge(nonce="<nonce>", ts=1796084389112)


def test_the_recorded_hello_is_read():
    hello = HelloOk.from_wire(connect_answer("widget_svg")["payload"])
    assert hello.protocol == 4
    assert hello.server.version == "2026.9.6"
    assert hello.offers("chat.send")
    assert hello.offers("canvas.document.view")
    assert not hello.offers("no.such.method")
    assert hello.policy.tick_interval_ms == 30_000
    assert hello.policy.attachments is not None
    assert hello.plugin_surface_urls is not None
    assert "canvas" in hello.plugin_surface_urls


def test_a_hello_may_leave_out_all_but_the_essentials():
    hello = HelloOk.from_wire({"type": "hello-ok", "protocol": 4, "server": {}, "features": {}})
    assert hello.auth.scopes == []
    assert hello.policy.max_payload == 25 * 1024 * 1024


def test_the_params_of_connect_leave_out_what_is_not_said():
    params = ConnectParams(client=ClientInfo(version="1", platform="linux"), caps=("a",), scopes=("b",))
    assert params.to_wire() == {
        "minProtocol": 4,
        "maxProtocol": 4,
        "client": {"id": "gateway-client", "version": "1", "platform": "linux", "mode": "ui"},
        "role": "operator",
        "scopes": ["b"],
        "caps": ["a"],
    }


@pytest.mark.parametrize("name", ["widget_svg", "widget_nocap", "abort", "second_client", "wrong_token"])
def test_recorded_params_of_connect_are_read_and_written_alike(name):
    (wire,) = [frame["params"] for frame in frames(name, "out") if frame["method"] == "connect"][:1]
    assert ConnectParams.from_wire(wire).to_wire() == wire


@pytest.mark.parametrize(
    ("name", "code", "step"),
    [
        ("wrong_token", "AUTH_TOKEN_MISMATCH", NextStep.CHANGE_CREDENTIALS),
        ("old_protocol", "PROTOCOL_MISMATCH", NextStep.UPDATE),
        ("bad_signature", "DEVICE_AUTH_SIGNATURE_INVALID", NextStep.GIVE_UP),
    ],
)
def test_recorded_refusals_say_what_helps_and_are_final(name, code, step):
    error = refused(WireError.from_wire(connect_answer(name)["error"]))
    assert (error.code, error.next_step, error.is_final) == (code, step, True)
    assert error.advice


def test_a_gateway_that_starts_is_to_be_tried_again_at_its_own_pace():
    wire = {
        "code": "UNAVAILABLE",
        "message": "gateway starting; retry shortly",
        "details": {"reason": "startup-sidecars"},
        "retryable": True,
        "retryAfterMs": 500,
    }
    error = refused(WireError.from_wire(wire))
    assert (error.next_step, error.retry_after_ms, error.is_final) == (NextStep.RETRY, 500, False)
    busy = refused(WireError("UNAVAILABLE", "busy", retryable=True))
    assert busy.next_step is NextStep.RETRY
    assert refused(WireError("UNAVAILABLE", "gone")).is_final


def test_a_device_that_waits_for_approval_names_the_command_that_approves_it():
    details = {"code": "PAIRING_REQUIRED", "requestId": "req-7"}
    error = refused(WireError("INVALID_REQUEST", "pairing required", details))
    assert error.next_step is NextStep.APPROVE_PAIRING
    assert error.is_final
    assert error.advice.endswith("openclaw devices approve req-7")


def test_a_gateway_that_says_wait_then_retry_is_obeyed():
    details = {"code": "PAIRING_REQUIRED", "recommendedNextStep": "wait_then_retry"}
    error = refused(WireError("INVALID_REQUEST", "pairing required", details))
    assert not error.is_final


@given(
    json_values
    | objects_with(type=st.just("hello-ok"), protocol=st.integers(), server=json_values, features=json_values)
    | objects_with(nonce=texts, ts=st.integers())
)
def test_any_json_value_is_read_or_is_a_protocol_error(value):
    for model in (Challenge, HelloOk, ConnectParams):
        with suppress(ProtocolError):
            model.from_wire(value)
    refused(WireError.from_wire(value))
