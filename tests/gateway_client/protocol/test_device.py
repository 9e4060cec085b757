from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_client.protocol.device import (
    SignedFields,
    decode_bytes,
    device_id,
    encode_bytes,
    is_signed_by,
    sign,
)
from tests.support.values import texts
from tests.support.vectors import frames

PRIVATE = bytes(range(32))
FIELDS = SignedFields(
    client_id="gateway-client",
    client_mode="ui",
    role="operator",
    scopes=("operator.read", "operator.write"),
    signed_at_ms=1796084389112,
    token="secret",
    nonce="n0nce",
    platform="  Linux ",
    device_family="İPad",
)


def test_the_signed_text_has_the_published_fields_in_their_order():
    assert FIELDS.text("d") == (
        "v3|d|gateway-client|ui|operator|operator.read,operator.write|1796084389112|secret|n0nce|linux|İpad"
    )


def test_fields_that_are_absent_stand_as_empty_texts():
    bare = SignedFields("c", "m", "r", (), 0, "", "n")
    assert bare.text("d") == "v3|d|c|m|r||0||n||"


def test_the_device_id_is_the_hash_of_the_public_key():
    identity, public, _ = sign(PRIVATE, FIELDS)
    raw = decode_bytes(public)
    assert len(raw) == 32
    assert identity == device_id(raw) == hashlib.sha256(raw).hexdigest()
    # The public key of RFC 8032's construction for the seed 00 01 … 1f.
    assert raw.hex() == "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"


def test_a_signature_holds_for_its_own_fields_alone():
    _, public, signature = sign(PRIVATE, FIELDS)
    assert is_signed_by(public, signature, FIELDS)
    for change in (
        {"nonce": "other"},
        {"token": ""},
        {"signed_at_ms": 0},
        {"scopes": ("operator.admin",)},
        {"client_mode": "cli"},
        {"platform": "darwin"},
        {"device_family": ""},
    ):
        assert not is_signed_by(public, signature, replace(FIELDS, **change)), change


def test_a_signature_of_another_key_does_not_hold():
    _, _, signature = sign(PRIVATE, FIELDS)
    _, other, _ = sign(bytes(32), FIELDS)
    assert not is_signed_by(other, signature, FIELDS)


@given(texts, texts)
def test_any_texts_instead_of_key_and_signature_are_no_signature(public, signature):
    assert not is_signed_by(public, signature, FIELDS)


@given(st.binary(max_size=80))
def test_bytes_come_back_from_their_text_and_the_text_is_safe_in_addresses(data):
    text = encode_bytes(data)
    assert decode_bytes(text) == data
    assert not set(text) & set("+/=")


@pytest.mark.parametrize("text", ["a", "a+b/", "ä", "a b="])
def test_what_is_no_base64url_is_refused(text):
    with pytest.raises(ValueError):
        decode_bytes(text)


def test_ids_have_the_form_that_a_gateway_was_seen_to_accept():
    (connect,) = [f for f in frames("widget_svg", "out") if f["method"] == "connect"]
    seen = connect["params"]["device"]
    identity, _, _ = sign(PRIVATE, FIELDS)
    assert len(identity) == len(seen["id"])
    assert set(identity) | set(seen["id"]) <= set("0123456789abcdef")
