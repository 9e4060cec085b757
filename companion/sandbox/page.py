"""A web page with every handler refusing: it stays where it is and asks nobody for anything."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtWebEngineCore import (
    QWebEngineCertificateError,
    QWebEngineClientCertificateSelection,
    QWebEngineDesktopMediaRequest,
    QWebEngineFileSystemAccessRequest,
    QWebEngineFullScreenRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineProfile,
    QWebEngineRegisterProtocolHandlerRequest,
    QWebEngineWebAuthUxRequest,
)

from companion.domain.serving import Refusal, is_about_our_headers, may_navigate, refused_by_policy

MAX_CONSOLE_LINES = 200
MAX_CONSOLE_CHARS = 2000


class ForeignPage(QWebEnginePage):
    """The page of one view.

    Args:
        view_id: The host of the addresses it may be at.
        is_guarded: Whether its handlers refuse; a test leaves that out to see what they stop.
    """

    refused_here = Signal(str, Refusal)  # address, rule

    def __init__(
        self, view_id: str, profile: QWebEngineProfile, *, is_guarded: bool, parent: QObject
    ) -> None:
        super().__init__(profile, parent)
        self._view_id = view_id
        self._is_guarded = is_guarded
        self.console: list[str] = []
        """The page's last lines to its console, for the inspector; what floods is dropped."""
        self.asked: list[str] = []
        """What the page asked a person for, in vain: dialogs, files, permissions."""
        if is_guarded:
            self._refuse_requests()

    def _refuse_requests(self) -> None:
        self.permissionRequested.connect(self._deny_permission)
        self.fullScreenRequested.connect(self._reject_full_screen)
        self.fileSystemAccessRequested.connect(self._reject_file_system)
        self.desktopMediaRequested.connect(self._cancel_desktop_media)
        self.registerProtocolHandlerRequested.connect(self._reject_protocol_handler)
        self.certificateError.connect(self._reject_certificate)
        self.selectClientCertificate.connect(self._select_no_certificate)
        self.webAuthUxRequested.connect(self._cancel_web_auth)
        self.printRequested.connect(lambda: self._note("print"))
        self.windowCloseRequested.connect(lambda: self._note("close"))
        self.geometryChangeRequested.connect(lambda _geometry: self._note("geometry"))

    def _note(self, what: str) -> None:
        if len(self.asked) < MAX_CONSOLE_LINES:
            self.asked.append(what)

    def acceptNavigationRequest(
        self, url: QUrl | str, type_: QWebEnginePage.NavigationType, is_main_frame: bool
    ) -> bool:
        """Allow our own first load and a fragment of it, nothing else."""
        address = url if isinstance(url, str) else url.toString()
        if not self._is_guarded:
            return True
        if may_navigate(address, is_main_frame=is_main_frame, view_id=self._view_id):
            return True
        self.refused_here.emit(address[:2000], Refusal.NAVIGATION)
        return False

    def createWindow(self, _type: QWebEnginePage.WebWindowType) -> QWebEnginePage:
        """Open nothing."""
        self.refused_here.emit("", Refusal.WINDOW)
        return None  # type: ignore[return-value]  # Qt's way to say no; the stub does not know it

    def javaScriptAlert(self, _origin: QUrl | str, _text: str) -> None:
        """Swallow the dialog."""
        self._note("alert")

    def javaScriptConfirm(self, _origin: QUrl | str, _text: str) -> bool:
        """Swallow the dialog and answer no."""
        self._note("confirm")
        return False

    def javaScriptPrompt(self, _origin: QUrl | str, _text: str, _default: str) -> tuple[bool, str]:
        """Swallow the dialog and answer nothing."""
        self._note("prompt")
        return False, ""

    def javaScriptConsoleMessage(
        self, _level: QWebEnginePage.JavaScriptConsoleMessageLevel, text: str, _line: int, _source: str
    ) -> None:
        """Keep the last lines; a page can write faster than anybody reads."""
        line = text[:MAX_CONSOLE_CHARS]
        if is_about_our_headers(line):
            return
        url = refused_by_policy(line)
        if url is not None:
            self.refused_here.emit(url, Refusal.POLICY)
        self.console.append(line)
        if len(self.console) > 2 * MAX_CONSOLE_LINES:
            del self.console[:-MAX_CONSOLE_LINES]

    def chooseFiles(
        self, _mode: QWebEnginePage.FileSelectionMode, _old: Sequence[str], _types: Sequence[str]
    ) -> list[str]:
        """Choose none."""
        self._note("files")
        return []

    def _deny_permission(self, permission: QWebEnginePermission) -> None:
        self._note(f"permission {permission.permissionType().name}")
        permission.deny()

    def _reject_full_screen(self, request: QWebEngineFullScreenRequest) -> None:
        self._note("full screen")
        request.reject()

    def _reject_file_system(self, request: QWebEngineFileSystemAccessRequest) -> None:
        self._note("file system")
        request.reject()

    def _cancel_desktop_media(self, request: QWebEngineDesktopMediaRequest) -> None:
        self._note("screen capture")
        request.cancel()

    def _reject_protocol_handler(self, request: QWebEngineRegisterProtocolHandlerRequest) -> None:
        self._note("protocol handler")
        request.reject()

    def _reject_certificate(self, error: QWebEngineCertificateError) -> None:
        self._note("certificate")
        error.rejectCertificate()

    def _select_no_certificate(self, selection: QWebEngineClientCertificateSelection) -> None:
        self._note("client certificate")
        selection.selectNone()

    def _cancel_web_auth(self, request: QWebEngineWebAuthUxRequest) -> None:
        self._note("web authentication")
        request.cancel()
