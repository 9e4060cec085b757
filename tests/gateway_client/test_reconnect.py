from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager

import pytest

from gateway_client.errors import ConnectRefused, LinkClosed, NextStep
from gateway_client.options import ConnectOptions
from gateway_client.protocol.frames import Event, WireError
from gateway_client.reconnect import STABLE_AFTER_S, Reconnector, open_by_websocket, with_endpoint
from gateway_client.status import LinkState, Reconnected
from tests.support.asynchronous import asynchronous, until
from tests.support.clockwork import Clockwork
from tests.support.fake_gateway import FakeGateway, answering

OPTIONS = ConnectOptions("ws://127.0.0.1:1", token="secret")
STARTING = WireError("UNAVAILABLE", "starting", {"reason": "startup-sidecars"}, True, 700)


class Scene:
    """A reconnector with a gateway, a clock, and what was told."""

    def __init__(self, gateway, opener=None, options=OPTIONS):
        self.gateway, self.clock = gateway, Clockwork()
        self.arrived, self.told = [], []
        self.link = Reconnector(options, opener or gateway.open, self.clock.timing, self.arrived.append)
        self.link.watchers.add(self.told.append)

    @property
    def state(self):
        return self.link.status.state

    async def reaches(self, state):
        await until(lambda: self.state is state)
        return self.link.status

    async def passes_wait(self):
        """Let the wait that is going on come to its end."""
        await until(lambda: self.clock.waiting)
        self.clock.advance(self.clock.slept[-1])


@asynccontextmanager
async def scene(gateway=None, **more):
    made = Scene(gateway or FakeGateway(), **more)
    async with made.gateway.running():
        made.link.start()
        try:
            yield made
        finally:
            await made.link.close()


@asynchronous
async def test_a_link_that_is_ready_says_so_and_was_connecting_before():
    async with scene() as s:
        status = await s.reaches(LinkState.READY)
        assert status.hello.server.version == "fake"
        assert s.told[0].state is LinkState.CONNECTING
        assert s.link.connection().hello == status.hello
        await until(lambda: s.link.status.round_trip_ms == 0)


@asynchronous
async def test_nothing_but_the_handshake_is_sent_on_connect_and_on_every_reconnect():
    async with scene() as s:
        for number in range(1, 4):
            await until(lambda number=number: len(s.gateway.peers) == number)
            await s.reaches(LinkState.READY)
            await s.gateway.peer.drop()
            await s.reaches(LinkState.WAITING)
            s.link.retry_now()
        await s.reaches(LinkState.READY)
        assert [[r.method for r in peer.requests] for peer in s.gateway.peers] == [["connect"]] * 4


@asynchronous
async def test_a_link_that_breaks_waits_and_comes_back_by_itself_and_tells_so():
    async with scene() as s:
        await s.reaches(LinkState.READY)
        await s.gateway.peer.push("chat", {"n": 1})
        await s.gateway.peer.drop()
        status = await s.reaches(LinkState.WAITING)
        assert "service restart" in status.reason
        assert status.retry_in_s == 0.5
        with pytest.raises(LinkClosed, match="service restart"):
            s.link.connection()
        await s.passes_wait()
        await s.reaches(LinkState.READY)
        await s.gateway.peer.push("chat", {"n": 2})
        await until(lambda: len(s.arrived) == 3)
        assert s.arrived == [
            Event("chat", {"n": 1}, 1),
            Reconnected(s.link.status.hello),
            Event("chat", {"n": 2}, 1),
        ]


@asynchronous
async def test_a_first_connection_is_no_reconnection():
    gateway = FakeGateway(down=True)
    async with scene(gateway) as s:
        await s.reaches(LinkState.WAITING)
        gateway.down = False
        await s.passes_wait()
        await s.reaches(LinkState.READY)
        assert s.arrived == []


@asynchronous
async def test_waits_grow_while_there_is_no_gateway_and_the_tries_are_counted():
    async with scene(FakeGateway(down=True)) as s:
        for attempt, delay in enumerate([0.5, 1, 2, 4, 8, 16, 30, 30], 1):
            await until(lambda attempt=attempt: s.link.status.attempt == attempt and s.clock.waiting)
            assert s.link.status.retry_in_s == delay
            await s.passes_wait()


@asynchronous
async def test_a_gateway_that_takes_a_client_and_drops_it_at_once_is_not_stormed():
    async with scene() as s:
        for delay in (0.5, 1, 2):
            await s.reaches(LinkState.READY)
            await s.gateway.peer.drop()
            assert (await s.reaches(LinkState.WAITING)).retry_in_s == delay
            await until(lambda: s.clock.waiting)
            s.clock.now += delay - 0.001
            s.clock.advance(0.001)


@asynchronous
async def test_a_link_that_held_for_a_while_begins_with_short_waits_again():
    async with scene() as s:
        for _ in range(3):
            await s.reaches(LinkState.READY)
            s.clock.now += STABLE_AFTER_S
            await s.gateway.peer.drop()
            assert (await s.reaches(LinkState.WAITING)).retry_in_s == 0.5
            await s.passes_wait()


@asynchronous
async def test_a_final_refusal_ends_the_tries():
    async with scene(FakeGateway(token="other")) as s:
        status = await s.reaches(LinkState.REFUSED)
        assert isinstance(status.error, ConnectRefused)
        assert status.error.next_step is NextStep.CHANGE_CREDENTIALS
        assert status.retry_in_s is None
        await until(lambda: not s.link._lives)
        assert len(s.gateway.peers) == 1
        assert s.clock.waiting == 0


