from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_client import documents
from gateway_client.connection import Connection
from gateway_client.documents import NO_LONGER_KEPT, DocumentReader, document_address
from gateway_client.errors import DocumentRefused, LinkClosed
from gateway_client.options import ConnectOptions
from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.handles import mint
from gateway_client.transport import open_websocket, system_tls
from tests.support.asynchronous import asynchronous
from tests.support.fake_gateway import SILENCE, FakeGateway, answering, failing

ID = "cv_" + "0a" * 16
BLOCK = WidgetBlock(ID, mint(ID), "Cat")
PAGE = b"<!doctype html><p>\xc3\xa4</p>"
POLICY = "default-src 'none'; sandbox allow-scripts"
HTML = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY}
VIEW = "canvas.document.view"
REFRESH = "plugin.surface.refresh"


def path(capability, document_id=ID):
    return f"/__openclaw__/cap/{capability}{mint(document_id)}"


def surface(capability, host="http://10.9.9.9:7"):
    return {"canvas": f"{host}/__openclaw__/cap/{capability}"}


def served_by_http(capability="one", answer=(200, HTML, PAGE), **more):
    return FakeGateway(
        hello={"pluginSurfaceUrls": surface(capability)}, pages={path(capability): answer}, **more
    )


@asynccontextmanager
async def reading(gateway, **settings):
    """Yield a function that reads a block from *gateway*, listening on loopback."""
    reader = DocumentReader(tls=system_tls, **settings)
    async with gateway.listening() as url:
        options = ConnectOptions(url, token=gateway.token)
        connection = await Connection.open(await open_websocket(url, max_size=10_000_000), options)
        try:
            yield lambda block=BLOCK: reader.read(block, connection, url)
        finally:
            await connection.close()


async def refusal_of(gateway, block=BLOCK, **settings):
    async with reading(gateway, **settings) as read:
        with pytest.raises(DocumentRefused) as caught:
            await read(block)
        return str(caught.value)


# Over the socket


@asynchronous
async def test_a_page_is_read_over_the_socket_where_that_is_offered():
    gateway = served_by_http(on={VIEW: answering({"html": PAGE.decode(), "sandboxPort": 1})})
    async with reading(gateway) as read:
        document = await read()
        assert (document.id, document.html, document.policy) == (ID, PAGE, None)
        assert gateway.requests(VIEW) == [{"docId": ID}]
        assert gateway.http_requests == []


@asynchronous
async def test_a_page_that_was_read_is_not_asked_for_again():
    gateway = FakeGateway(on={VIEW: answering({"html": "x"})})
    async with reading(gateway) as read:
        assert await read() is await read()
        assert len(gateway.requests(VIEW)) == 1


@asynchronous
async def test_the_pages_kept_are_bounded_and_the_longest_unused_goes_first(monkeypatch):
    monkeypatch.setattr(documents, "CACHED_BYTES", 25)
    gateway = FakeGateway(on={VIEW: answering({"html": "x" * 10})})
    blocks = [WidgetBlock(name, mint(name)) for name in ("a", "b", "c")]
    async with reading(gateway) as read:
        for block in (blocks[0], blocks[1], blocks[0], blocks[2], blocks[0], blocks[1]):
            await read(block)
        assert [params["docId"] for params in gateway.requests(VIEW)] == ["a", "b", "c", "b"]


@asynchronous
async def test_a_page_that_the_gateway_forgot_is_said_to_be_gone():
    said = await refusal_of(FakeGateway(on={VIEW: failing("NOT_FOUND", "no such document")}))
    assert said == NO_LONGER_KEPT


@asynchronous
async def test_a_socket_that_says_no_without_another_way_gives_its_words():
    said = await refusal_of(FakeGateway(on={VIEW: failing("FORBIDDEN", "missing scope")}))
    assert "missing scope" in said


@asynchronous
async def test_where_the_socket_says_no_the_address_is_tried():
    gateway = served_by_http(on={VIEW: failing("FORBIDDEN", "missing scope")})
    async with reading(gateway) as read:
        assert (await read()).policy == POLICY


