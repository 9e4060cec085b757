"""The door of the network: every request of the engine passes here, and only live views' addresses go on."""

from __future__ import annotations

from collections.abc import Callable, Container

from PySide6.QtCore import QObject
from PySide6.QtWebEngineCore import QWebEngineUrlRequestInfo, QWebEngineUrlRequestInterceptor

from companion.domain.serving import Refusal, ResourceKind, check_network, view_of

_Type = QWebEngineUrlRequestInfo.ResourceType
_KINDS: dict[QWebEngineUrlRequestInfo.ResourceType, ResourceKind] = {
    _Type.ResourceTypeMainFrame: "main",
    _Type.ResourceTypeSubFrame: "frame",
}


class Interceptor(QWebEngineUrlRequestInterceptor):
    """Blocks what `serving.check_network` refuses; blocks as well if it can not decide.

    Args:
        live: The ids of the views that are open.
        refused: Called with the view id, the address and the rule of each refusal.
    """

    def __init__(
        self, live: Container[str], refused: Callable[[str, str, Refusal], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._live = live
        self._refused = refused

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        """Decide one request."""
        may_pass = False
        try:
            url = info.requestUrl().toString()
            kind = _KINDS.get(info.resourceType(), "other")
            refusal = check_network(bytes(info.requestMethod().data()).decode(), url, kind, self._live)
            may_pass = refusal is None
            if refusal is not None:
                self._refused(view_of(info.firstPartyUrl().toString()), url, refusal)
        finally:
            if not may_pass:
                info.block(True)
