"""The composition root: builds everything, passes it on, and takes it down in order.

Nothing looks anything up. Start: window with what is known, then the gateway,
then the link. Stop: tasks, link, gateway, pages, window, profile.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import PySide6
from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication

from companion import __version__
from companion.config import Settings
from companion.drafts import Drafts
from companion.loop import Tasks, ended_by_signals, version_problem
from companion.outbox import Outbox
from companion.sandbox import setup
from companion.sandbox.sandbox import Sandbox
from companion.supervisor import Endpoint, GatewayFailed, Supervisor, gateway_command
from companion.viewmodels.chat import ChatModel
from companion.viewmodels.documents import DocumentsModel
from companion.viewmodels.link import LinkModel
from companion.viewmodels.sessions import MAIN, SessionsModel
from companion.views.blocks.widget import WidgetFactory
from companion.views.main_window import MainWindow
from companion.views.theme import DARK, LIGHT, THEMES, Theme
from companion.views.window_memory import WindowMemory
from gateway_client.client import GatewayClient
from gateway_client.errors import GatewayError, IdentityUnreadable
from gateway_client.identity import DeviceIdentity
from gateway_client.options import ConnectOptions
from gateway_client.protocol import caps
from gateway_client.status import Gap, LinkState, LinkStatus, Notification

log = logging.getLogger(__name__)

EMBEDDED_NAME = "Embedded gateway"
GUIDE = "Guide (no model)"


@dataclass(frozen=True, slots=True)
class Target:
    """The gateway to connect to; without an address the embedded one is started."""

    url: str = ""
    token: str | None = None

    @property
    def is_embedded(self) -> bool:
        """Whether the gateway is ours to start."""
        return not self.url

    @property
    def name(self) -> str:
        """What a person calls it."""
        return EMBEDDED_NAME if self.is_embedded else QUrl(self.url).host() or self.url


class CannotStart(Exception):
    """The window can not be made here; the message says why and what will do."""


def _has_no_display(environ: Mapping[str, str]) -> bool:
    """Whether Qt, left alone, would end the process for want of a display."""
    names = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform == "linux" and not any(environ.get(name) for name in names)


def make_application(*, is_seen: bool = True) -> QApplication:
    """Make the application object of this process, with the engine's doors closed before it.

    Args:
        is_seen: Whether a person must see the window; else it may be drawn off screen.

    Raises:
        CannotStart: If the installed PySide6 corrupts memory on this Python, or there is no display.
    """
    problem = version_problem(sys.version_info[:3], tuple(map(int, PySide6.__version__.split(".")[:3])))
    if problem is not None:
        raise CannotStart(problem)
    if _has_no_display(os.environ):
        if is_seen:
            raise CannotStart(
                "there is no display to show the window on. Start it in a desktop session, "
                "or run 'companion demo --out DIR' to get pictures instead"
            )
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    setup.prepare(os.environ)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Companion")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("companion")
    application.setStyle("Fusion")
    return application


def engine_problem(environ: Mapping[str, str]) -> str | None:
    """Return why pages can not be drawn by this process, or None if they can.

    The engine ends the whole process if it is started by root with its sandbox on.
    """
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and environ.get("QTWEBENGINE_DISABLE_SANDBOX") != "1":
        return "Widgets are shown as text, because this program runs as root. Start it as an ordinary user."
    return None


def declared_caps(*, can_draw_pages: bool) -> frozenset[str]:
    """Return what the client may promise: pages only where they can be drawn."""
    return frozenset({caps.TOOL_EVENTS} | ({caps.INLINE_WIDGETS} if can_draw_pages else set()))


class CompanionApp(QObject):
    """Everything one window needs, built once.

    Args:
        profile_dir: Where all data of this run lies.
        target: Which gateway.
        settings: What the embedded gateway answers with.

    Raises:
        CannotStart: If the profile can not be used.
    """

    def __init__(self, profile_dir: Path, target: Target, settings: Settings) -> None:
        super().__init__()
        self.target = target
        self.closed = asyncio.Event()
        self.endpoint: Endpoint | None = None
        self._tasks = Tasks()
        try:
            profile_dir.mkdir(parents=True, exist_ok=True)
            identity = DeviceIdentity.load_or_create(profile_dir / "device.key")
        except OSError as error:
            raise CannotStart(
                f"the profile folder {profile_dir} can not be used ({error}). "
                "Name another with --profile, or check its rights"
            ) from error
        except IdentityUnreadable as error:
            raise CannotStart(str(error)) from error
        self.memory = WindowMemory(profile_dir)
        self.sandbox = None if engine_problem(os.environ) else Sandbox()
        self.client = GatewayClient(
            ConnectOptions(
                url=target.url,
                token=target.token,
                caps=declared_caps(can_draw_pages=self.sandbox is not None),
                identity=identity,
                client_version=__version__,
            )
        )
        self.supervisor = (
            Supervisor(
                gateway_command(profile_dir=profile_dir),
                on_endpoint=self._use_endpoint,
                on_lost=self._show_lost_gateway,
            )
            if target.is_embedded
            else None
        )
        self.link = LinkModel(target.name)
        self.link.agent = (settings.model.model or GUIDE) if target.is_embedded else ""
        session_key = self.memory.session_key or MAIN
        self.sessions = SessionsModel(session_key)
        self.outbox = Outbox(profile_dir / "outbox.db", target.url or EMBEDDED_NAME)
        self.drafts = Drafts(profile_dir / "drafts.json", target.url or EMBEDDED_NAME)
        self.chat = ChatModel(self.client, session_key, self.outbox)
        self.documents = DocumentsModel(self.client)
        self.widgets = WidgetFactory(self.sandbox, self.documents)
        self.window = MainWindow(self.link, self.sessions, self.chat, self.widgets)
        self._connect()

    def _connect(self) -> None:
        self.client.watch_status(self._take_status)
        self.client.subscribe(self._take_notification)
        self.chat.sessions_touched.connect(self.refresh_sessions)
        self.sessions.current_changed.connect(self._remember_session)
        window = self.window
        window.closed.connect(self.closed.set)
        window.new_chat_requested.connect(self.new_chat)
        window.reconnect_requested.connect(self.reconnect)
        window.theme_chosen.connect(self.choose_theme)
        window.zoom_changed.connect(self._remember_zoom)
        window.link_activated.connect(_open_link)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        window.draft_changed.connect(self.drafts.keep)
        window.draft_wanted.connect(self._show_draft)
        window.set_zoom(self.memory.zoom)
        self._show_draft(self.sessions.current)
        self._follow_system()

    # Life.

    def show(self) -> None:
        """Show the window where it was."""
        self.memory.restore_place(self.window)
        self.window.show()

    async def start(self) -> None:
        """Bring up the gateway if it is ours, and begin to connect.

        A gateway that does not start is told in the window; `reconnect` tries again.
        """
        if problem := engine_problem(os.environ):
            self.chat.problem.emit(problem)
        if self.outbox.problem:
            self.chat.problem.emit(self.outbox.problem)
        if self.supervisor is not None:
            try:
                await self.supervisor.start()
            except GatewayFailed as error:
                log.error("%s", error)
                self.link.show_problem(str(error))
                return
        await self.client.start()

    async def stop(self) -> None:
        """Take everything down in order; nothing that was acknowledged is lost."""
        self.window.keep_draft()
        self.memory.keep_place(self.window)
        await self._tasks.close()
        await self.chat.close()
        self.outbox.close()
        await self.documents.close()
        await self.client.close()
        if self.supervisor is not None:
            await self.supervisor.stop()
        self.window.transcript.shut_down()
        if self.sandbox is not None:
            self.sandbox.close()
        self.window.hide()
        self.window.deleteLater()

    async def run_until_closed(self) -> int:
        """Show the window, work until a person closes it, and clean up. Returns the exit code."""
        self.show()
        with ended_by_signals(self.closed.set):
            try:
                await self.start()
                await self.closed.wait()
            finally:
                await self.stop()
        return 0

    # What a person does.

    def new_chat(self) -> None:
        """Open a conversation that the gateway does not know yet."""
        self.window.open_session(f"chat-{uuid.uuid4().hex[:12]}")

    def reconnect(self) -> None:
        """Try again, now."""
        if self.supervisor is not None and self.endpoint is None:
            self._tasks.start(self.start(), name="start the gateway again")
        else:
            self.client.retry_now()

    def choose_theme(self, name: str) -> None:
        """Use a theme by its name, or `system` to follow the system."""
        self.memory.theme_choice = name
        self._follow_system()

    def refresh_sessions(self) -> None:
        """Read the list of conversations again."""
        self._tasks.start(self._read_sessions(), name="list conversations")

    # What happens.

    def _use_endpoint(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.client.change_endpoint(endpoint.ws_url, endpoint.token)

    def _show_lost_gateway(self, sentence: str) -> None:
        log.warning("%s", sentence)
        self.link.show_problem(sentence)

    def _take_status(self, status: LinkStatus) -> None:
        was_ready = self.link.is_ready
        self.link.show_status(status)
        if status.state is LinkState.READY and not was_ready:
            self.chat.link_is_back()
            self.refresh_sessions()

    def _take_notification(self, event: Notification) -> None:
        if isinstance(event, Gap):
            self.chat.reload()
        else:
            self.chat.take_event(event)  # type: ignore[arg-type]

    async def _read_sessions(self) -> None:
        try:
            self.sessions.show_entries(await self.client.sessions())
        except GatewayError as error:
            log.warning("could not list conversations: %s", error)

    def _show_draft(self, session_key: str) -> None:
        self.window.composer.set_draft(self.drafts.text(session_key))

    def _remember_session(self, key: str) -> None:
        self.memory.session_key = key

    def _remember_zoom(self, factor: float) -> None:
        self.memory.zoom = factor

    def _follow_system(self) -> None:
        choice = self.memory.theme_choice
        self.window.set_theme(_theme_for(choice), choice)


def _theme_for(choice: str) -> Theme:
    chosen = next((theme for name, theme in THEMES.items() if name == choice), None)
    is_dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return chosen or (DARK if is_dark else LIGHT)


def _open_link(address: str) -> None:
    url = QUrl(address)
    if url.scheme() in ("http", "https", "mailto"):
        QDesktopServices.openUrl(url)