@asynchronous
async def test_after_a_refusal_a_person_may_try_again_or_change_the_token():
    gateway = FakeGateway(token="other")
    async with scene(gateway) as s:
        await s.reaches(LinkState.REFUSED)
        s.link.retry_now()
        assert s.state is LinkState.CONNECTING
        await s.reaches(LinkState.REFUSED)
        s.link.change(with_endpoint(s.link.options, "ws://127.0.0.1:2", "other"))
        await s.reaches(LinkState.READY)
        assert [options.url for options in gateway.opened] == ["ws://127.0.0.1:1"] * 2 + ["ws://127.0.0.1:2"]


@asynchronous
async def test_a_gateway_that_starts_is_tried_again_quietly_at_its_own_pace():
    async with scene(FakeGateway(refusals=[STARTING, STARTING])) as s:
        for _ in range(2):
            await s.passes_wait()
        await s.reaches(LinkState.READY)
        assert LinkState.WAITING not in {status.state for status in s.told}
        assert [seconds for seconds in s.clock.slept if seconds < 5] == [0.7, 0.7]


@pytest.mark.parametrize(("said_ms", "waited_s"), [(0, 0.1), (10**9, 30.0), (-5, 0.1)])
@asynchronous
async def test_the_pace_of_a_gateway_is_kept_within_reason(said_ms, waited_s):
    error = WireError("UNAVAILABLE", "busy", None, True, said_ms)
    async with scene(FakeGateway(refusals=[error])) as s:
        await until(lambda: s.clock.waiting)
        assert s.clock.slept == [waited_s]


@asynchronous
async def test_a_device_that_waits_for_approval_keeps_trying_if_the_gateway_says_so():
    details = {"code": "PAIRING_REQUIRED", "recommendedNextStep": "wait_then_retry"}
    async with scene(FakeGateway(refusals=[WireError("INVALID_REQUEST", "pairing", details)])) as s:
        await s.reaches(LinkState.WAITING)
        await s.passes_wait()
        await s.reaches(LinkState.READY)


@asynchronous
async def test_retry_now_ends_the_wait():
    gateway = FakeGateway(down=True)
    async with scene(gateway) as s:
        await s.reaches(LinkState.WAITING)
        gateway.down = False
        s.link.retry_now()
        await s.reaches(LinkState.READY)


@asynchronous
async def test_retry_now_on_a_ready_link_looks_whether_it_lives():
    async with scene() as s:
        await s.reaches(LinkState.READY)
        await until(lambda: s.clock.waiting)
        waits = len(s.clock.slept)
        s.link.retry_now()
        await until(lambda: len(s.clock.slept) > waits)
        assert s.state is LinkState.READY
        assert len(s.gateway.peers) == 1


@asynchronous
async def test_another_endpoint_ends_the_old_connection_before_the_new_one_opens():
    async with scene() as s:
        await s.reaches(LinkState.READY)
        s.link.change(with_endpoint(s.link.options, "ws://127.0.0.1:2", "secret"))
        with pytest.raises(LinkClosed):
            s.link.connection()
        await until(lambda: len(s.gateway.opened) == 2)
        assert s.gateway.peers[0].closed_because
        await s.reaches(LinkState.READY)
        await until(lambda: s.arrived)
        assert isinstance(s.arrived[-1], Reconnected)


@asynchronous
async def test_another_endpoint_ends_a_try_that_hangs():
    hung = asyncio.Event()

    async def opener(options):
        if options.url.endswith(":1"):
            hung.set()
            await asyncio.Event().wait()
        return await gateway.open(options)

    gateway = FakeGateway()
    async with scene(gateway, opener=opener) as s:
        await hung.wait()
        s.link.change(with_endpoint(s.link.options, "ws://127.0.0.1:2", "secret"))
        await s.reaches(LinkState.READY)


@asynchronous
async def test_many_changes_at_once_end_in_one_connection():
    async with scene() as s:
        for port in range(2, 8):
            s.link.change(with_endpoint(s.link.options, f"ws://127.0.0.1:{port}", "secret"))
        await s.reaches(LinkState.READY)
        assert [options.url for options in s.gateway.opened] == ["ws://127.0.0.1:7"]
        await until(lambda: len(s.link._lives) == 1)


@asynchronous
async def test_closing_ends_everything_in_every_state():
    for gateway, state in (
        (FakeGateway(), LinkState.READY),
        (FakeGateway(down=True), LinkState.WAITING),
        (FakeGateway(token="other"), LinkState.REFUSED),
        (FakeGateway(challenge=None), LinkState.CONNECTING),
    ):
        async with scene(gateway) as s:
            await s.reaches(state)
        assert s.state is LinkState.CLOSED
        assert s.link._lives == set()
        s.link.retry_now()
        s.link.change(OPTIONS)
        assert s.link._lives == set()
        with pytest.raises(LinkClosed):
            s.link.start()


@asynchronous
async def test_a_fault_of_our_own_is_logged_and_shown_and_not_silent(caplog):
    async def opener(options):
        raise RuntimeError("a bug")

    with caplog.at_level(logging.ERROR):
        async with scene(opener=opener) as s:
            status = await s.reaches(LinkState.REFUSED)
            assert "a bug" in status.reason
    assert "the link's task failed" in caplog.text
    caplog.clear()


@asynchronous
async def test_the_usual_opener_opens_a_websocket():
    gateway = FakeGateway(on={"chat.abort": answering({})})
    async with gateway.listening() as url:
        async with scene(gateway, opener=open_by_websocket, options=ConnectOptions(url, token="secret")) as s:
            await s.reaches(LinkState.READY)
        await until(lambda: gateway.peers[0].closed_because)
        assert "1000" in gateway.peers[0].closed_because
