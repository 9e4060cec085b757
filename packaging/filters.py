"""What the frozen program keeps of Qt. Pure: names in, a decision out.

Libraries and plug-ins of Qt are on allow lists, because a new Qt brings new ones and none may slip in. The
bindings' Charts, Graphs and DataVisualization must never ship: they are GPL or commercial.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LANGUAGES = frozenset({"en"})
"""Languages of our own interface; Qt's and the engine's texts are kept in the same ones."""

MODULES = frozenset(
    """
    core gui widgets network dbus opengl openglwidgets svg svgwidgets printsupport
    qml qmlmodels qmlmeta qmlworkerscript quick quickwidgets positioning webchannel
    webenginecore webenginewidgets xcbqpa waylandclient wlshellintegration
    """.split()
)
"""What the web engine's widgets are linked to, and what we use. Quick comes without its QML."""

PLUGINS: dict[str, frozenset[str]] = {
    "platforms": frozenset({"xcb", "wayland", "offscreen", "minimal", "windows", "cocoa"}),
    "xcbglintegrations": frozenset({"xcb-egl-integration", "xcb-glx-integration"}),
    "wayland-decoration-client": frozenset({"adwaita", "bradient"}),
    "wayland-graphics-integration-client": frozenset(
        {"dmabuf-server", "drm-egl-server", "qt-plugin-wayland-egl"}
    ),
    "wayland-shell-integration": frozenset({"xdg-shell", "qt-shell"}),
    "platformthemes": frozenset({"xdgdesktopportal"}),
    "platforminputcontexts": frozenset(
        {"composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"}
    ),
    "imageformats": frozenset({"gif", "ico", "jpeg", "svg", "webp"}),
    "iconengines": frozenset({"svgicon"}),
    "tls": frozenset({"certonlybackend", "opensslbackend", "schannelbackend", "securetransportbackend"}),
    "networkinformation": frozenset(
        {"glib", "networkmanager", "networklistmanager", "applenetworkinformation"}
    ),
    "printsupport": frozenset({"cupsprintersupport"}),
    "styles": frozenset({"modernwindowsstyle", "macstyle"}),
}

FROM_THE_HOST = ("libgbm.so",)
"""Must match the host's graphics driver, so the host's own is used."""

ONLY_FOR_DROPPED_PLUGINS = tuple(
    """
    libgtk-3 libgdk-3 libgdk_pixbuf libatk libcairo libpango libpixman libdatrie libthai libfribidi libepoxy
    libpulse libsndfile libflac libogg libvorbis libopus libmp3lame libmpg123 libasyncns
    libavcodec libavformat libavutil libswresample libswscale avcodec- avformat- avutil- swresample- swscale-
    """.split()
)
"""Libraries of the GTK theme, of sound servers and of Multimedia; nothing that is kept is linked to them."""

_MODULE = re.compile(
    r"""(?:^|/)(?:
        libqt6(?P<linux>[a-z0-9]+)\.(?:so|6)   # libQt6Core.so.6, libQt6Core.6.dylib
      | qt6(?P<windows>[a-z0-9]+)\.dll           # Qt6Core.dll
      | qt(?P<framework>[a-z0-9]+)\.framework/   # QtCore.framework/Versions/A/QtCore
      | qt(?P<extension>[a-z0-9]+)\.(?:abi3|pyd|cpython|pyi)  # QtCore.abi3.so, QtCore.pyd
    )""",
    re.VERBOSE,
)
_PLUGIN = re.compile(r"/plugins/(?P<folder>[^/]+)/(?:lib)?(?P<name>[^/]+?)\.(?:so|dll|dylib)$")
_TRANSLATION = re.compile(r"/(?:qtbase|qtwebengine)_(?P<language>[a-z]+)(?:_[a-z]+)?\.qm$")
_LOCALE = re.compile(r"/qtwebengine_locales/(?P<language>[a-z]+)(?:-[a-z0-9]+)?\.pak$")
_ENGINE_DEFAULT = "/qtwebengine_locales/en-us.pak"


def keep(name: str) -> bool:
    """Whether a file belongs into the program.

    Args:
        name: Its place in the program's folder, as the freezer writes it, on any system.
    """
    path = name.replace("\\", "/").lower()
    base = path.rpartition("/")[2]
    if base.startswith((*FROM_THE_HOST, *ONLY_FOR_DROPPED_PLUGINS)):
        return False
    if "/qtwebengine_locales/" in path:
        return _keep_locale(path)
    module = _MODULE.search(path)
    if module is not None:
        return next(found for found in module.groups() if found) in MODULES
    return not path.startswith("pyside6/") or _keep_of_qt(path)


def _keep_of_qt(path: str) -> bool:
    if "/qml/" in path or ".debug." in path:
        return False
    if "/plugins/" in path:
        plugin = _PLUGIN.search(path)
        return plugin is not None and _plugin_name(plugin["name"]) in PLUGINS.get(
            plugin["folder"], frozenset()
        )
    if "/translations/" in path:
        translation = _TRANSLATION.search(path)
        return translation is not None and translation["language"] in LANGUAGES
    return True


def _keep_locale(path: str) -> bool:
    if path.endswith(_ENGINE_DEFAULT):
        return True  # what the engine falls back to, whatever the language
    locale = _LOCALE.search(path)
    return locale is not None and locale["language"] in LANGUAGES - {"en"}


def _plugin_name(stem: str) -> str:
    """`qxcb` and `xcb`, for plug-ins are named with and without the letter."""
    bare = stem.removeprefix("q")
    return stem if stem.startswith("qt-") else bare


def split(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Divide names into those kept and those dropped, in their order."""
    kept: list[str] = []
    dropped: list[str] = []
    for name in names:
        (kept if keep(name) else dropped).append(name)
    return kept, dropped
