from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from gateway_client import connect
from gateway_client.client import GatewayClient
from gateway_client.errors import ConnectRefused, DocumentRefused, LinkClosed
from gateway_client.options import ConnectOptions
from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.events import ChatEvent, OtherEvent, TickEvent
from gateway_client.protocol.frames import Event, WireError
from gateway_client.protocol.handles import mint
from gateway_client.status import Gap, LinkState, Reconnected
from tests.support.asynchronous import asynchronous, until
from tests.support.clockwork import Clockwork
from tests.support.fake_gateway import SILENCE, FakeGateway, answering

OPTIONS = ConnectOptions("ws://x", token="secret")
DELTA = {"runId": "r", "sessionKey": "main", "seq": 1, "state": "delta", "deltaText": "Hi"}


@asynccontextmanager
async def client_of(gateway, timing=None, options=OPTIONS):
    client = GatewayClient(options, opener=gateway.open, timing=timing)
    async with gateway.running():
        await client.start()
        try:
            yield client
        finally:
            await client.close()


# The link


@asynchronous
async def test_starting_returns_at_once_and_readiness_is_awaited():
    async with client_of(FakeGateway()) as client:
        assert client.status.state is LinkState.CONNECTING
        hello = await client.wait_ready(5)
        assert client.status.state is LinkState.READY
        assert client.status.hello == hello
        assert await client.wait_ready(5) == hello


@asynchronous
async def test_waiting_for_readiness_outlasts_failed_tries():
    clockwork, gateway = Clockwork(), FakeGateway(down=True)
    async with client_of(gateway, clockwork.timing) as client:
        waiting = asyncio.ensure_future(client.wait_ready(5))
        await until(lambda: client.status.state is LinkState.WAITING)
        gateway.down = False
        client.retry_now()
        assert (await waiting).server.version == "fake"


@asynchronous
async def test_waiting_ends_with_the_refusal_if_it_is_final():
    async with client_of(FakeGateway(token="other")) as client:
        with pytest.raises(ConnectRefused) as caught:
            await client.wait_ready(5)
        assert caught.value.code == "AUTH_TOKEN_MISMATCH"


@asynchronous
async def test_waiting_ends_in_time_with_the_last_reason():
    async with client_of(FakeGateway(down=True), Clockwork().timing) as client:
        await until(lambda: client.status.state is LinkState.WAITING)
        with pytest.raises(LinkClosed, match=r"within 0\.01 s: no gateway is running"):
            await client.wait_ready(0.01)


@asynchronous
async def test_waiting_ends_when_the_client_is_closed_or_was_never_started():
    gateway = FakeGateway(challenge=None)
    async with client_of(gateway) as client:
        waiting = asyncio.ensure_future(client.wait_ready(5))
        await until(lambda: gateway.peers)
    with pytest.raises(LinkClosed, match="is closed"):
        await waiting
    with pytest.raises(LinkClosed, match="not started"):
        await GatewayClient(OPTIONS).wait_ready(1)


@asynchronous
async def test_the_status_is_told_with_each_change_until_the_watcher_leaves():
    gateway, states = FakeGateway(), []
    clockwork = Clockwork()
    async with client_of(gateway, clockwork.timing) as client:
        unwatch = client.watch_status(lambda status: states.append((status.state, status.round_trip_ms)))
        await until(lambda: client.status.round_trip_ms is not None)
        assert states == [(LinkState.READY, None), (LinkState.READY, 0)]
        unwatch()
        await gateway.peer.drop()
        await until(lambda: client.status.state is LinkState.WAITING)
        assert len(states) == 2


@asynchronous
async def test_a_gateway_that_was_started_again_elsewhere_is_followed():
    first, second = FakeGateway(token="one"), FakeGateway(token="two")

    async def opener(options):
        return await (first if options.token == "one" else second).open(options)

    client = GatewayClient(ConnectOptions("ws://127.0.0.1:1", token="one"), opener=opener)
    async with first.running(), second.running():
        await client.start()
        await client.wait_ready(5)
        client.change_endpoint("ws://127.0.0.1:2", "two")
        assert client.status.state is LinkState.CONNECTING
        await client.wait_ready(5)
        assert second.opened[0].url == "ws://127.0.0.1:2"
        assert second.peer.params is not None
        await client.close()


@asynchronous
async def test_calls_in_flight_when_the_client_closes_fail_and_none_is_left():
    async def never(peer, params):
        return SILENCE

    gateway = FakeGateway(on={"sessions.list": never})
    async with client_of(gateway) as client:
        await client.wait_ready(5)
        call = asyncio.ensure_future(client.sessions())
        await until(lambda: gateway.requests("sessions.list"))
    with pytest.raises(LinkClosed):
        await call


