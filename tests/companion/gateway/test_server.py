from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from companion.gateway.providers.scripted import Scripted, say
from companion.gateway.server import AddressTaken, listen
from gateway_client.client import GatewayClient
from gateway_client.identity import DeviceIdentity
from gateway_client.options import ConnectOptions
from tests.support.asynchronous import asynchronous, until
from tests.support.gateway_in_memory import TOKEN, connect_params, text_of
from tests.support.gateway_on_loopback import raw_client, serving


async def status_of(url, **headers):
    with pytest.raises(InvalidStatus) as caught:
        async with connect(url, additional_headers=headers, proxy=None):
            pass
    return caught.value.response.status_code


@asynchronous
async def test_a_conversation_over_a_real_socket():
    async with serving(Scripted([say("Hello.")])) as server, raw_client(server.ws_url) as client:
        hello = await client.connect()
        assert hello["pluginSurfaceUrls"]["canvas"].startswith(server.http_url + "/")
        assert text_of(await client.ask("hi")) == "Hello."


@asynchronous
async def test_a_page_is_refused_before_the_upgrade_unless_its_origin_is_allowed():
    async with serving(allowed_origins=("http://good.example",)) as server:
        for origin in ("http://evil.example", "null", server.http_url):
            assert await status_of(server.ws_url, Origin=origin) == 403
        async with raw_client(server.ws_url, additional_headers={"Origin": "http://good.example"}) as client:
            assert (await client.connect())["type"] == "hello-ok"


@asynchronous
async def test_a_host_name_that_is_not_this_machine_s_is_refused_before_the_upgrade():
    async with serving() as server:
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1:1", "127.0.0.1"):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(
                f"GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            assert (await reader.readline()).startswith(b"HTTP/1.1 403")
            writer.close()
            await writer.wait_closed()


@asynchronous
async def test_localhost_is_this_machine():
    async with (
        serving() as server,
        raw_client(server.ws_url.replace("127.0.0.1", "localhost"), host="127.0.0.1") as client,
    ):
        hello = await client.connect()
        assert hello["pluginSurfaceUrls"]["canvas"].startswith(f"http://localhost:{server.port}/")


@asynchronous
async def test_any_other_path_is_no_gateway():
    async with serving() as server:
        assert await status_of(server.ws_url + "other") == 403


@asynchronous
async def test_who_shows_the_token_at_ws_speaks_plain_envelopes():
    async with serving(Scripted([say("Hello."), say("Again.")])) as server:
        url = server.ws_url + "ws"
        assert await status_of(url, Authorization="Bearer wrong") == 401
        assert await status_of(url + "?token=wrong") == 401
        assert await status_of(url, Authorization=f"Bearer {TOKEN}", Origin="http://evil.example") == 403
        async with connect(url, additional_headers={"Authorization": f"Bearer {TOKEN}"}, proxy=None) as plain:
            await plain.send("hi")
            assert await plain.recv() == "Hello."
        async with connect(f"{url}?token={TOKEN}", proxy=None) as plain:
            await plain.send(json.dumps({"type": "user_message", "text": "hi", "messageId": "m"}))
            answers = [json.loads(await plain.recv()) for _ in range(2)]
            assert [one["type"] for one in answers] == ["text_delta", "assistant_message"]


@asynchronous
async def test_who_shows_no_token_at_ws_shakes_hands_as_elsewhere():
    async with serving() as server, raw_client(server.ws_url + "ws") as client:
        assert (await client.connect())["type"] == "hello-ok"


async def closing_of(socket_):
    with suppress(ConnectionClosed):
        async for _ in socket_:
            pass
    return socket_.close_code, socket_.close_reason


@asynchronous
async def test_binary_and_too_long_messages_close_with_a_code_and_a_reason():
    async with serving(max_payload_bytes=65_536) as server:
        async with connect(server.ws_url, proxy=None) as one:
            await one.send(b"binary")
            assert await closing_of(one) == (1003, "binary frames are not part of this protocol")
        async with connect(server.ws_url, proxy=None) as two:
            await two.send("x" * 65_537)
            code, _ = await closing_of(two)
            assert code == 1009
        async with connect(server.ws_url, proxy=None) as three:
            await three.send("no json")
            assert await closing_of(three) == (1002, "the message is not JSON")


@asynchronous
async def test_a_wrong_token_closes_as_a_real_gateway_does():
    async with serving() as server, connect(server.ws_url, proxy=None) as one:
        frame = {"type": "req", "id": "1", "method": "connect", "params": connect_params(auth={"token": "x"})}
        await one.send(json.dumps(frame))
        assert await closing_of(one) == (
            1008,
            "unauthorized: gateway token mismatch (provide gateway auth token)",
        )


@asynchronous
async def test_a_reader_that_stops_is_cut_at_its_socket_and_the_others_go_on(caplog):
    answers = [say("x" * 100_000) for _ in range(200)]
    async with serving(Scripted(answers), max_buffered_bytes=1_000_000) as server:
        stuck = socket.socket()
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.connect(("127.0.0.1", server.port))
        try:
            await shake_hands_without_reading(stuck, server)
            async with raw_client(server.ws_url) as reading:
                await reading.connect()
                asked = 0
                while len(server.gateway.hub) == 2:
                    await reading.ask("flood", f"k{asked}", f"session {asked}")
                    asked += 1
                await reading.ask("flood", "last", "last")
        finally:
            stuck.close()
    assert caplog.text.count("does not read and is cut") == 1


async def shake_hands_without_reading(one, server):
    loop = asyncio.get_running_loop()
    one.setblocking(False)
    head = (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await loop.sock_sendall(one, head.encode())
    assert (await loop.sock_recv(one, 4096)).startswith(b"HTTP/1.1 101")
    frame = json.dumps({"type": "req", "id": "1", "method": "connect", "params": connect_params()}).encode()
    await loop.sock_sendall(one, bytes([0x81, 0x80 | 126]) + len(frame).to_bytes(2, "big") + bytes(4) + frame)
    await until(lambda: len(server.gateway.hub) == 1)


@asynchronous
async def test_the_end_is_told_to_every_client_with_its_reason():
    async with serving() as server, raw_client(server.ws_url) as client:
        await client.connect()
        await server.stop("maintenance")
        shutdown = await client.frame(lambda frame: frame.get("event") == "shutdown")
        assert shutdown["payload"] == {"reason": "maintenance"}
        assert await client.closed()


@asynchronous
async def test_our_own_client_connects_with_a_device_and_talks():
    async with serving(Scripted([say("Hello.")])) as server:
        options = ConnectOptions(
            server.ws_url, token=TOKEN, caps=frozenset(), identity=DeviceIdentity.generate()
        )
        client = GatewayClient(options)
        await client.start()
        try:
            hello = await client.wait_ready(10)
            assert hello.offers("chat.send")
        finally:
            await client.close()


def test_a_port_that_is_taken_is_said_with_what_helps():
    with listen("127.0.0.1", 0) as listener:
        listener.listen()
        with pytest.raises(AddressTaken, match="Choose another port"):
            listen("127.0.0.1", listener.getsockname()[1])
