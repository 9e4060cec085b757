"""HTTP of the gateway: signs of life, and widget documents behind a capability.

Every request must name this machine as its host and come from no foreign page,
as for the WebSocket on the same port.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.gateway import admission
from companion.gateway.gateway import Gateway
from gateway_client.protocol.handles import DOCUMENTS_PATH, is_document_id

CDN_HOSTS = (
    "https://cdnjs.cloudflare.com",
    "https://cdn.jsdelivr.net",
    "https://esm.sh",
    "https://unpkg.com",
)
FONT_STYLE_HOSTS = ("https://fonts.googleapis.com", "https://fonts.bunny.net")
FONT_HOSTS = ("https://fonts.gstatic.com", "https://fonts.bunny.net")


def document_policy() -> str:
    """Return the policy that goes out with a document.

    It is the published one: public hosts of libraries and fonts are open. A
    client of ours puts its own, stricter policy in its place.
    """
    cdn, styles, fonts = " ".join(CDN_HOSTS), " ".join(FONT_STYLE_HOSTS), " ".join(FONT_HOSTS)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'unsafe-inline' {cdn}",
            f"style-src 'unsafe-inline' {cdn} {styles}",
            f"font-src data: {cdn} {fonts}",
            "img-src data: blob:",
            "media-src data: blob:",
            "connect-src 'none'",
            "frame-src 'none'",
            "child-src 'none'",
            "worker-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "webrtc 'block'",
            "sandbox allow-scripts",
        )
    )


SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

GONE = "This widget's page is gone, or never was. Ask for it again to see it.\n"
WRONG_TOKEN = "The token is wrong. Take the one that this gateway wrote when it started.\n"
CLOSED = "A capability of this gateway is needed, or its token. Refresh the surface and try again.\n"

Endpoint = Callable[[Request], Awaitable[Response]]


class Routes:
    """The HTTP endpoints of one gateway."""

    def __init__(self, gateway: Gateway, *, token: str, port: Callable[[], int]) -> None:
        self._gateway = gateway
        self._token = token
        self._port = port

    def all(self) -> list[Route]:
        """Return the routes, for the server."""
        document = DOCUMENTS_PATH + "{document_id}/index.html"
        return [
            Route("/health", self._guarded(self._health), methods=["GET"]),
            Route("/readyz", self._guarded(self._health), methods=["GET"]),
            Route(
                "/__openclaw__/cap/{capability}" + document, self._guarded(self._document), methods=["GET"]
            ),
            Route(document, self._guarded(self._document), methods=["GET"]),
        ]

    def refusal(self, host: str | None, origin: str | None) -> str | None:
        """Return why a request is refused before anything else is looked at, or None."""
        allowed = self._gateway.settings.allowed_origins
        return admission.host_refusal(host, self._port()) or admission.origin_refusal(origin, allowed)

    def _guarded(self, endpoint: Endpoint) -> Endpoint:
        async def answer(request: Request) -> Response:
            reason = self.refusal(request.headers.get("host"), request.headers.get("origin"))
            if reason is not None:
                return PlainTextResponse(reason + "\n", 403, SAFE_HEADERS)
            return await endpoint(request)

        return answer

    async def _health(self, _request: Request) -> Response:
        # Without a token: that the gateway lives is no secret, everything else is.
        return JSONResponse({"ok": True, "uptimeMs": self._gateway.uptime_ms}, headers=SAFE_HEADERS)

    async def _document(self, request: Request) -> Response:
        if not self._may_read(request):
            return PlainTextResponse(CLOSED, 401, {**SAFE_HEADERS, "WWW-Authenticate": "Bearer"})
        document_id = str(request.path_params["document_id"])
        document = await self._gateway.documents.get(document_id) if is_document_id(document_id) else None
        if document is None:
            return PlainTextResponse(GONE, 404, SAFE_HEADERS)
        headers = {**SAFE_HEADERS, "Content-Security-Policy": document_policy()}
        return HTMLResponse(document.html, headers=headers)

    def _may_read(self, request: Request) -> bool:
        if self._gateway.capabilities.is_open(str(request.path_params.get("capability", ""))):
            return True
        return admission.is_token(shown_token(request.headers, {}), self._token)


def shown_token(headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
    """Return the token that a request shows: a bearer, or `token` in its address; None if there is none."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else query.get("token")
