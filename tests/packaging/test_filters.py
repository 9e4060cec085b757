"""The recorded names are of Qt 6.11.3 and 6.12.0, as the freezer and the wheels list them."""

from __future__ import annotations

import re
from pathlib import Path

import filters
import pytest

RECORDED = Path(__file__).parents[1] / "vectors" / "packaging"
SYSTEMS = ("linux", "windows", "macos")
GPL_OR_COMMERCIAL = re.compile("charts|graphs|datavisualization", re.IGNORECASE)


def recorded(system: str) -> list[str]:
    return (RECORDED / f"{system}.txt").read_text(encoding="utf-8").split("\n")[:-1]


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_gpl_of_qt_is_shipped(system):
    names = recorded(system)
    assert any(GPL_OR_COMMERCIAL.search(name) for name in names)
    assert [name for name in filters.split(names)[0] if GPL_OR_COMMERCIAL.search(name)] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_qml_and_no_multimedia_is_shipped(system):
    kept = filters.split(recorded(system))[0]
    assert [
        name for name in kept if "/qml/" in name or re.search("multimedia|avcodec|quick3d", name, re.I)
    ] == []


@pytest.mark.parametrize(
    ("system", "needed"),
    [
        (
            "linux",
            [
                "PySide6/Qt/lib/libQt6WebEngineCore.so.6",
                "PySide6/Qt/libexec/QtWebEngineProcess",
                "PySide6/Qt/libexec/qt.conf",
                "PySide6/Qt/plugins/platforms/libqxcb.so",
                "PySide6/Qt/plugins/platforms/libqoffscreen.so",
                "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
                "PySide6/Qt/plugins/tls/libqopensslbackend.so",
                "PySide6/Qt/resources/icudtl.dat",
                "PySide6/Qt/resources/qtwebengine_devtools_resources.pak",
                "PySide6/Qt/translations/qtwebengine_locales/en-US.pak",
                "PySide6/QtWebEngineWidgets.abi3.so",
                "libQt6Core.so.6",
                "libsoftokn3.so",
                "libfreebl3.so",
                "libnssckbi.so",
            ],
        ),
        (
            "windows",
            [
                "PySide6/Qt6WebEngineCore.dll",
                "PySide6/QtWebEngineProcess.exe",
                "PySide6/QtWebEngineWidgets.pyd",
                "PySide6/plugins/platforms/qwindows.dll",
                "PySide6/plugins/styles/qmodernwindowsstyle.dll",
                "PySide6/plugins/tls/qschannelbackend.dll",
                "PySide6/resources/v8_context_snapshot.bin",
                "PySide6/translations/qtwebengine_locales/en-US.pak",
                "PySide6/opengl32sw.dll",
            ],
        ),
        (
            "macos",
            [
                "PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore",
                "PySide6/Qt/lib/QtWebEngineCore.framework/Versions/A/QtWebEngineCore",
                "PySide6/Qt/lib/QtWebEngineCore.framework/Versions/A/Helpers/QtWebEngineProcess.app"
                "/Contents/MacOS/QtWebEngineProcess",
                "PySide6/Qt/lib/QtWebEngineCore.framework/Versions/A/Resources/qtwebengine_locales/en-US.pak",
                "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
                "PySide6/Qt/plugins/styles/libqmacstyle.dylib",
                "PySide6/Qt/plugins/tls/libqsecuretransportbackend.dylib",
            ],
        ),
    ],
)
def test_what_the_engine_and_the_window_need_is_shipped(system, needed):
    names = recorded(system)
    assert [name for name in needed if name not in names] == []
    assert [name for name in needed if not filters.keep(name)] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_of_the_engines_languages_only_our_own_are_shipped(system):
    kept = [name for name in filters.split(recorded(system))[0] if "qtwebengine_locales" in name]
    assert kept
    assert {Path(name).name for name in kept} == {"en-US.pak"}


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6BrandNew.so.6",
        "PySide6/Qt6BrandNew.dll",
        "PySide6/Qt/lib/QtBrandNew.framework/Versions/A/QtBrandNew",
        "PySide6/QtBrandNew.abi3.so",
        "PySide6/Qt/plugins/brandnew/libqsomething.so",
        "PySide6/Qt/plugins/platforms/libqvnc.so",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/imageformats/libqpdf.so",
        "PySide6/resources/qtwebengine_resources.debug.pak",
        "libgbm.so.1",
        "libgtk-3.so.0",
        "libpango-1.0.so.0",
    ],
)
def test_what_nobody_allowed_stays_out(name):
    assert not filters.keep(name)


@pytest.mark.parametrize(
    "name",
    ["companion/_resources/docs/x.md", "base_library.zip", "pydantic_core/_pydantic_core.so", "libssl.so.3"],
)
def test_what_is_not_of_qt_is_left_alone(name):
    assert filters.keep(name)


def test_a_name_is_judged_alike_with_backslashes_and_in_any_case():
    for name in (
        "PySide6\\Qt6WebEngineCore.dll",
        "PySide6\\plugins\\platforms\\qwindows.dll",
        "PySide6\\Qt6Charts.dll",
    ):
        assert filters.keep(name) == filters.keep(name.replace("\\", "/")) == filters.keep(name.upper())


def test_splitting_loses_no_name_and_keeps_their_order():
    names = recorded("linux")
    kept, dropped = filters.split(names)
    assert sorted(kept + dropped) == sorted(names)
    assert kept == [name for name in names if name in set(kept)]
