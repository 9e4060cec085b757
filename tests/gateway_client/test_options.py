from __future__ import annotations

from gateway_client.identity import DeviceIdentity
from gateway_client.options import DEFAULT_SCOPES, ConnectOptions, connect_params
from gateway_client.protocol.device import SignedFields, is_signed_by
from gateway_client.protocol.handshake import Challenge

CHALLENGE = Challenge(nonce="n0nce", ts=1796084389112)


def params_of(**changes):
    return connect_params(ConnectOptions("ws://127.0.0.1:1", **changes), CHALLENGE)


def test_the_device_signs_exactly_what_the_params_say():
    params = params_of(token="secret", identity=DeviceIdentity.generate(), caps=frozenset({"inline-widgets"}))
    proof = params.device
    assert proof is not None
    assert (proof.nonce, proof.signed_at) == ("n0nce", 1796084389112)
    fields = SignedFields(
        params.client.id,
        params.client.mode,
        params.role,
        params.scopes,
        proof.signed_at,
        "secret",
        proof.nonce,
        params.client.platform,
        params.client.device_family or "",
    )
    assert is_signed_by(proof.public_key, proof.signature, fields)


def test_a_password_goes_along_and_the_signature_then_covers_no_token():
    params = params_of(password="pass", identity=DeviceIdentity.generate())
    assert params.auth is not None
    assert params.auth.to_wire() == {"password": "pass"}
    assert params.device is not None
    fields = SignedFields(
        "gateway-client", "ui", "operator", DEFAULT_SCOPES, CHALLENGE.ts, "", "n0nce", params.client.platform
    )
    assert is_signed_by(params.device.public_key, params.device.signature, fields)


def test_without_secret_and_identity_neither_is_sent():
    wire = params_of().to_wire()
    assert "auth" not in wire
    assert "device" not in wire


def test_promises_are_sent_in_one_order_whatever_order_they_came_in():
    assert params_of(caps=frozenset({"tool-events", "inline-widgets"})).caps == (
        "inline-widgets",
        "tool-events",
    )


def test_a_client_without_a_name_sends_none():
    assert "displayName" not in params_of(display_name="").to_wire()["client"]


def test_secrets_are_not_shown():
    shown = repr(ConnectOptions("ws://127.0.0.1:1", token="t0ken", password="pa55"))
    assert "t0ken" not in shown
    assert "pa55" not in shown