@asynchronous
async def test_a_link_that_broke_a_moment_ago_is_not_ready():
    """Whoever sends again as soon as the client is ready must not turn in circles."""

    async def drop(peer, params):
        await peer.drop()
        return SILENCE

    gateway = FakeGateway(on={"sessions.list": drop})
    async with client_of(gateway, Clockwork().timing) as client:
        await client.wait_ready(5)
        with pytest.raises(LinkClosed):
            await client.sessions()
        with pytest.raises(LinkClosed, match="service restart"):
            await client.wait_ready(0.05)


# Events


@asynchronous
async def test_subscribers_are_told_typed_events_and_raw_ones_in_order():
    gateway, typed, raw = FakeGateway(), [], []
    async with client_of(gateway) as client:
        client.subscribe(typed.append)
        client.subscribe_raw(raw.append)
        await client.wait_ready(5)
        await gateway.peer.push("chat", DELTA)
        await gateway.peer.push("tick", {"ts": 1})
        await gateway.peer.push("news", [1])
        await until(lambda: len(typed) == 3)
        assert [type(event) for event in typed] == [ChatEvent, TickEvent, OtherEvent]
        assert raw == [Event("chat", DELTA, 1), Event("tick", {"ts": 1}, 2), Event("news", [1], 3)]


@asynchronous
async def test_missed_events_are_told_between_those_that_came():
    gateway, told = FakeGateway(), []
    async with client_of(gateway) as client:
        client.subscribe(told.append)
        await client.wait_ready(5)
        await gateway.peer.push("tick", {"ts": 1})
        gateway.peer.swallow("chat", DELTA)
        await gateway.peer.push("tick", {"ts": 3})
        await until(lambda: len(told) == 3)
        assert told == [TickEvent(ts=1), Gap(1), TickEvent(ts=3)]


@asynchronous
async def test_a_stream_goes_on_over_a_reconnect_and_ends_with_the_client():
    clockwork, gateway = Clockwork(), FakeGateway()
    async with client_of(gateway, clockwork.timing) as client:
        stream = client.events()
        await client.wait_ready(5)
        await gateway.peer.push("tick", {"ts": 1})
        await gateway.peer.drop()
        await until(lambda: client.status.state is LinkState.WAITING)
        client.retry_now()
        hello = await client.wait_ready(5)
        await gateway.peer.push("tick", {"ts": 2})
        assert await anext(stream) == TickEvent(ts=1)
        assert await anext(stream) == Reconnected(hello)
        assert await anext(stream) == TickEvent(ts=2)
    assert [item async for item in stream] == []


@asynchronous
async def test_a_stream_that_is_closed_is_forgotten():
    async with client_of(FakeGateway()) as client:
        async with client.events():
            pass
        with_one_more = client.events()
        assert client._streams == [with_one_more]


# Documents


@asynchronous
async def test_a_widgets_page_is_read_once_and_again_after_a_change_of_gateway():
    gateway = FakeGateway(on={"canvas.document.view": answering({"html": "<p>"})})
    block = WidgetBlock("cv_1", mint("cv_1"))
    async with client_of(gateway) as client:
        await client.wait_ready(5)
        assert (await client.read_document(block)).html == b"<p>"
        await client.read_document(block)
        assert len(gateway.requests("canvas.document.view")) == 1
        client.change_endpoint("ws://y", "secret")
        await client.wait_ready(5)
        await client.read_document(block)
        assert len(gateway.requests("canvas.document.view")) == 2


@asynchronous
async def test_a_bad_handle_is_refused_and_a_missing_link_is_told():
    async with client_of(FakeGateway()) as client:
        await client.wait_ready(5)
        with pytest.raises(DocumentRefused, match="scheme"):
            await client.read_document(WidgetBlock("cv_1", f"https://evil.example{mint('cv_1')}"))
    with pytest.raises(LinkClosed):
        await client.read_document(WidgetBlock("cv_1", mint("cv_1")))


# The front door


@asynchronous
async def test_the_front_door_yields_a_ready_client_with_its_promises_and_closes_it():
    gateway = FakeGateway()
    async with gateway.listening() as url:
        async with connect(url, token="secret", caps=["inline-widgets", " ", "inline-widgets"]) as client:
            assert client.status.state is LinkState.READY
            assert gateway.peer.params.caps == ("inline-widgets",)
            assert gateway.peer.params.device is not None
        assert client.status.state is LinkState.CLOSED
        await until(lambda: gateway.peers[0].closed_because)


@asynchronous
async def test_the_front_door_stays_shut_with_the_gateways_reason():
    gateway = FakeGateway(refusals=[WireError("INVALID_REQUEST", "no", {"code": "PAIRING_REQUIRED"})])
    async with gateway.listening() as url:
        with pytest.raises(ConnectRefused, match="no"):
            async with connect(url, token="secret"):
                pass
