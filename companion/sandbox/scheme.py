"""The scheme of pages: asks the view's gate, and sends the bytes under our own policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject
from PySide6.QtWebEngineCore import QWebEngineUrlRequestJob, QWebEngineUrlSchemeHandler

from companion.domain.csp import Header, Tier, headers, outer_policy, page_policy
from companion.domain.serving import Gate, Refusal, Served, view_of
from companion.resources import read_text
from companion.sandbox.layers import Layer

_Error = QWebEngineUrlRequestJob.Error
_ERRORS: dict[Refusal, QWebEngineUrlRequestJob.Error] = {
    Refusal.UNKNOWN_VIEW: _Error.UrlNotFound,
    Refusal.UNKNOWN_PATH: _Error.UrlNotFound,
}
"""What the engine is told; everything else is denied."""


@dataclass(slots=True)
class OpenView:
    """What the handler knows of one open view."""

    gate: Gate
    html: bytes
    tier: Tier
    is_dark: bool = False
    background: str = "#ffffff"
    """As `#rrggbb`: it is written into our own document."""


class PageScheme(QWebEngineUrlSchemeHandler):
    """Answers the two addresses of each open view.

    Args:
        views: The open views by their id.
        refused: Called with the view id, the address and the rule of each refusal.
    """

    def __init__(
        self,
        views: Mapping[str, OpenView],
        refused: Callable[[str, str, Refusal], None],
        layers: frozenset[Layer],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._views = views
        self._refused = refused
        self._has_policy = "policy" in layers
        self._outer_html = read_text("sandbox/outer.html")

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        """Answer one request, or fail it."""
        url = job.requestUrl().toString()
        view_id = view_of(url)
        view = self._views.get(view_id)
        answer: Served | Refusal = Refusal.UNKNOWN_VIEW
        if view is not None:
            method = bytes(job.requestMethod().data()).decode("ascii", "replace")
            answer = view.gate.ask(method, url, job.initiator().toString())
        if view is None or isinstance(answer, Refusal):
            refusal = answer if isinstance(answer, Refusal) else Refusal.UNKNOWN_VIEW
            job.fail(_ERRORS.get(refusal, _Error.RequestDenied))
            self._refused(view_id, url, refusal)
            return
        if answer == "outer":
            html, policy = self._outer_document(view), outer_policy(view_id)
        else:
            html, policy = view.html, page_policy(view.tier)
        if self._has_policy:
            job.setAdditionalResponseHeaders(_header_map(headers(policy)))
        # A child of the job: it must live until the engine has read it, and not longer.
        body = QBuffer(job)
        body.setData(QByteArray(html))
        body.open(QIODevice.OpenModeFlag.ReadOnly)
        job.reply(QByteArray(b"text/html; charset=utf-8"), body)

    def _outer_document(self, view: OpenView) -> bytes:
        html = self._outer_html.replace("{{SCHEME}}", "dark" if view.is_dark else "light")
        return html.replace("{{BACKGROUND}}", view.background).encode()


def _header_map(pairs: tuple[Header, ...]) -> dict[QByteArray, QByteArray]:
    # Each value in a list of its own, whatever the stub says: a bare one is taken for a list of its
    # letters, the policy falls apart into directives of one letter, and the page is under none.
    return {QByteArray(name.encode()): [QByteArray(value.encode())] for name, value in pairs}  # type: ignore[misc]
