from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from websockets.asyncio.server import serve

from gateway_client.errors import ConnectRefused, LinkClosed, NextStep, ProtocolError
from gateway_client.transport import (
    MEMORY_PIPE_TEXTS,
    address_problem,
    is_loopback,
    memory_pair,
    open_websocket,
)
from tests.support.asynchronous import asynchronous, until


@asynccontextmanager
async def listening(attend, **settings):
    async with serve(attend, "127.0.0.1", 0, **settings) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


async def echo(connection):
    async for message in connection:
        await connection.send(message)


# In memory


@asynchronous
async def test_what_one_end_sends_the_other_receives_in_order():
    one, other = memory_pair()
    await one.send("a")
    await one.send("b")
    await other.send("c")
    assert [await other.receive(), await other.receive(), await one.receive()] == ["a", "b", "c"]
    assert await one.ping() == 0.0


@asynchronous
async def test_what_was_sent_before_the_end_still_arrives_and_then_the_reason():
    one, other = memory_pair()
    await one.send("last words")
    await one.close(1012, "service restart")
    assert await other.receive() == "last words"
    with pytest.raises(LinkClosed, match="1012 service restart"):
        await other.receive()
    for action in (other.send("x"), other.ping(), one.receive(), one.send("x")):
        with pytest.raises(LinkClosed):
            await action


@asynchronous
async def test_closing_wakes_those_who_wait_to_receive_and_to_send():
    one, other = memory_pair()
    receiving = asyncio.ensure_future(other.receive())
    for _ in range(MEMORY_PIPE_TEXTS):
        await other.send("x")
    sending = asyncio.ensure_future(other.send("one too many"))
    await asyncio.sleep(0)
    assert not sending.done()
    await one.close()
    for waiting in (receiving, sending):
        with pytest.raises(LinkClosed):
            await waiting


@asynchronous
async def test_a_sender_goes_on_when_the_receiver_has_made_room():
    one, other = memory_pair()
    for _ in range(MEMORY_PIPE_TEXTS):
        await one.send("x")
    sending = asyncio.ensure_future(one.send("last"))
    await other.receive()
    await sending


# Websocket


@asynchronous
async def test_texts_go_there_and_back_over_a_websocket():
    async with listening(echo) as url:
        transport = await open_websocket(url, max_size=1000)
        await transport.send("ä")
        assert await transport.receive() == "ä"
        assert 0 <= await transport.ping() < 10
        await transport.close()


@asynchronous
async def test_on_this_machine_nothing_is_compressed():
    seen = []

    async def attend(connection):
        seen.append(connection.protocol.extensions)

    async with listening(attend) as url:
        transport = await open_websocket(url, max_size=1000)
        await until(lambda: seen)
        assert seen == [[]]
        await transport.close()


@asynchronous
async def test_a_binary_message_is_refused_and_ends_the_connection():
    codes = []

    async def attend(connection):
        await connection.send(b"\x00")
        await connection.wait_closed()
        codes.append(connection.close_code)

    async with listening(attend) as url:
        transport = await open_websocket(url, max_size=1000)
        with pytest.raises(ProtocolError, match="binary"):
            await transport.receive()
        await until(lambda: codes)
        assert codes == [1003]


@asynchronous
async def test_the_gateways_goodbye_is_told():
    async def attend(connection):
        await connection.close(1008, "unauthorized")

    async with listening(attend) as url:
        transport = await open_websocket(url, max_size=1000)
        with pytest.raises(LinkClosed, match=r"1008: unauthorized"):
            await transport.receive()
        for action in (transport.send("x"), transport.ping()):
            with pytest.raises(LinkClosed):
                await action
        await transport.close()
        await transport.close()


@asynchronous
async def test_a_connection_that_breaks_without_goodbye_is_told_so():
    async def attend(connection):
        connection.transport.abort()

    async with listening(attend) as url:
        transport = await open_websocket(url, max_size=1000)
        with pytest.raises(LinkClosed, match="broke"):
            await transport.receive()


@asynchronous
async def test_a_message_over_the_bound_ends_the_connection():
    async def attend(connection):
        await connection.send("x" * 1001)
        await connection.wait_closed()

    async with listening(attend) as url:
        transport = await open_websocket(url, max_size=1000)
        with pytest.raises(LinkClosed):
            await transport.receive()


@asynchronous
async def test_a_long_reason_is_cut_to_what_a_goodbye_can_hold():
    reasons = []

    async def attend(connection):
        await connection.wait_closed()
        reasons.append(connection.close_reason)

    async with listening(attend) as url:
        transport = await open_websocket(url, max_size=1000)
        await transport.close(1000, "ä" * 200)
        await until(lambda: reasons)
        assert reasons == ["ä" * 60]


