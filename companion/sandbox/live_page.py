"""One page that lives: engine page, channel, bridge, and the watch over its process.

It knows no widget but the web view it is drawn in; what a person sees around it
is `view`'s.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from enum import Enum
from typing import Any

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QColor
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile

from companion.domain.page_bridge import OuterReady, PageBridge, PageFloods, PageLeft
from companion.domain.serving import Refusal, outer_address
from companion.sandbox.bridge import connect_channel
from companion.sandbox.heartbeat import PERIOD_S, Heartbeat
from companion.sandbox.page import ForeignPage
from companion.sandbox.scripts import OUTER_WORLD

START_LIMIT_MS = 20_000
FREEZE_AFTER_MS = 5000
"""How long nobody sees a page before its scripts stand still; they go on where they were."""


class Ending(Enum):
    """Why a page ended against its will; the value is the sentence for the person."""

    SILENT = "This page stopped answering and was ended. Open it again to give it another try."
    DIED = "The process that drew this page ended. Open the page again to draw it anew."
    LEFT = "This page tried to leave its place, which no page may, and was closed. Open it again to see it."
    FLOODED = "This page sent more messages than anything could read and was ended. Open it again to see it."
    NEVER_STARTED = "This page did not start. Open it again; if that does not help, restart the app."


class LivePage(QObject):
    """The life of one page, from its load to its end.

    Args:
        view_id: The host of its addresses.
        bridge: What its messages mean.
        is_guarded: Whether the page's handlers refuse.
        parent: What it dies with; must not outlive the profile.
    """

    effect = Signal(object)
    refused = Signal(str, Refusal)
    ended = Signal(Ending)

    def __init__(
        self,
        view_id: str,
        profile: QWebEngineProfile,
        bridge: PageBridge,
        *,
        is_guarded: bool,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._view_id = view_id
        self._bridge = bridge
        self.page = ForeignPage(view_id, profile, is_guarded=is_guarded, parent=self)
        self.page.refused_here.connect(self.refused)
        self.page.renderProcessTerminated.connect(self._meet_death)
        self.carrier = connect_channel(self.page)
        self.carrier.received.connect(self._take)
        self._heartbeat = Heartbeat()
        self._beats = QTimer(self)
        self._beats.setInterval(int(PERIOD_S * 1000))
        self._beats.timeout.connect(self._beat)
        self._start_limit = QTimer(self)
        self._start_limit.setSingleShot(True)
        self._start_limit.timeout.connect(self._give_up_start)
        self._freeze = QTimer(self)
        self._freeze.setSingleShot(True)
        self._freeze.timeout.connect(self._stand_still)
        self._is_watched = False
        self._has_started = False
        self._has_ended = False
        self.loaded_at_s = 0.0
        """When the load began, on the monotonic clock."""

    @property
    def process_id(self) -> int:
        """The id of the process that draws the page; 0 if there is none."""
        return int(self.page.renderProcessPid())

    def load(self, background: str) -> None:
        """Load our document, which asks for the page. The background stands before anything is drawn."""
        self.page.setBackgroundColor(QColor(background))
        self._bridge.start_load()
        self.loaded_at_s = time.monotonic()
        self._start_limit.start(START_LIMIT_MS)
        self.page.load(QUrl(outer_address(self._view_id)))

    def post(self, text: str) -> None:
        """Post a JSON text to the page."""
        self.carrier.to_page.emit(text)

    def order(self, text: str) -> None:
        """Give a JSON text to the outer script."""
        self.carrier.to_outer.emit(text)

    def person_acted(self) -> None:
        """Note a real click or key press on the page."""
        self._bridge.person_acted(time.monotonic())

    def set_host_context(self, context: Mapping[str, Any]) -> None:
        """Say what a page that greets is told."""
        self._bridge.host_context = context

    def set_watched(self, is_watched: bool) -> None:
        """Ask the page every second whether it lives; out of sight, leave it alone, then freeze it."""
        self._is_watched = is_watched
        if is_watched and self._has_started and not self._has_ended:
            self._freeze.stop()
            self.page.setLifecycleState(QWebEnginePage.LifecycleState.Active)
            self._beats.start()
        else:
            self._beats.stop()
            self._heartbeat.rest()
            if self._has_started and not self._has_ended and not is_watched:
                self._freeze.start(FREEZE_AFTER_MS)

    def end_process(self) -> None:
        """End the process that draws the page; deleting the page does not end one that loops."""
        end_process(self.process_id)

    def _stand_still(self) -> None:
        # What a person listens to goes on; so does a page that came into sight meanwhile.
        if not self._is_watched and not self.page.isVisible() and not self.page.recentlyAudible():
            self.page.setLifecycleState(QWebEnginePage.LifecycleState.Frozen)

    def _take(self, text: str) -> None:
        for effect in self._bridge.receive(text, time.monotonic()):
            if isinstance(effect, OuterReady):
                self._start_limit.stop()
                self._has_started = True
                self.set_watched(self._is_watched)
            elif isinstance(effect, PageLeft):
                self._end(Ending.LEFT)
            elif isinstance(effect, PageFloods):
                self._end(Ending.FLOODED)
            elif not self._has_ended:
                self.effect.emit(effect)

    def _beat(self) -> None:
        number = self._heartbeat.beat(time.monotonic())
        if self._heartbeat.is_stuck:
            self._end(Ending.SILENT)
            return
        self.page.runJavaScript(str(number), OUTER_WORLD.value, self._hear)

    def _hear(self, answer: object) -> None:
        if isinstance(answer, int | float):
            self._heartbeat.answer(int(answer))

    def _meet_death(self, _status: QWebEnginePage.RenderProcessTerminationStatus, _code: int) -> None:
        self._end(Ending.DIED)

    def _give_up_start(self) -> None:
        self._end(Ending.NEVER_STARTED)

    def _end(self, why: Ending) -> None:
        if self._has_ended:
            return
        self._has_ended = True
        self._beats.stop()
        self._freeze.stop()
        self._start_limit.stop()
        if why is not Ending.DIED:
            self.end_process()
        self.ended.emit(why)


def end_process(process_id: int) -> None:
    """End a page's process at once; one that is gone already is no fault."""
    if process_id <= 0 or process_id == os.getpid():
        return
    how = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
    try:
        os.kill(process_id, how)
    except ProcessLookupError:
        return
    except PermissionError:
        # Windows says so of a process that is ending already.
        if sys.platform != "win32":
            raise
