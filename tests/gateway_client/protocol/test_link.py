from __future__ import annotations

import itertools
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gateway_client.errors import LinkClosed, ProtocolError
from gateway_client.protocol.frames import Event, Request, Response, WireError, encode
from gateway_client.protocol.link import CHALLENGE, Link, Phase, Side
from tests.support.values import json_values


def ids(prefix="r"):
    return (f"{prefix}{number}" for number in itertools.count(1))


class Pair:
    """Two links; texts travel when the test says so."""

    def __init__(self, **bounds):
        self.client = Link(Side.CLIENT, ids=ids(), **bounds)
        self.server = Link(Side.SERVER, ids=ids("s"), **bounds)

    def to_client(self):
        return [self.client.receive(text) for text in self.server.take_outgoing()]

    def to_server(self):
        return [self.server.receive(text) for text in self.client.take_outgoing()]

    def ready(self):
        self.server.challenge({"nonce": "n", "ts": 1})
        self.to_client()
        self.client.connect({"minProtocol": 4})
        (request,) = self.to_server()
        self.server.accept(request.id, {"type": "hello-ok"})
        self.to_client()
        return self


def test_the_handshake_makes_both_ends_ready():
    pair = Pair()
    pair.server.challenge({"nonce": "n", "ts": 1})
    assert pair.to_client() == [Event(CHALLENGE, {"nonce": "n", "ts": 1})]
    connect_id = pair.client.connect({"minProtocol": 4})
    assert pair.to_server() == [Request(connect_id, "connect", {"minProtocol": 4})]
    pair.server.accept(connect_id, {"type": "hello-ok"})
    assert pair.to_client() == [Response(connect_id, {"type": "hello-ok"})]
    assert (pair.client.phase, pair.server.phase) == (Phase.READY, Phase.READY)


def test_a_refusal_closes_both_ends_with_the_gateways_reason():
    pair = Pair()
    pair.server.challenge({"nonce": "n", "ts": 1})
    pair.to_client()
    pair.client.connect({})
    (request,) = pair.to_server()
    pair.server.refuse(request.id, WireError("INVALID_REQUEST", "wrong token"))
    pair.to_client()
    assert pair.client.phase is pair.server.phase is Phase.CLOSED
    assert pair.client.close_reason == "wrong token"
    with pytest.raises(LinkClosed, match="wrong token"):
        pair.client.request("chat.send", {})


def test_a_client_calls_nothing_before_the_handshake_is_over():
    pair = Pair()
    with pytest.raises(LinkClosed):
        pair.client.request("chat.send", {})
    with pytest.raises(LinkClosed):
        pair.client.connect({})


def test_connect_is_sent_once():
    pair = Pair()
    pair.server.challenge({})
    pair.to_client()
    pair.client.connect({})
    with pytest.raises(ProtocolError):
        pair.client.connect({})


def test_a_gateway_that_does_not_begin_with_a_challenge_is_refused():
    client = Pair().client
    with pytest.raises(ProtocolError, match="challenge"):
        client.receive(encode(Event("tick", {})))


def test_a_client_that_does_not_begin_with_connect_is_refused():
    server = Pair().server
    server.challenge({})
    with pytest.raises(ProtocolError, match="connect"):
        server.receive(encode(Request("1", "chat.send", {})))


def test_a_second_connect_is_refused_before_and_after_the_answer():
    early = Pair()
    early.server.challenge({})
    early.server.receive(encode(Request("1", "connect", {})))
    with pytest.raises(ProtocolError):
        early.server.receive(encode(Request("2", "connect", {})))
    with pytest.raises(ProtocolError):
        Pair().ready().server.receive(encode(Request("2", "connect", {})))


def test_each_end_refuses_what_only_the_other_may_say():
    pair = Pair().ready()
    with pytest.raises(ProtocolError):
        pair.client.receive(encode(Request("1", "chat.send", {})))
    for frame in (Event("tick", {}), Response("1", {})):
        with pytest.raises(ProtocolError):
            pair.server.receive(encode(frame))


def test_answers_find_their_calls_in_any_order():
    pair = Pair().ready()
    first, second = pair.client.request("a", {}), pair.client.request("b", {})
    assert pair.client.method_of(second) == "b"
    pair.to_server()
    pair.server.respond(second, 2)
    pair.server.fail(first, WireError("NO", "no"))
    assert pair.to_client() == [Response(second, 2), Response(first, error=WireError("NO", "no"))]
    assert pair.client.method_of(second) == ""


def test_an_answer_that_nobody_waits_for_is_dropped_and_counted():
    pair = Pair().ready()
    forgotten = pair.client.request("a", {})
    pair.client.forget(forgotten)
    pair.to_server()
    pair.server.respond(forgotten, 1)
    pair.server.respond("never-asked", 1)
    assert pair.to_client() == [None, None]
    assert pair.client.dropped_responses == 2


def test_a_client_counts_the_events_it_missed():
    pair = Pair().ready()
    pair.server.push("a", {})
    pair.to_client()
    pair.server.push("b", {})
    pair.server.push("c", {})
    pair.server.take_outgoing()  # lost
    pair.server.push("d", {})
    pair.to_client()
    assert pair.client.missed_events == 2


