from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_client.errors import ProtocolError
from gateway_client.protocol.frames import Event, Request, Response, WireError, decode, encode
from tests.support.values import json_values, objects_with, texts
from tests.support.vectors import RECORDINGS, recording

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
payloads = json_values
errors = st.builds(
    WireError,
    names,
    names,
    st.none() | st.dictionaries(texts, json_values, max_size=3),
    st.none() | st.booleans(),
    st.none() | st.integers(min_value=0),
)
frames = (
    st.builds(Request, names, names, st.dictionaries(texts, json_values, max_size=3))
    | st.builds(Response, names, payloads)
    | st.builds(lambda request_id, error: Response(request_id, error=error), names, errors)
    | st.builds(Event, names, payloads, st.none() | st.integers())
)


@given(frames)
def test_every_frame_comes_back_from_its_text(frame):
    text = encode(frame)
    assert text.encode(), "whatever is in it, it can be sent"
    assert decode(text) == frame


@given(st.text())
def test_any_text_is_a_frame_or_a_protocol_error(text):
    with suppress(ProtocolError):
        decode(text)


frame_like = objects_with(
    type=st.sampled_from(["req", "res", "event"]),
    id=texts,
    method=texts,
    event=texts,
    params=json_values,
    ok=st.booleans(),
    payload=json_values,
    error=objects_with(code=texts, message=texts, details=json_values, retryable=st.booleans()),
    seq=st.integers(),
)


@given(frame_like | json_values)
def test_any_json_value_is_a_frame_or_a_protocol_error(value):
    try:
        frame = decode(json.dumps(value))
    except ProtocolError:
        return
    assert decode(encode(frame)) == frame


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '"req"',
        "{}",
        '{"type":"req"}',
        '{"type":"req","id":"","method":"a"}',
        '{"type":"req","id":1,"method":"a"}',
        '{"type":"req","id":"1","method":"a","params":[]}',
        '{"type":"res","ok":true}',
        '{"type":"event","event":7}',
        '{"type":"hello"}',
        "[" * 100_000,
        '{"type":"event","event":"a","payload":NaN}',
        '{"type":"event","event":"a","payload":-Infinity}',
        '{"type":"event","event":"a","seq":' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_frame_is_refused_with_a_reason(text):
    with pytest.raises(ProtocolError):
        decode(text)


def test_a_refusal_never_repeats_what_was_sent():
    with pytest.raises(ProtocolError) as caught:
        decode('{"token": "very-secret')
    assert "very-secret" not in str(caught.value)


def test_a_response_without_ok_is_a_failure_even_if_it_gives_no_reason():
    frame = decode('{"type":"res","id":"1"}')
    assert isinstance(frame, Response)
    assert not frame.is_ok
    assert frame.error == WireError("UNKNOWN", "the gateway gave no reason")


def test_params_may_be_left_out():
    assert decode('{"type":"req","id":"1","method":"health"}') == Request("1", "health", {})


def test_a_seq_that_is_no_whole_number_is_ignored():
    for seq in ("true", "1.5", '"3"'):
        assert decode(f'{{"type":"event","event":"a","seq":{seq}}}') == Event("a")


def test_numbers_that_json_lacks_are_not_sent():
    with pytest.raises(ValueError):
        encode(Event("a", float("nan")))


def test_letters_are_sent_as_they_are_and_halves_of_pairs_by_their_number():
    assert "é" in encode(Event("a", "é"))
    assert "\\ud800" in encode(Event("a", "é\ud800"))


def test_an_error_leaves_out_what_it_does_not_say():
    assert WireError("A", "b").to_wire() == {"code": "A", "message": "b"}
    whole = WireError("A", "b", {"c": 1}, retryable=True, retry_after_ms=500)
    assert WireError.from_wire(whole.to_wire()) == whole


@pytest.mark.parametrize("name", RECORDINGS)
def test_recorded_frames_decode_and_say_the_same_again(name):
    for line in recording(name):
        if line["direction"] == "closed":
            continue
        wire = line["frame"]
        again = json.loads(encode(decode(json.dumps(wire))))
        known = {key: value for key, value in wire.items() if key in again}
        assert again == known