@asynchronous
async def test_a_socket_that_says_unavailable_and_an_address_that_says_404_mean_gone():
    gateway = FakeGateway(
        on={VIEW: failing("UNAVAILABLE", "Canvas widget unavailable")},
        hello={"pluginSurfaceUrls": surface("one")},
    )
    assert await refusal_of(gateway) == NO_LONGER_KEPT


@asynchronous
async def test_a_connection_that_drops_meanwhile_is_a_closed_link():
    async def drop(peer, params):
        await peer.drop()
        return SILENCE

    async with reading(FakeGateway(on={VIEW: drop})) as read:
        with pytest.raises(LinkClosed):
            await read()


@asynchronous
async def test_a_gateway_that_does_not_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(documents, "READ_TIMEOUT_S", 0.05)

    async def never(peer, params):
        return SILENCE

    async with reading(FakeGateway(on={VIEW: never})) as read:
        with pytest.raises(DocumentRefused, match="did not hand over"):
            await read()


# By address


@asynchronous
async def test_a_page_is_fetched_from_the_host_we_are_connected_to_with_its_policy():
    gateway = served_by_http()
    async with reading(gateway) as read:
        document = await read()
        assert (document.html, document.policy) == (PAGE, POLICY)
        ((asked, headers),) = gateway.http_requests
        assert asked == path("one")
        assert headers["accept-encoding"] == "identity"
        assert "authorization" not in headers


@asynchronous
async def test_an_expired_address_is_refreshed_once_and_the_new_one_is_kept():
    other = WidgetBlock("cv_other", mint("cv_other"))
    gateway = FakeGateway(
        hello={"pluginSurfaceUrls": surface("old")},
        on={REFRESH: answering({"surface": "canvas", "pluginSurfaceUrls": surface("new")})},
        pages={
            path("old"): (401, {}, b""),
            path("new"): (200, HTML, PAGE),
            path("new", "cv_other"): (200, HTML, b"other"),
        },
    )
    async with reading(gateway) as read:
        assert (await read()).html == PAGE
        assert (await read(other)).html == b"other"
        assert gateway.requests(REFRESH) == [{"surface": "canvas"}]
        assert [asked for asked, _ in gateway.http_requests] == [
            path("old"),
            path("new"),
            path("new", "cv_other"),
        ]


@asynchronous
async def test_an_address_that_stays_expired_is_given_up_after_one_refresh():
    gateway = served_by_http(
        answer=(401, {}, b""),
        on={REFRESH: answering({"surface": "canvas", "pluginSurfaceUrls": surface("one")})},
    )
    assert "expired" in await refusal_of(gateway)
    assert len(gateway.http_requests) == 2
    assert len(gateway.requests(REFRESH)) == 1


@asynchronous
async def test_a_gateway_without_an_address_is_asked_for_one():
    gateway = FakeGateway(
        on={REFRESH: answering({"surface": "canvas", "pluginSurfaceUrls": surface("new")})},
        pages={path("new"): (200, HTML, PAGE)},
    )
    async with reading(gateway) as read:
        assert (await read()).html == PAGE


@pytest.mark.parametrize(
    ("on", "part"),
    [
        ({}, "reconnect"),
        ({REFRESH: failing("UNAVAILABLE", "surface unavailable")}, "surface unavailable"),
        ({REFRESH: answering({"surface": "canvas", "pluginSurfaceUrls": {}})}, "reconnect"),
    ],
)
@asynchronous
async def test_a_gateway_that_gives_no_address_is_told_so(on, part):
    assert part in await refusal_of(FakeGateway(on=on))


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        ((404, {}, b""), NO_LONGER_KEPT),
        ((410, {}, b""), NO_LONGER_KEPT),
        ((500, HTML, PAGE), "500"),
        ((302, {"Location": "http://127.0.0.1:1/"}, b""), "302"),
        ((200, {"Content-Type": "image/png"}, PAGE), "image/png"),
        ((200, {}, PAGE), "untyped"),
        ((200, {**HTML, "Content-Encoding": "gzip"}, PAGE), "compressed"),
    ],
)
@asynchronous
async def test_an_answer_that_is_no_page_is_refused_with_its_reason(answer, part):
    gateway = served_by_http(answer=answer)
    assert part in await refusal_of(gateway)
    assert len(gateway.http_requests) == 1, "nothing is followed"


