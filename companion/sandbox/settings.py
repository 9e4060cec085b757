"""What a page may use of the web engine: scripts, and of the rest only what shows something."""

from __future__ import annotations

from PySide6.QtWebEngineCore import QWebEngineSettings

_A = QWebEngineSettings.WebAttribute

OFF = (
    _A.JavascriptCanOpenWindows,
    _A.JavascriptCanAccessClipboard,
    _A.JavascriptCanPaste,
    _A.LocalStorageEnabled,
    _A.LocalContentCanAccessRemoteUrls,
    _A.LocalContentCanAccessFileUrls,
    _A.HyperlinkAuditingEnabled,
    _A.ErrorPageEnabled,
    _A.PluginsEnabled,
    _A.FullScreenSupportEnabled,
    _A.ScreenCaptureEnabled,
    _A.AutoLoadIconsForPage,
    _A.TouchIconsEnabled,
    _A.FocusOnNavigationEnabled,
    _A.AllowRunningInsecureContent,
    _A.AllowGeolocationOnInsecureOrigins,
    _A.AllowWindowActivationFromJavaScript,
    _A.DnsPrefetchEnabled,
    _A.PdfViewerEnabled,
    _A.NavigateOnDropEnabled,
    _A.BackForwardCacheEnabled,
    # A canvas page wants it, but the driver is a large surface; it comes with its own audit.
    _A.WebGLEnabled,
)

ON = (_A.WebRTCPublicInterfacesOnly, _A.PlaybackRequiresUserGesture)


def close_settings(settings: QWebEngineSettings) -> None:
    """Switch off what a page must not have."""
    for attribute in OFF:
        settings.setAttribute(attribute, False)
    for attribute in ON:
        settings.setAttribute(attribute, True)
    settings.setUnknownUrlSchemePolicy(QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes)
