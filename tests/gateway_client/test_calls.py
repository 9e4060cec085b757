from __future__ import annotations

from contextlib import asynccontextmanager

import pytest

from gateway_client.client import GatewayClient
from gateway_client.errors import CallTimeout, InvalidRequest, LinkClosed
from gateway_client.options import ConnectOptions
from gateway_client.protocol.methods import Attachment
from tests.support.asynchronous import asynchronous
from tests.support.fake_gateway import SILENCE, FakeGateway, answering

STARTED = answering({"runId": "k", "status": "started"})


@asynccontextmanager
async def calling(gateway, **options):
    client = GatewayClient(ConnectOptions("ws://x", token="secret", **options), opener=gateway.open)
    async with gateway.running():
        await client.start()
        try:
            await client.wait_ready(5)
            yield client
        finally:
            await client.close()


@asynchronous
async def test_a_message_is_sent_with_its_key_and_names_its_run():
    gateway = FakeGateway(on={"chat.send": STARTED})
    async with calling(gateway) as client:
        result = await client.send_message("main", "hi", idempotency_key="k")
        assert (result.run_id, result.status) == ("k", "started")
        assert gateway.requests("chat.send") == [
            {"sessionKey": "main", "message": "hi", "idempotencyKey": "k"}
        ]


@pytest.mark.parametrize("text", ["", " \n\t"])
@asynchronous
async def test_nothing_is_no_message(text):
    gateway = FakeGateway(on={"chat.send": STARTED})
    async with calling(gateway) as client:
        with pytest.raises(InvalidRequest, match="nothing to send"):
            await client.send_message("main", text, idempotency_key="k")
        assert gateway.requests("chat.send") == []


@asynchronous
async def test_an_attachment_alone_is_a_message():
    gateway = FakeGateway(on={"chat.send": STARTED})
    async with calling(gateway) as client:
        picture = Attachment(type="image", mime_type="image/png", file_name="a.png", content="AAAA")
        await client.send_message("main", "", idempotency_key="k", attachments=[picture])
        assert gateway.requests("chat.send")[0]["attachments"] == [
            {"type": "image", "mimeType": "image/png", "fileName": "a.png", "content": "AAAA"}
        ]


@pytest.mark.parametrize(
    ("mime_type", "content", "is_taken"),
    [
        ("text/plain", "AAAAAAAA", True),  # 6 bytes of 6
        ("text/plain", "AAAAAAAAAA==", False),  # 7 bytes
        ("text/plain", "AAAAAAA=", True),  # 5 bytes
        ("image/png", "AAAA", True),  # 3 bytes of 3
        ("image/png", "AAAAAA==", False),  # 4 bytes
    ],
)
@asynchronous
async def test_an_attachment_is_measured_before_it_is_sent(mime_type, content, is_taken):
    policy = {"maxPayload": 10_000, "attachments": {"maxBytes": 6, "maxImageBytes": 3}}
    gateway = FakeGateway(on={"chat.send": STARTED}, hello={"policy": policy})
    async with calling(gateway) as client:
        file = [Attachment(type="file", mime_type=mime_type, content=content)]
        if is_taken:
            await client.send_message("main", "see", idempotency_key="k", attachments=file)
        else:
            with pytest.raises(InvalidRequest, match="smaller"):
                await client.send_message("main", "see", idempotency_key="k", attachments=file)
        assert len(gateway.requests("chat.send")) == is_taken


@asynchronous
async def test_what_the_wire_does_not_allow_is_the_callers_mistake():
    async with calling(FakeGateway()) as client:
        with pytest.raises(InvalidRequest, match="session_key"):
            await client.send_message("s" * 513, "hi", idempotency_key="k")
        with pytest.raises(InvalidRequest, match="limit"):
            await client.history("main", limit=1001)
        with pytest.raises(InvalidRequest, match="run_id"):
            await client.abort("main", "")


@asynchronous
async def test_history_comes_with_the_run_in_flight():
    payload = {
        "sessionKey": "main",
        "messages": [{"role": "user", "content": "hi"}],
        "inFlightRun": {"runId": "r", "text": "so far"},
    }
    gateway = FakeGateway(on={"chat.history": answering(payload)})
    async with calling(gateway) as client:
        history = await client.history("main", limit=5)
        assert history.messages == [{"role": "user", "content": "hi"}]
        assert history.in_flight_run.text == "so far"
        assert gateway.requests("chat.history") == [{"sessionKey": "main", "limit": 5}]


@asynchronous
async def test_one_run_or_all_of_a_session_are_stopped():
    gateway = FakeGateway(on={"chat.abort": answering({"ok": True, "aborted": True, "runIds": ["r"]})})
    async with calling(gateway) as client:
        assert (await client.abort("main", "r")).run_ids == ["r"]
        await client.abort("main")
        assert gateway.requests("chat.abort") == [
            {"sessionKey": "main", "runId": "r"},
            {"sessionKey": "main"},
        ]


@asynchronous
async def test_sessions_are_listed_as_the_gateway_orders_them():
    rows = [{"key": "b", "updatedAt": 2}, {"key": "a", "derivedTitle": "Cats"}]
    gateway = FakeGateway(on={"sessions.list": answering({"sessions": rows})})
    async with calling(gateway) as client:
        assert [entry.title for entry in await client.sessions(search="c", limit=9)] == ["b", "Cats"]
        await client.sessions(search="")
        assert gateway.requests("sessions.list") == [
            {"limit": 9, "search": "c", "includeDerivedTitles": True},
            {"limit": 200, "includeDerivedTitles": True},
        ]


@asynchronous
async def test_the_time_of_a_call_is_that_of_the_options():
    async def never(peer, params):
        return SILENCE

    async with calling(FakeGateway(on={"sessions.list": never}), call_timeout_s=0.02) as client:
        with pytest.raises(CallTimeout):
            await client.sessions()


@asynchronous
async def test_a_call_without_a_connection_says_why_there_is_none():
    client = GatewayClient(ConnectOptions("ws://x"), opener=FakeGateway().open)
    with pytest.raises(LinkClosed, match="was not started"):
        await client.sessions()