@pytest.mark.parametrize("by_socket", [True, False])
@pytest.mark.parametrize("excess", [0, 1])
@asynchronous
async def test_a_page_may_be_as_long_as_the_bound_and_no_longer(by_socket, excess):
    page = b"x" * (2048 + excess)
    gateway = (
        FakeGateway(on={VIEW: answering({"html": page.decode()})})
        if by_socket
        else served_by_http(answer=(200, HTML, page))
    )
    if excess:
        assert "longer than 2 KiB" in await refusal_of(gateway, max_bytes=2048)
    else:
        async with reading(gateway, max_bytes=2048) as read:
            assert len((await read()).html) == 2048


@asynchronous
async def test_a_host_that_does_not_answer_is_told_so():
    gateway = served_by_http()
    reader = DocumentReader(tls=system_tls)
    async with gateway.listening() as url:
        connection = await Connection.open(
            await open_websocket(url, max_size=10_000), ConnectOptions(url, token="secret")
        )
        with pytest.raises(DocumentRefused, match="could not be fetched"):
            await reader.read(BLOCK, connection, "ws://127.0.0.1:1")
        await connection.close()


# Handles and addresses


@pytest.mark.parametrize(
    "url",
    [
        f"https://evil.example{mint(ID)}",
        f"//evil.example{mint(ID)}",
        f"/__openclaw__/canvas/documents/../../{ID}/index.html",
        mint(ID).replace("/index", "%2Findex"),
        f"{mint(ID)}?x",
        "/etc/passwd",
        "",
    ],
)
@asynchronous
async def test_a_handle_that_points_elsewhere_is_not_followed_at_all(url):
    gateway = served_by_http(on={VIEW: answering({"html": "x"})})
    said = await refusal_of(gateway, WidgetBlock(ID, url))
    assert said.startswith("the widget's page is not opened: ")
    assert gateway.requests(VIEW) == []
    assert gateway.http_requests == []


@pytest.mark.parametrize(
    ("capability", "gateway_url", "address"),
    [
        ("http://127.0.0.1:1/cap/x", "ws://127.0.0.1:9", f"http://127.0.0.1:9/cap/x{mint(ID)}"),
        ("https://inner:1/cap/x/", "wss://outer.example", f"https://outer.example/cap/x{mint(ID)}"),
        (
            "http://inner/cap/x?y#z",
            "wss://outer.example:8443/ws",
            f"https://outer.example:8443/cap/x{mint(ID)}",
        ),
        ("/cap/x", "ws://[::1]:9", f"http://[::1]:9/cap/x{mint(ID)}"),
        ("", "ws://127.0.0.1:9", f"http://127.0.0.1:9{mint(ID)}"),
    ],
)
def test_the_address_is_the_surfaces_path_on_the_host_we_are_connected_to(capability, gateway_url, address):
    assert document_address(capability, ID, gateway_url) == address


@pytest.mark.parametrize(
    "capability",
    [
        "http://h/a/../b",
        "http://h/a%2f..",
        "http://h/a\\b",
        "http://h/a b",
        "http://[",
        "http://h/ä",
        "0",
        "@evil.example",
    ],
)
def test_an_odd_path_of_a_surface_is_refused(capability):
    with pytest.raises(DocumentRefused, match="malformed"):
        document_address(capability, ID, "ws://127.0.0.1:9")


@given(st.text(max_size=40))
def test_whatever_a_gateway_names_the_host_stays_ours(capability):
    try:
        address = document_address(capability, ID, "wss://ours.example:1")
    except DocumentRefused:
        return
    assert address.startswith("https://ours.example:1")
    assert address.removeprefix("https://ours.example:1").startswith("/")