@asynchronous
async def test_a_goodbye_that_nobody_answers_can_be_cut_short():
    async def attend(connection):
        connection.transport.pause_reading()
        await closed.wait()
        connection.transport.resume_reading()

    closed = asyncio.Event()
    async with listening(attend) as url:
        transport = await open_websocket(url, max_size=1000)
        closing = asyncio.ensure_future(transport.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        assert transport._socket.transport.is_closing()
        closed.set()


@asynchronous
async def test_a_gateway_behind_tls_is_reached_if_its_certificate_is_trusted_and_only_then(tmp_path):
    served, trusted = certificate_for_this_machine(tmp_path)
    async with listening(echo, ssl=served) as url:
        address = url.replace("ws://127.0.0.1", "wss://localhost")
        transport = await open_websocket(address, max_size=1000, ssl=trusted)
        await transport.send("x")
        assert await transport.receive() == "x"
        await transport.close()
        with pytest.raises(LinkClosed, match="certificate is not trusted"):
            await open_websocket(address, max_size=1000)


def certificate_for_this_machine(folder):
    """Make a certificate; returns the context that serves it and one that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    began = datetime.now(UTC) - timedelta(days=1)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, began, began + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "both.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(file)
    return served, ssl.create_default_context(cadata=certificate.public_bytes(Encoding.PEM).decode())


@asynchronous
async def test_where_nothing_listens_the_error_says_so():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        with pytest.raises(LinkClosed, match="no gateway is running"):
            await open_websocket(f"ws://127.0.0.1:{port}", max_size=1000)


@asynchronous
async def test_a_server_that_is_silent_is_given_up_in_time():
    held = []

    async def hold(reader, writer):
        held.append(writer)
        await reader.read()

    server = await asyncio.start_server(hold, "127.0.0.1", 0)
    async with server:
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(LinkClosed, match="in time"):
            await open_websocket(url, max_size=1000, open_timeout_s=0.05)
        for writer in held:
            writer.close()
            await writer.wait_closed()


@asynchronous
async def test_a_server_of_another_kind_is_no_gateway():
    async def babble(reader, writer):
        writer.write(b"220 mail.example ESMTP\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    async with server:
        with pytest.raises(LinkClosed, match="not a gateway"):
            await open_websocket(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", max_size=1000)


@pytest.mark.parametrize("status", [302, 403])
@asynchronous
async def test_an_answer_that_is_no_websocket_is_told_by_its_number_and_not_followed(status):
    asked = []

    def refuse(connection, request):
        asked.append(request.path)
        response = connection.respond(status, "no")
        response.headers["Location"] = "/elsewhere"
        return response

    async with listening(echo, process_request=refuse) as url:
        with pytest.raises(LinkClosed, match=str(status)):
            await open_websocket(url, max_size=1000)
    assert asked == ["/"]


# Addresses


@pytest.mark.parametrize(
    ("url", "is_near"),
    [
        ("ws://127.0.0.1:1", True),
        ("ws://127.9.9.9:1", True),
        ("ws://[::1]:1", True),
        ("ws://LOCALHOST:1", True),
        ("ws://localhost.evil.example:1", False),
        ("ws://127.0.0.1.evil.example:1", False),
        ("ws://192.168.0.1:1", False),
        ("ws://0.0.0.0:1", False),
    ],
)
def test_only_names_and_numbers_of_this_machine_are_near(url, is_near):
    assert is_loopback(url) is is_near


@pytest.mark.parametrize(
    ("url", "part"),
    [
        ("http://127.0.0.1:1", "not a gateway's address"),
        ("127.0.0.1:1", "not a gateway's address"),
        ("wss://", "not a gateway's address"),
        ("ws://127.0.0.1:99999", "not an address"),
        ("ws://[::1", "not an address"),
        ("wss://user:password@gateway.example", "carries no user"),
        ("wss://gateway.example/#x", "carries no user"),
        ("ws://gateway.example:1", "unencrypted"),
    ],
)
@asynchronous
async def test_an_address_that_cannot_or_may_not_be_used_is_refused_for_good(url, part):
    assert part in str(address_problem(url, allow_plain=False))
    with pytest.raises(ConnectRefused) as caught:
        await open_websocket(url, max_size=1000)
    assert caught.value.next_step is NextStep.CHANGE_ADDRESS
    assert caught.value.is_final


def test_unencrypted_links_to_other_machines_are_allowed_on_request_alone():
    assert address_problem("ws://gateway.example:1", allow_plain=True) is None
    assert address_problem("wss://gateway.example/path", allow_plain=False) is None
