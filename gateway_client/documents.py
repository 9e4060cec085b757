"""Reading the page of a hosted widget: over the socket, or by its capability address.

A page may not choose where this reads: the handle must have the form that
gateways mint, the host is always the one we are connected to, redirects are not
followed, and the size is bounded. What the bytes may do is decided by whoever
draws them; the gateway's policy is only handed on.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from gateway_client.errors import CallFailed, DocumentRefused
from gateway_client.protocol.blocks.widget import WidgetBlock
from gateway_client.protocol.handles import mint, refusal
from gateway_client.protocol.handshake import CANVAS_SURFACE, HelloOk
from gateway_client.protocol.methods import (
    DOCUMENT_VIEW,
    SURFACE_REFRESH,
    DocumentViewParams,
    DocumentViewResult,
    Method,
    SurfaceRefreshParams,
    SurfaceRefreshResult,
)
from gateway_client.protocol.wire_model import WireModel
from gateway_client.transport import is_loopback

if TYPE_CHECKING:
    import httpx

MAX_DOCUMENT_BYTES = 1024 * 1024
CACHED_BYTES = 16 * 1024 * 1024
READ_TIMEOUT_S = 20.0
_PLAIN_PATH = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*")
NO_LONGER_KEPT = "the gateway no longer keeps this widget"


@dataclass(frozen=True, slots=True)
class Document:
    """The page of a widget as the gateway serves it; it never changes."""

    id: str
    html: bytes
    policy: str | None = None
    """The Content-Security-Policy that came along; None over the socket."""


class Source(Protocol):
    """A connection to the gateway that keeps the documents."""

    hello: HelloOk

    async def call(self, method: Method, params: WireModel, *, timeout_s: float = 30.0) -> WireModel:
        """Call a method of the gateway."""


class DocumentReader:
    """Reads documents and keeps the newest of them.

    Args:
        tls: Makes the context that checks the certificate of a gateway behind https.
        max_bytes: Longest document taken.
    """

    def __init__(self, *, tls: Callable[[], ssl.SSLContext], max_bytes: int = MAX_DOCUMENT_BYTES) -> None:
        self._tls = tls
        self._max_bytes = max_bytes
        self._cache: OrderedDict[str, Document] = OrderedDict()
        self._surface: tuple[str, str] | None = None

    async def read(self, block: WidgetBlock, source: Source, gateway_url: str) -> Document:
        """Return the page that *block* names.

        Args:
            gateway_url: The `ws://` or `wss://` address that *source* is connected to.

        Raises:
            DocumentRefused: If it may not or can not be read; the message is a sentence.
            LinkClosed: If the connection ended meanwhile.
        """
        reason = refusal(block)
        if reason:
            raise DocumentRefused(f"the widget's page is not opened: {reason}")
        if block.view_id in self._cache:
            self._cache.move_to_end(block.view_id)
            return self._cache[block.view_id]
        try:
            async with asyncio.timeout(READ_TIMEOUT_S):
                document = await self._read(block.view_id, source, gateway_url)
        except TimeoutError:
            raise DocumentRefused(
                f"the gateway did not hand over the widget's page within {READ_TIMEOUT_S:.0f} s"
            ) from None
        self._keep(document)
        return document

    def forget(self) -> None:
        """Drop every document that was kept."""
        self._cache.clear()
        self._surface = None

    # Inside.

    async def _read(self, document_id: str, source: Source, gateway_url: str) -> Document:
        if source.hello.offers(DOCUMENT_VIEW.name):
            try:
                return await self._read_by_socket(document_id, source)
            except CallFailed as error:
                if _is_not_found(error):
                    raise DocumentRefused(NO_LONGER_KEPT) from error
                if _surface_of(source.hello) is None:
                    raise DocumentRefused(
                        f"the gateway refused the widget's page: {error.message}"
                    ) from error
        return await self._read_by_http(document_id, source, gateway_url)

    async def _read_by_socket(self, document_id: str, source: Source) -> Document:
        result = await source.call(
            DOCUMENT_VIEW, DocumentViewParams(doc_id=document_id), timeout_s=2 * READ_TIMEOUT_S
        )
        assert isinstance(result, DocumentViewResult)
        html = result.html.encode("utf-8", "replace")
        self._check_size(len(html))
        return Document(document_id, html)

    async def _read_by_http(self, document_id: str, source: Source, gateway_url: str) -> Document:
        surface = await self._surface_address(source)
        status, document = await self._fetch(document_id, surface, gateway_url)
        if status in (401, 403):
            surface = await self._refresh(source)
            status, document = await self._fetch(document_id, surface, gateway_url)
        if document is not None:
            return document
        raise DocumentRefused(_status_words(status))

    async def _surface_address(self, source: Source) -> str:
        """Return the newest capability address that is known on this connection."""
        if self._surface is not None and self._surface[0] == source.hello.server.conn_id:
            return self._surface[1]
        return _surface_of(source.hello) or await self._refresh(source)

    async def _refresh(self, source: Source) -> str:
        if not source.hello.offers(SURFACE_REFRESH.name):
            raise DocumentRefused(
                "the gateway gave no address for widgets that works, and offers no new one; "
                "reconnect to get one"
            )
        try:
            result = await source.call(SURFACE_REFRESH, SurfaceRefreshParams(surface=CANVAS_SURFACE))
        except CallFailed as error:
            raise DocumentRefused(f"the gateway gave no new address for widgets: {error.message}") from error
        assert isinstance(result, SurfaceRefreshResult)
        address = result.plugin_surface_urls.get(CANVAS_SURFACE)
        if not address:
            raise DocumentRefused("the gateway gave no new address for widgets; reconnect to get one")
        self._surface = (source.hello.server.conn_id, address)
        return address

    async def _fetch(self, document_id: str, surface: str, gateway_url: str) -> tuple[int, Document | None]:
        """Ask once; returns the status, and the document if there was one."""
        import httpx  # late: most gateways give documents over the socket

        url = document_address(surface, document_id, gateway_url)
        is_secure = url.startswith("https:")
        try:
            async with (
                httpx.AsyncClient(
                    verify=self._tls() if is_secure else False,
                    timeout=READ_TIMEOUT_S,
                    trust_env=not is_loopback(gateway_url),  # a proxy cannot reach this machine
                    follow_redirects=False,
                ) as client,
                # Compressed bytes could unfold far over the bound before it is checked.
                client.stream("GET", url, headers={"Accept-Encoding": "identity"}) as response,
            ):
                if response.status_code != 200:
                    return response.status_code, None
                return 200, await self._take(document_id, response)
        except httpx.HTTPError as error:
            raise DocumentRefused(
                f"the widget's page could not be fetched from the gateway: {error or type(error).__name__}"
            ) from error

    async def _take(self, document_id: str, response: httpx.Response) -> Document:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "text/html":
            raise DocumentRefused(f"the gateway sent {kind or 'something untyped'!r} instead of a page")
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise DocumentRefused("the gateway sent the page compressed, which was not asked for")
        html = bytearray()
        async for chunk in response.aiter_raw():
            html += chunk
            self._check_size(len(html))
        return Document(document_id, bytes(html), response.headers.get("content-security-policy"))

    def _check_size(self, size: int) -> None:
        if size > self._max_bytes:
            raise DocumentRefused(
                f"the widget's page is longer than {self._max_bytes // 1024} KiB, which is the limit"
            )

    def _keep(self, document: Document) -> None:
        self._cache[document.id] = document
        while sum(len(kept.html) for kept in self._cache.values()) > CACHED_BYTES:
            self._cache.popitem(last=False)


def document_address(surface: str, document_id: str, gateway_url: str) -> str:
    """Return where to fetch a document: the surface's path, on the host we are connected to.

    A gateway behind a tunnel or a container names the host it knows, not ours.

    Raises:
        DocumentRefused: If the surface's address has no plain path.
    """
    here = urlsplit(gateway_url)
    try:
        base = urlsplit(surface).path.rstrip("/")
    except ValueError:
        base = "?"
    # Without its first slash a path would grow onto the port, or make the host a user name.
    if not _PLAIN_PATH.fullmatch(base) or {".", ".."} & set(base.split("/")):
        raise DocumentRefused("the gateway's address for widgets is malformed")
    scheme = "https" if here.scheme == "wss" else "http"
    return f"{scheme}://{here.netloc}{base}{mint(document_id)}"


def _surface_of(hello: HelloOk) -> str | None:
    return (hello.plugin_surface_urls or {}).get(CANVAS_SURFACE) or None


def _is_not_found(error: CallFailed) -> bool:
    code = str(error.details.get("code") or error.code)
    return code in ("NOT_FOUND", "CANVAS_DOCUMENT_NOT_FOUND") or "not found" in error.message.lower()


def _status_words(status: int) -> str:
    if status in (404, 410):
        return NO_LONGER_KEPT
    if status in (401, 403):
        return "the address of this widget has expired, and so has the new one that was asked for; reconnect"
    return f"the gateway answered {status} instead of the widget's page"
