"""One page on screen: the web view while it lives, its last picture and a sentence when it does not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QLabel, QStackedLayout, QWidget

from companion.domain import page_bridge
from companion.domain.csp import Tier, page_policy
from companion.domain.serving import Refusal
from companion.domain.sizing import HeightFollower
from companion.sandbox.host_context import host_context
from companion.sandbox.input_watch import InputWatch
from companion.sandbox.live_page import Ending, LivePage
from companion.sandbox.pool import Place

WAITING = "This page waits: as many pages as may be open are on screen. It opens when one of them is gone."


@dataclass(frozen=True, slots=True)
class PageDocument:
    """The bytes of a page and how much it may do."""

    document_id: str
    html: bytes
    title: str
    tier: Tier = "scripts"


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the app looks now, as far as a page may know."""

    is_dark: bool
    background: str
    """The colour that stands behind the page, as CSS."""
    tokens: Mapping[str, str] = field(default_factory=dict)
    """Theme variables without their dashes, to CSS values."""

    @property
    def colour(self) -> str:
        """The background as `#rrggbb`; what is no colour becomes black or white."""
        colour = QColor(self.background)
        return colour.name() if colour.isValid() else "#000000" if self.is_dark else "#ffffff"


class Keeper(Protocol):
    """What the sandbox does for a view."""

    def claim(self, view: PageView) -> LivePage | None:
        """Give the view a live page drawn by nobody yet, or None if it has to wait."""

    def give_back(self, view: PageView) -> None:
        """Take the place and the address of a page that is gone."""

    def went_out_of_sight(self) -> None:
        """Let others have the place of a hidden view, if they wait for one."""