def test_the_first_number_and_events_without_one_are_no_gap():
    client = Pair().ready().client
    for event in (Event("a", {}, 40), Event("tick", {}), Event("b", {}, 41), Event("old", {}, 3)):
        client.receive(encode(event))
    assert client.missed_events == 0


@pytest.mark.parametrize("excess", [0, 1])
def test_a_message_may_be_as_long_as_the_bound_and_no_longer(excess):
    text = encode(Event(CHALLENGE, "x" * 100))
    client = Link(Side.CLIENT, ids=ids(), max_frame_bytes=len(text) - excess)
    if excess:
        with pytest.raises(ProtocolError, match="longer than"):
            client.receive(text)
    else:
        client.receive(text)


def test_the_bound_counts_bytes_not_letters():
    text = encode(Event(CHALLENGE, "é" * 100))
    with pytest.raises(ProtocolError):
        Link(Side.CLIENT, ids=ids(), max_frame_bytes=len(text)).receive(text)


def test_a_call_that_is_too_long_for_the_other_end_is_not_queued_and_not_awaited():
    client = Pair().ready().client
    client.max_outgoing_bytes = 100
    with pytest.raises(ProtocolError, match="limit is 100"):
        client.request("a", {"text": "x" * 100})
    assert client.take_outgoing() == []
    assert client.method_of("r2") == ""


def test_a_link_that_is_closed_takes_and_sends_nothing_and_keeps_the_first_reason():
    pair = Pair().ready()
    pair.client.request("a", {})
    pair.client.close("first")
    pair.client.close("second")
    assert pair.client.close_reason == "first"
    assert len(pair.client.take_outgoing()) == 1, "what was queued before may still be sent"
    for action in (lambda: pair.client.receive("{}"), lambda: pair.client.request("a", {})):
        with pytest.raises(LinkClosed, match="first"):
            action()


def test_doing_what_only_the_other_side_does_is_a_mistake_of_ours():
    pair = Pair().ready()
    with pytest.raises(AssertionError):
        pair.client.push("a", {})
    with pytest.raises(AssertionError):
        pair.server.request("a", {})


@given(json_values, st.sampled_from(Side), st.booleans())
def test_any_json_value_is_taken_or_is_a_protocol_error(value, side, is_ready):
    pair = Pair()
    if is_ready:
        pair.ready()
    link = pair.client if side is Side.CLIENT else pair.server
    with suppress(ProtocolError):
        link.receive(json.dumps(value))


class AnyInterleaving(RuleBasedStateMachine):
    """Two links, every order of calls, answers, events, losses of patience and deliveries."""

    def __init__(self):
        super().__init__()
        self.pair = Pair().ready()
        self.up, self.down = [], []
        self.unanswered, self.waiting, self.given_up = [], {}, set()
        self.pushed, self.seen = 0, []

    def carry(self):
        self.up += self.pair.client.take_outgoing()
        self.down += self.pair.server.take_outgoing()

    @rule(method=st.sampled_from(["chat.send", "chat.history"]))
    def call(self, method):
        self.waiting[self.pair.client.request(method, {})] = method

    @precondition(lambda self: self.waiting)
    @rule(data=st.data())
    def give_up(self, data):
        request_id = data.draw(st.sampled_from(sorted(self.waiting)))
        self.pair.client.forget(request_id)
        del self.waiting[request_id]
        self.given_up.add(request_id)

    @rule()
    def push(self):
        self.pushed = self.pair.server.push("chat", {})

    @precondition(lambda self: self.unanswered)
    @rule(data=st.data(), fails=st.booleans())
    def answer(self, data, fails):
        request = data.draw(st.sampled_from(self.unanswered))
        self.unanswered.remove(request)
        if fails:
            self.pair.server.fail(request.id, WireError("NO", "no"))
        else:
            self.pair.server.respond(request.id, request.method)

    @rule()
    def deliver_one_up(self):
        self.carry()
        if self.up:
            self.unanswered.append(self.pair.server.receive(self.up.pop(0)))

    @rule()
    def deliver_one_down(self):
        self.carry()
        if not self.down:
            return
        frame = self.pair.client.receive(self.down.pop(0))
        match frame:
            case None:
                assert self.given_up
            case Event(seq=seq):
                self.seen.append(seq)
            case Response(id=request_id, payload=payload, error=error):
                method = self.waiting.pop(request_id)
                assert error is not None or payload == method

    @invariant()
    def every_event_arrives_once_and_in_order(self):
        assert self.seen == list(range(1, len(self.seen) + 1))
        assert self.pair.client.missed_events == 0

    @invariant()
    def exactly_the_calls_without_an_answer_are_open(self):
        assert all(self.pair.client.method_of(request_id) for request_id in self.waiting)
        assert not any(self.pair.client.method_of(request_id) for request_id in self.given_up)


TestAnyInterleaving = AnyInterleaving.TestCase
