from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.gateway.admission import Refusal, admit, host_refusal, is_token, origin_refusal
from gateway_client.protocol.device import SignedFields, sign
from gateway_client.protocol.handshake import Challenge, ConnectParams
from tests.support.gateway_in_memory import TOKEN, connect_params

FRAMES = Path(__file__).parents[2] / "vectors" / "frames"
CHALLENGE = Challenge(nonce="nonce", ts=1_796_000_000_000)
KEY = bytes(range(32))


def recorded_error(name: str) -> tuple[dict, int]:
    lines = [json.loads(line) for line in (FRAMES / name).read_text().splitlines() if line]
    answer = next(line["frame"] for line in lines if line.get("frame", {}).get("type") == "res")
    closed = next(line for line in lines if line["direction"] == "closed")
    return answer["error"], closed["code"]


def refused(**changes) -> Refusal:
    verdict = admit(connect_params(**changes), CHALLENGE, TOKEN)
    assert isinstance(verdict, Refusal)
    return verdict


def proof(*, token=TOKEN, nonce=CHALLENGE.nonce, ts=CHALLENGE.ts, **changes):
    client = connect_params()["client"]
    fields = SignedFields(
        client_id=client["id"],
        client_mode=client["mode"],
        role="operator",
        scopes=connect_params()["scopes"],
        signed_at_ms=ts,
        token=token,
        nonce=nonce,
        platform=client["platform"],
    )
    device_id, public_key, signature = sign(KEY, fields)
    whole = {"id": device_id, "publicKey": public_key, "signature": signature, "signedAt": ts, "nonce": nonce}
    return {**whole, **changes}


# The upgrade


@pytest.mark.parametrize("host", ["127.0.0.1:80", "localhost:80", "LOCALHOST:80", "[::1]:80"])
def test_a_loopback_name_with_the_port_may_come(host):
    assert host_refusal(host, 80) is None


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "example.com:80",
        "127.0.0.1",
        "127.0.0.1:81",
        "127.0.0.1.example.com:80",
        "localhost:80:80",
        "[::2]:80",
        "evil@localhost:80",
        "localhost :80",
        "0.0.0.0:80",
    ],
)
def test_any_other_host_name_is_refused(host):
    assert host_refusal(host, 80) is not None


def test_a_page_may_come_only_from_an_allowed_origin():
    assert origin_refusal(None, ()) is None
    assert origin_refusal("http://a.example", ("http://a.example",)) is None
    for origin in ("http://a.example", "null", "", "http://127.0.0.1:80"):
        assert origin_refusal(origin, ()) is not None


# connect


def test_the_right_token_is_let_in_without_a_device():
    assert isinstance(admit(connect_params(), CHALLENGE, TOKEN), ConnectParams)


def test_a_wrong_token_is_refused_in_the_shape_of_a_real_gateway():
    verdict = refused(auth={"token": "wrong"})
    expected, code = recorded_error("wrong_token.jsonl")
    got = verdict.error.to_wire()
    assert (got["code"], got["message"], verdict.close_code) == (expected["code"], expected["message"], code)
    assert got["details"].keys() == expected["details"].keys()
    assert got["details"]["code"] == "AUTH_TOKEN_MISMATCH"
    assert got["details"]["canRetryWithDeviceToken"] is False


@pytest.mark.parametrize("auth", [None, {}, {"token": ""}, {"password": TOKEN}])
def test_no_token_is_refused_as_missing(auth):
    assert refused(auth=auth).error.to_wire()["details"]["code"] == "AUTH_TOKEN_MISSING"


@pytest.mark.parametrize("given", [None, "", TOKEN[:-1], TOKEN + "x", "ü", "\ud800"])
def test_only_the_whole_token_is_the_token(given):
    assert not is_token(given, TOKEN)
    assert is_token(TOKEN, TOKEN)


@pytest.mark.parametrize(("low", "high"), [(2, 2), (5, 9), (1, 3)])
def test_a_protocol_that_is_not_ours_is_refused_in_the_shape_of_a_real_gateway(low, high):
    verdict = refused(minProtocol=low, maxProtocol=high)
    expected, code = recorded_error("old_protocol.jsonl")
    got = verdict.error.to_wire()
    assert (got["code"], got["message"], verdict.close_code) == (expected["code"], expected["message"], code)
    assert got["details"].keys() == expected["details"].keys()
    assert got["details"]["expectedProtocol"] == 4


def test_a_range_that_holds_our_protocol_is_let_in():
    assert isinstance(admit(connect_params(minProtocol=3, maxProtocol=6), CHALLENGE, TOKEN), ConnectParams)


def test_wrong_params_are_refused_with_the_field():
    assert "client" in refused(client=None).error.message
    assert refused(minProtocol="four").error.message.startswith("invalid connect params: minProtocol")


def test_a_device_that_signed_is_let_in():
    assert isinstance(admit(connect_params(device=proof()), CHALLENGE, TOKEN), ConnectParams)


def test_a_wrong_signature_is_refused_exactly_as_by_a_real_gateway():
    verdict = refused(device=proof(token="another token"))
    assert (verdict.error.to_wire(), verdict.close_code) == recorded_error("bad_signature.jsonl")


@pytest.mark.parametrize(
    ("device", "code"),
    [
        (proof(nonce="other"), "DEVICE_AUTH_NONCE_MISMATCH"),
        (proof(ts=1), "DEVICE_AUTH_SIGNATURE_EXPIRED"),
        (proof(id="0" * 64), "DEVICE_AUTH_DEVICE_ID_MISMATCH"),
        (proof(publicKey="!"), "DEVICE_AUTH_DEVICE_ID_MISMATCH"),
        (proof(signature="!"), "DEVICE_AUTH_SIGNATURE_INVALID"),
    ],
)
def test_each_fault_of_a_device_has_its_code(device, code):
    assert refused(device=device).error.to_wire()["details"]["code"] == code