class PageView(QWidget):
    """A foreign page, drawn in the sandbox.

    Nothing of it reaches the app but these signals. A page whose document did
    not change is never loaded again while it lives.

    Made by `Sandbox.open_page`.
    """

    painted = Signal(int)
    """Milliseconds from the load to the first paint."""
    height_wanted = Signal(int)
    """The height in pixels that the page should be given."""
    prompt_offered = Signal(str)
    """A text for the composer, after a person's click on the page."""
    runtime_error = Signal(str)
    """A script of the page failed; at most three per load."""
    refused = Signal(str, str)
    """An address the page wanted, and the rule that refused it."""
    failed = Signal(str)
    """The page ended against its will: a sentence."""
    released = Signal()
    """The page gave up its place; its last picture stands here. `reload` brings it back."""
    wheel_left = Signal(int)
    """The part of a wheel turn in pixels that the page did not use."""

    def __init__(
        self, view_id: str, document: PageDocument, appearance: Appearance, keeper: Keeper, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.view_id = view_id
        self.document = document
        self.appearance = appearance
        self._keeper = keeper
        self._live: LivePage | None = None
        self._web: QWebEngineView | None = None
        self._height = HeightFollower()
        self._picture = QPixmap()
        self._seen_at_s = time.monotonic()
        self._is_chat_host_told = False
        self._is_closed = False
        self._still = QLabel(self)
        self._still.setTextFormat(Qt.TextFormat.PlainText)
        self._still.setWordWrap(True)
        self._still.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._layers = QStackedLayout(self)
        self._layers.addWidget(self._still)

    @property
    def policy(self) -> str:
        """The content security policy that the page is under, as its header says it."""
        return page_policy(self.document.tier).text()

    @property
    def is_live(self) -> bool:
        """Whether the page runs; else its last picture or a sentence stands here."""
        return self._live is not None

    @property
    def live_page(self) -> LivePage | None:
        """The running page, for the inspector."""
        return self._live

    @property
    def web_view(self) -> QWebEngineView | None:
        """What draws the running page."""
        return self._web

    def start(self) -> None:
        """Load the page, if it gets a place; else say that it waits."""
        if self._is_closed or self._live is not None:
            return
        live = self._keeper.claim(self)
        if live is None:
            self._show_still(WAITING)
            return
        self._adopt(live)
        self._describe_host()
        live.load(self.appearance.colour)
        live.set_watched(self.isVisible())

    def set_document(self, document: PageDocument) -> None:
        """Show *document*; the one that is shown already is left as it stands."""
        if document.document_id == self.document.document_id:
            return
        self.document = document
        self._height = HeightFollower()
        self.reload()

    def set_appearance(self, appearance: Appearance) -> None:
        """Tell the page how the app looks now. It is not loaded again."""
        self.appearance = appearance
        if self._live is None:
            return
        self._live.page.setBackgroundColor(QColor(appearance.colour))
        scheme = "dark" if appearance.is_dark else "light"
        self._live.order(json.dumps({"scheme": scheme, "background": appearance.colour}))
        self._describe_host()
        self._send_theme()

    def take_picture(self) -> QPixmap:
        """Return what the page looks like now, or looked like when it was last seen."""
        if self._web is not None and self.isVisible():
            picture = self._web.grab()
            if not picture.isNull():
                self._picture = picture
        return self._picture

    def reload(self) -> None:
        """Load the page anew, whatever became of it."""
        self._drop()
        self.start()

    def release(self) -> None:
        """Give up the page and show its last picture at the same size."""
        self.take_picture()
        self._drop()
        self._show_still("")
        self.released.emit()

    def close_page(self) -> None:
        """End the page for good; the view may be deleted after it."""
        self._is_closed = True
        self._drop()

    def place(self) -> Place:
        """Say how the view stands, for the pool."""
        focus = self.window().focusWidget() if self.window().isActiveWindow() else None
        has_focus = focus is not None and self._web is not None and self._web.isAncestorOf(focus)
        return Place(self.view_id, self.isVisible(), has_focus, self._seen_at_s)

    def note_refusal(self, url: str, refusal: Refusal) -> None:
        """Pass on that an address was refused."""
        self.refused.emit(url, refusal.name.lower())

    def showEvent(self, event: QShowEvent) -> None:
        """Watch the page while it is seen."""
        super().showEvent(event)
        self._seen_at_s = time.monotonic()
        if self._live is not None:
            self._live.set_watched(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Leave the page alone while nobody sees it."""
        super().hideEvent(event)
        self._seen_at_s = time.monotonic()
        if self._live is not None:
            self._live.set_watched(False)
        self._keeper.went_out_of_sight()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the page's height afresh if the width is another."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._height.follow_again()
            self._describe_host()

    def event(self, event: QEvent) -> bool:
        """End the page before Qt deletes what it stands in."""
        if event.type() == QEvent.Type.DeferredDelete:
            self.close_page()
        return super().event(event)

    def _adopt(self, live: LivePage) -> None:
        self._live = live
        self._is_chat_host_told = False
        web = QWebEngineView(self)
        web.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        web.setPage(live.page)
        InputWatch(web).acted.connect(self._note_person)
        live.effect.connect(self._apply)
        live.ended.connect(self._fail)
        self._web = web
        self._layers.addWidget(web)
        self._layers.setCurrentWidget(web)

    def _drop(self) -> None:
        live, web, self._live, self._web = self._live, self._web, None, None
        if web is not None:
            self._layers.removeWidget(web)
            web.hide()
            web.deleteLater()
        if live is not None:
            live.set_watched(False)
            live.blockSignals(True)
            self._keeper.give_back(self)

    def _show_still(self, sentence: str) -> None:
        if sentence or self._picture.isNull():
            self._still.setText(sentence)
        else:
            self._still.setPixmap(self._picture)
        self._layers.setCurrentWidget(self._still)

    def _fail(self, why: Ending) -> None:
        self._drop()
        self._show_still(why.value)
        self.failed.emit(why.value)

    def _note_person(self) -> None:
        self._height.follow_again()
        if self._live is not None:
            self._live.person_acted()

    def _describe_host(self) -> None:
        if self._live is not None:
            self._live.set_host_context(host_context(is_dark=self.appearance.is_dark, width_px=self.width()))

    def _send_theme(self) -> None:
        if self._live is not None:
            self._live.post(page_bridge.theme_message(self.appearance.tokens))

    def _apply(self, effect: page_bridge.Effect) -> None:
        act = self._acts().get(type(effect))
        if act is not None:
            act(effect)

    def _acts(self) -> dict[type, Callable[..., None]]:
        return {
            page_bridge.SizeReported: self._follow_size,
            page_bridge.PromptOffered: lambda effect: self.prompt_offered.emit(effect.text),
            page_bridge.RuntimeErrorReported: lambda effect: self.runtime_error.emit(effect.message),
            page_bridge.WheelLeft: lambda effect: self.wheel_left.emit(effect.delta_y_px),
            page_bridge.PageLoaded: lambda _: self._send_theme(),
            page_bridge.BridgeReady: lambda _: self._greet(),
            page_bridge.Painted: lambda _: self._note_paint(),
            page_bridge.Reply: self._answer,
        }

    def _answer(self, effect: page_bridge.Reply) -> None:
        if self._live is not None:
            self._live.post(effect.text)

    def _follow_size(self, effect: page_bridge.SizeReported) -> None:
        height = self._height.report(effect.height_px, time.monotonic())
        if height is not None:
            self.height_wanted.emit(height)

    def _greet(self) -> None:
        self._send_theme()
        if self._live is not None and not self._is_chat_host_told:
            self._is_chat_host_told = True
            self._live.post(page_bridge.chat_host_message())

    def _note_paint(self) -> None:
        if self._live is None:
            return
        took_ms = round((time.monotonic() - self._live.loaded_at_s) * 1000)
        self.take_picture()
        self.painted.emit(took_ms)
