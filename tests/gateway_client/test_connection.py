from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, asynccontextmanager

import pytest

from gateway_client import connection as module
from gateway_client.connection import Connection
from gateway_client.errors import (
    CallFailed,
    CallTimeout,
    ConnectRefused,
    InvalidRequest,
    LinkClosed,
    NextStep,
    ProtocolError,
)
from gateway_client.identity import DeviceIdentity
from gateway_client.options import ConnectOptions
from gateway_client.protocol.frames import Event, WireError
from gateway_client.protocol.methods import (
    CHAT_ABORT,
    CHAT_HISTORY,
    CHAT_SEND,
    ChatAbortParams,
    ChatHistoryParams,
    ChatSendParams,
    ChatSendResult,
)
from gateway_client.status import Gap
from gateway_client.timing import Timing
from tests.support.asynchronous import asynchronous, until
from tests.support.clockwork import Clockwork
from tests.support.fake_gateway import SILENCE, FakeGateway, answering, failing, frame_text

OPTIONS = ConnectOptions("ws://127.0.0.1:1", token="secret")
SEND = ChatSendParams(session_key="main", message="hi", idempotency_key="k")


@asynccontextmanager
async def connected(gateway, options=OPTIONS, timing=None, changed=lambda: None):
    async with gateway.running():
        transport = await gateway.open(options)
        connection = await Connection.open(
            transport, options, timing=timing or Timing(), round_trip_changed=changed
        )
        try:
            yield connection
        finally:
            await connection.close()


async def refusal_of(gateway, options=OPTIONS):
    with pytest.raises(LinkClosed) as caught:
        async with connected(gateway, options):
            pass
    return caught.value


# Handshake


@asynchronous
async def test_a_signed_client_with_the_right_token_gets_a_hello():
    gateway = FakeGateway()
    options = ConnectOptions("ws://x", token="secret", identity=DeviceIdentity.generate())
    async with connected(gateway, options) as connection:
        assert connection.hello.server.version == "fake"
        assert gateway.peer.params.device.id == options.identity.id


@asynchronous
async def test_a_wrong_token_is_refused_for_good():
    error = await refusal_of(FakeGateway(token="other"))
    assert isinstance(error, ConnectRefused)
    assert error.next_step is NextStep.CHANGE_CREDENTIALS


@asynchronous
async def test_a_gateway_that_sends_no_challenge_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "CHALLENGE_TIMEOUT_S", 0.02)
    assert "challenge" in str(await refusal_of(FakeGateway(challenge=None)))


@asynchronous
async def test_a_gateway_that_does_not_answer_connect_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "CONNECT_TIMEOUT_S", 0.02)
    gateway = FakeGateway()

    async def ignore(peer, frame):
        return None

    monkeypatch.setattr(gateway, "_connect", ignore)
    assert "connect" in str(await refusal_of(gateway))


@pytest.mark.parametrize("ts", [None, "1", 1.5])
@asynchronous
async def test_a_challenge_without_a_whole_time_is_refused(ts):
    gateway = FakeGateway(challenge={"nonce": "n", "ts": ts})
    async with gateway.running():
        with pytest.raises(ProtocolError):
            await Connection.open(await gateway.open(OPTIONS), OPTIONS)
        await until(lambda: gateway.peers[0].closed_because)
    assert "1002" in gateway.peers[0].closed_because
    assert gateway.peers[0].requests == []


@asynchronous
async def test_a_gateway_of_another_protocol_is_refused():
    error = await refusal_of(FakeGateway(hello={"protocol": 5}))
    assert error.next_step is NextStep.UPDATE


@asynchronous
async def test_events_that_come_before_the_hello_are_not_lost():
    gateway = FakeGateway()
    original = gateway._hello

    def hello_after_an_event():
        gateway.peers[-1].link._send(Event("presence", {"who": 1}, 7))
        return original()

    gateway._hello = hello_after_an_event
    async with connected(gateway) as connection:
        assert await anext(connection.events()) == Event("presence", {"who": 1}, 7)


