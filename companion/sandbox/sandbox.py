"""The sandbox as one object: it owns the profile and its doors, and closes everything in order."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from companion import __version__
from companion.domain.csp import SCHEME
from companion.domain.page_bridge import PageBridge
from companion.domain.serving import Gate, Refusal
from companion.sandbox.interceptor import Interceptor
from companion.sandbox.layers import ALL_LAYERS, Layer
from companion.sandbox.live_page import LivePage, end_process
from companion.sandbox.pool import Pool
from companion.sandbox.profile import make_profile
from companion.sandbox.scheme import OpenView, PageScheme
from companion.sandbox.view import Appearance, PageDocument, PageView

MAX_REFUSALS_TOLD = 200
"""Per page and load; a page can ask faster than anybody listens."""
LINGER_MS = 2000


class Sandbox(QObject):
    """Where foreign pages live. One for the app; close it before the application object ends.

    Args:
        max_live: How many pages run at the same time; the others show their last picture.
        layers: What stands between a page and everything else; tests leave some out.

    Raises:
        RuntimeError: If `setup.prepare` was not called before the application object was made.
    """

    refused = Signal(str, str, str)
    """A view id (empty if no view asked), the address it wanted, and the rule that refused it."""

    def __init__(
        self, parent: QObject | None = None, *, max_live: int = 6, layers: frozenset[Layer] = ALL_LAYERS
    ) -> None:
        super().__init__(parent)
        self._layers = layers
        self._pool = Pool(max_live)
        self._open: dict[str, OpenView] = {}
        self._views: dict[str, PageView] = {}
        self._pages: dict[str, LivePage] = {}
        self._told: dict[str, int] = {}
        self._dying: list[LivePage] = []
        self._is_closed = False
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.close)  # a page that outlives the profile crashes at exit
        self._profile = make_profile(layers, self)
        self._scheme = PageScheme(self._open, self._note_refusal, layers, self._profile)
        self._profile.installUrlSchemeHandler(SCHEME.encode(), self._scheme)
        if "interceptor" in layers:
            self._interceptor = Interceptor(self._open, self._note_refusal, self._profile)
            self._profile.setUrlRequestInterceptor(self._interceptor)

    @property
    def live_ids(self) -> tuple[str, ...]:
        """The ids of the views whose pages run."""
        return self._pool.live_ids

    def open_page(self, document: PageDocument, appearance: Appearance, parent: QWidget) -> PageView:
        """Show *document* in a view of its own, a child of *parent*.

        Raises:
            RuntimeError: If the sandbox is closed.
        """
        if self._is_closed:
            raise RuntimeError("the sandbox is closed; no page can be opened")
        view_id = secrets.token_hex(16)
        view = PageView(view_id, document, appearance, self, parent)
        self._views[view_id] = view
        view.destroyed.connect(lambda: self._forget(view_id))
        view.start()
        return view

    def close(self) -> None:
        """End every page, then the profile. A second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        for view in list(self._views.values()):
            view.close_page()
        for page in [*self._pages.values(), *self._dying]:
            if shiboken6.isValid(page):
                shiboken6.delete(page)
        self._pages.clear()
        self._dying.clear()
        shiboken6.delete(self._profile)

    def claim(self, view: PageView) -> LivePage | None:
        """Give *view* a page with an address of its own, or None if it has to wait."""
        if not self._pool.claim(view.view_id, view):
            return None
        gate = Gate(view.view_id)
        gate.arm()
        self._open[view.view_id] = OpenView(
            gate, view.document.html, view.document.tier, view.appearance.is_dark, view.appearance.colour
        )
        self._told[view.view_id] = 0
        bridge = PageBridge(host_version=__version__)
        is_guarded = "handlers" in self._layers
        page = LivePage(view.view_id, self._profile, bridge, is_guarded=is_guarded, parent=self)
        page.refused.connect(partial(self._note_refusal, view.view_id))
        self._pages[view.view_id] = page
        return page

    def give_back(self, view: PageView) -> None:
        """Delete the page of *view* and close its address."""
        self._open.pop(view.view_id, None)
        page = self._pages.pop(view.view_id, None)
        if page is not None:
            self._end_later(page.process_id)
            self._delete_later(page)
        self._pool.leave(view.view_id)

    def went_out_of_sight(self) -> None:
        """Let a waiting view have the place of a hidden one."""
        if not self._is_closed:
            self._pool.serve_waiting()

    def _delete_later(self, page: LivePage) -> None:
        # Not at once: the page may be the very one whose signal brought us here.
        self._dying.append(page)
        page.deleteLater()
        page.destroyed.connect(self._bury)

    def _bury(self) -> None:
        self._dying = [page for page in self._dying if shiboken6.isValid(page)]

    def _end_later(self, process_id: int) -> None:
        """End the process of a page that is gone, should it linger: one that loops does not end by itself."""
        if process_id > 0:
            QTimer.singleShot(LINGER_MS, self, lambda: self._end_lingering(process_id))

    def _end_lingering(self, process_id: int) -> None:
        if all(page.process_id != process_id for page in self._pages.values()) and _is_renderer(process_id):
            end_process(process_id)

    def _forget(self, view_id: str) -> None:
        self._views.pop(view_id, None)

    def _note_refusal(self, view_id: str, url: str, refusal: Refusal) -> None:
        told = self._told.get(view_id, 0)
        if told >= MAX_REFUSALS_TOLD:
            return
        self._told[view_id] = told + 1
        view = self._views.get(view_id)
        if view is not None:
            view.note_refusal(url[:2000], refusal)
        self.refused.emit(view_id, url[:2000], refusal.name.lower())


def _is_renderer(process_id: int) -> bool:
    """Say whether *process_id* is still one of ours; ids are given again to others."""
    cmdline = Path(f"/proc/{process_id}/cmdline")
    if not cmdline.parent.parent.is_dir():
        return True
    try:
        return b"QtWebEngineProcess" in cmdline.read_bytes()
    except OSError:
        return False
