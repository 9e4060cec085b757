"""Whatever a gateway sends, the client's link answers with a frame or one of two exceptions."""

from __future__ import annotations

import itertools
import json
import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway_client.errors import LinkClosed, ProtocolError
from gateway_client.protocol.frames import Event, Response
from gateway_client.protocol.link import Link, Side

BOUND = 4096
ODD = [None, True, -1, 0, 1.5, 10**400, "", "\ud800", "x" * 64, [], {}, [[]], {"a": None}]
WORDS = ["req", "res", "event", "c1", "c2", "chat", "agent", "connect.challenge", "hello-ok"]
KEYS = ["type", "id", "event", "ok", "payload", "error", "seq", "method", "params", "code", "message"]


def _valid(dice):
    return dice.choice(
        [
            {"type": "event", "event": dice.choice(WORDS), "payload": {}, "seq": dice.randrange(1000)},
            {"type": "res", "id": dice.choice(WORDS), "ok": True, "payload": {"type": "hello-ok"}},
            {"type": "res", "id": "c2", "ok": False, "error": {"code": "X", "message": "no"}},
            {"type": "req", "id": "s1", "method": "chat.send", "params": {}},
        ]
    )


def _wrong_type(dice):
    return json.dumps(_valid(dice) | {dice.choice(KEYS): dice.choice([*ODD, *WORDS])})


def _mutated(dice):
    text = list(json.dumps(_valid(dice)))
    for _ in range(dice.randint(1, 4)):
        text[dice.randrange(len(text))] = dice.choice('{}[]",:\\\x00\ud800é0en ')
    return "".join(text)


def _truncated(dice):
    text = json.dumps(_valid(dice))
    return text[: dice.randrange(len(text))]


def _huge(dice):
    return json.dumps(_valid(dice) | {"payload": "é" * dice.randint(BOUND // 4, BOUND * 2)})


def _nested(dice):
    depth = dice.choice([1, 100, 1900])
    opening, closing = dice.choice([("[", "]"), ('{"a":', "}")])
    return (opening * depth + "1" + closing * dice.choice([depth, depth - 1]))[: BOUND * 2]


def _as_is(dice):
    return json.dumps(_valid(dice))


KINDS = [_as_is, _wrong_type, _mutated, _truncated, _huge, _nested]


def _link(dice):
    """A client's link in greeting, in its handshake, or ready."""
    link = Link(Side.CLIENT, ids=(f"c{n}" for n in itertools.count(1)), max_frame_bytes=BOUND)
    steps = dice.randrange(3)
    if steps:
        link.receive('{"type":"event","event":"connect.challenge","payload":{"nonce":"n"}}')
        link.connect({})
    if steps == 2:
        link.receive('{"type":"res","id":"c1","ok":true,"payload":{"type":"hello-ok"}}')
        link.request("health", {})
    return link


def _feed(link, texts):
    """Give the link *texts*, as a caller does that never closes it; returns the frames."""
    frames, sentences = [], []
    for text in texts:
        try:
            frames.append(link.receive(text))
        except (ProtocolError, LinkClosed) as error:
            sentences.append(str(error))
    assert all(0 < len(sentence) < 500 for sentence in sentences)
    return frames


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**64))
def test_no_frame_makes_anything_but_a_frame_or_a_protocol_error(seed):
    dice = random.Random(seed)
    frames = _feed(_link(dice), [dice.choice(KINDS)(dice) for _ in range(30)])
    assert all(frame is None or isinstance(frame, Event | Response) for frame in frames)


@given(st.text(max_size=200))
def test_no_text_makes_anything_but_a_frame_or_a_protocol_error(text):
    _feed(_link(random.Random(text)), [text])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__.strip("_"))
def test_a_link_keeps_nothing_of_what_it_was_sent(kind):
    dice = random.Random(7)
    link = _link(random.Random(1))
    for _ in range(200):
        _feed(link, [kind(dice)])
    tracemalloc.start()
    try:
        for _ in range(2000):
            _feed(link, [kind(dice)])
        kept, _peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 64 * 1024