@asynchronous
async def test_a_handshake_that_is_cancelled_closes_the_transport():
    gateway = FakeGateway(challenge=None)
    async with gateway.running():
        transport = await gateway.open(OPTIONS)
        opening = asyncio.ensure_future(Connection.open(transport, OPTIONS))
        await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        await until(lambda: gateway.peers[0].closed_because)


# Calls


@asynchronous
async def test_a_call_returns_its_typed_result():
    gateway = FakeGateway(on={"chat.send": answering({"runId": "r", "status": "started", "new": 1})})
    async with connected(gateway) as connection:
        result = await connection.call_as(ChatSendResult, CHAT_SEND, SEND)
        assert result == ChatSendResult(run_id="r", status="started")
        assert gateway.requests("chat.send") == [SEND.to_wire()]


@asynchronous
async def test_a_call_that_the_gateway_refuses_carries_its_words():
    gateway = FakeGateway(
        on={
            "chat.send": failing(
                "FORBIDDEN", "missing scope", details={"code": "MISSING_SCOPE"}, retryable=True
            )
        }
    )
    async with connected(gateway) as connection:
        with pytest.raises(CallFailed, match=r"chat\.send failed: missing scope") as caught:
            await connection.call(CHAT_SEND, SEND)
        assert (caught.value.code, caught.value.retryable) == ("FORBIDDEN", True)
        assert caught.value.details == {"code": "MISSING_SCOPE"}


@asynchronous
async def test_calls_are_answered_in_any_order():
    gateway, later = FakeGateway(), asyncio.Event()

    async def history(peer, params):
        peer.slow_id = peer.requests[-1].id
        return SILENCE

    async def send(peer, params):
        peer.link.respond(peer.requests[-1].id, {"runId": "r", "status": "started"})
        peer.link.respond(peer.slow_id, {"sessionKey": "main"})
        return SILENCE

    gateway.on = {"chat.history": history, "chat.send": send}
    async with connected(gateway) as connection:
        slow = asyncio.ensure_future(connection.call(CHAT_HISTORY, ChatHistoryParams(session_key="main")))
        slow.add_done_callback(lambda _: later.set())
        await asyncio.sleep(0)
        assert (await connection.call(CHAT_SEND, SEND)).run_id == "r"
        await later.wait()
        assert slow.result().session_key == "main"


@asynchronous
async def test_a_call_without_an_answer_ends_in_time_and_its_late_answer_harms_nothing():
    gateway = FakeGateway()

    async def never(peer, params):
        return SILENCE

    gateway.on = {"chat.send": never, "chat.abort": answering({"ok": True})}
    async with connected(gateway) as connection:
        with pytest.raises(CallTimeout, match=r"chat\.send was not answered within 0\.02 s"):
            await connection.call(CHAT_SEND, SEND, timeout_s=0.02)
        gateway.peer.link.respond(gateway.peer.requests[-1].id, {"runId": "r", "status": "started"})
        await gateway.peer.flush()
        await connection.call(CHAT_ABORT, ChatAbortParams(session_key="main"))
        assert connection._calls == {}
        assert connection._link.dropped_responses == 1


@asynchronous
async def test_a_cancelled_call_leaves_nothing_behind():
    gateway = FakeGateway()

    async def never(peer, params):
        return SILENCE

    gateway.on = {"chat.send": never}
    async with connected(gateway) as connection:
        call = asyncio.ensure_future(connection.call(CHAT_SEND, SEND))
        await until(lambda: gateway.requests("chat.send"))
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert connection._calls == {}


@asynchronous
async def test_calls_in_flight_fail_when_the_link_drops_and_later_ones_at_once():
    gateway = FakeGateway()

    async def drop(peer, params):
        await peer.drop()
        return SILENCE

    gateway.on = {"chat.send": drop}
    async with connected(gateway) as connection:
        with pytest.raises(LinkClosed, match="1012 service restart"):
            await connection.call(CHAT_SEND, SEND)
        with pytest.raises(LinkClosed, match="service restart"):
            await connection.call(CHAT_SEND, SEND)
        assert "service restart" in connection.end_reason


@asynchronous
async def test_an_answer_that_makes_no_sense_names_the_method():
    gateway = FakeGateway(on={"chat.send": answering({"runId": 7})})
    async with connected(gateway) as connection:
        with pytest.raises(ProtocolError, match=r"chat\.send"):
            await connection.call(CHAT_SEND, SEND)
        assert connection.end_reason == ""


@asynchronous
async def test_a_call_longer_than_the_gateway_takes_is_not_sent():
    gateway = FakeGateway(hello={"policy": {"maxPayload": 200}}, on={"chat.abort": answering({})})
    async with connected(gateway) as connection:
        long = ChatSendParams(session_key="main", message="x" * 200, idempotency_key="k")
        with pytest.raises(InvalidRequest, match="limit is 200"):
            await connection.call(CHAT_SEND, long)
        await connection.call(CHAT_ABORT, ChatAbortParams(session_key="main"))
        assert [request.method for request in gateway.peer.requests] == ["connect", "chat.abort"]


@asynchronous
async def test_halves_of_surrogate_pairs_can_be_sent():
    gateway = FakeGateway(on={"chat.send": answering({"runId": "r", "status": "started"})})
    async with gateway.listening() as url:
        from gateway_client.transport import open_websocket

        connection = await Connection.open(await open_websocket(url, max_size=10_000), OPTIONS)
        odd = ChatSendParams(session_key="main", message="a\ud800b", idempotency_key="k")
        await connection.call(CHAT_SEND, odd)
        assert gateway.requests("chat.send")[0]["message"] == "a\ud800b"
        await connection.close()


# Events


@asynchronous
async def test_events_come_in_order_and_end_with_the_link():
    gateway = FakeGateway()
    async with connected(gateway) as connection:
        for number in range(3):
            await gateway.peer.push("chat", {"n": number})
        await gateway.peer.drop()
        assert [event.payload["n"] async for event in connection.events()] == [0, 1, 2]


@asynchronous
async def test_a_gap_stands_where_events_are_missing():
    gateway = FakeGateway()
    async with connected(gateway) as connection:
        await gateway.peer.push("chat", {"n": 1})
        gateway.peer.swallow("chat", {"n": 2})
        gateway.peer.swallow("chat", {"n": 3})
        await gateway.peer.push("chat", {"n": 4})
        await gateway.peer.drop()
        first, gap, last = [item async for item in connection.events()]
        assert (first.payload["n"], gap, last.payload["n"]) == (1, Gap(2), 4)


@pytest.mark.parametrize(
    "text",
    ["no json", "[]", frame_text(type="req", id="1", method="evil", params={}), frame_text(type="odd")],
)
@asynchronous
async def test_a_gateway_that_breaks_the_protocol_is_left_with_a_reason(text):
    gateway = FakeGateway()
    async with connected(gateway) as connection:
        await gateway.peer.say(text)
        assert [item async for item in connection.events()] == []
        assert "broke the protocol" in connection.end_reason
        await until(lambda: gateway.peer.closed_because)
        assert "1002" in gateway.peer.closed_because


@asynchronous
async def test_the_end_gets_through_even_if_nobody_reads(monkeypatch):
    monkeypatch.setattr(module, "QUEUED_EVENTS", 2)
    gateway = FakeGateway()
    async with connected(gateway) as connection:
        for number in range(2):
            await gateway.peer.push("chat", {"n": number})
        await gateway.peer.drop()
        await until(lambda: connection.end_reason)
        assert [event.payload["n"] async for event in connection.events()] == [1]


# Life


@asynchronous
async def test_the_round_trip_is_measured_at_once_and_again_on_request():
    told = []
    clockwork = Clockwork()
    async with connected(
        FakeGateway(), timing=clockwork.timing, changed=lambda: told.append(1)
    ) as connection:
        await until(lambda: told)
        assert connection.round_trip_ms == 0
        await until(lambda: clockwork.waiting)
        connection.probe()
        await until(lambda: len(told) == 2)


@asynchronous
async def test_silence_for_two_ticks_is_the_end():
    clockwork = Clockwork()
    async with connected(FakeGateway(), timing=clockwork.timing) as connection:
        for _ in range(3):
            await until(lambda: clockwork.waiting)
            assert connection.end_reason == ""
            clockwork.advance(module.PING_EVERY_S)
            await until(lambda: len(clockwork.slept) > 1)
            clockwork.slept.pop(0)
        await until(lambda: clockwork.waiting)
        clockwork.advance(module.PING_EVERY_S)
        assert [item async for item in connection.events()] == []
        assert connection.end_reason == "the gateway said nothing for 80 s"


@asynchronous
async def test_a_tick_keeps_the_link_alive():
    clockwork, gateway = Clockwork(), FakeGateway()
    async with connected(gateway, timing=clockwork.timing) as connection:
        for _ in range(6):
            await until(lambda: clockwork.waiting)
            await gateway.peer.push("tick", {"ts": 1})
            async with aclosing(connection.events()) as events:
                await anext(events)
            before = len(clockwork.slept)
            clockwork.advance(module.PING_EVERY_S)
            await until(lambda before=before: len(clockwork.slept) > before)
        assert connection.end_reason == ""


@asynchronous
async def test_a_gateway_that_promises_no_ticks_may_be_silent():
    clockwork = Clockwork()
    gateway = FakeGateway(hello={"policy": {"tickIntervalMs": 0}})
    async with connected(gateway, timing=clockwork.timing) as connection:
        await until(lambda: clockwork.waiting)
        clockwork.advance(10_000)
        await until(lambda: len(clockwork.slept) == 2)
        assert connection.end_reason == ""


@asynchronous
async def test_a_gateway_that_answers_no_ping_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "PONG_TIMEOUT_S", 0.02)
    gateway = FakeGateway()
    async with gateway.running():
        transport = await gateway.open(OPTIONS)

        async def ping():
            await asyncio.Event().wait()

        transport.ping = ping
        connection = await Connection.open(transport, OPTIONS)
        assert [item async for item in connection.events()] == []
        assert "no sign of life" in connection.end_reason
        await connection.close()


@asynchronous
async def test_closing_twice_is_closing_once():
    gateway = FakeGateway()
    async with connected(gateway) as connection:
        await connection.close()
        await connection.close()
        assert connection.end_reason == "the client closed the connection"
        await until(lambda: gateway.peers[0].closed_because)


@asynchronous
async def test_a_fault_of_our_own_while_reading_ends_the_link_and_is_logged(caplog):
    gateway = FakeGateway()
    async with gateway.running():
        transport = await gateway.open(OPTIONS)
        connection = await Connection.open(transport, OPTIONS)

        async def fail():
            raise RuntimeError("a bug")

        await until(lambda: connection.round_trip_ms is not None)
        transport.receive = fail
        await gateway.peer.push("tick", {})
        assert [item.name async for item in connection.events()] == ["tick"]
        with caplog.at_level(logging.ERROR):
            await connection.close()
        assert "a bug" in caplog.text
        caplog.clear()


@asynchronous
async def test_a_refusal_while_starting_carries_its_pace():
    error = WireError("UNAVAILABLE", "starting", {"reason": "startup-sidecars"}, True, 500)
    refused = await refusal_of(FakeGateway(refusals=[error]))
    assert (refused.next_step, refused.retry_after_ms) == (NextStep.RETRY, 500)
