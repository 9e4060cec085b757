"""The two scripts that the engine puts into every document before the document's own."""

from __future__ import annotations

from PySide6.QtCore import QFile, QIODevice
from PySide6.QtWebEngineCore import QWebEngineScript

from companion.resources import read_text

OUTER_WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld
"""Where the relay and the channel live; no page's script shares an object with it."""


def strip_script() -> QWebEngineScript:
    """Return the script that takes away what no policy stops, in every frame and in the page's own world."""
    script = _at_creation("strip", read_text("sandbox/strip.js"))
    script.setWorldId(QWebEngineScript.ScriptWorldId.MainWorld)
    script.setRunsOnSubFrames(True)
    return script


def outer_script() -> QWebEngineScript:
    """Return the relay: it makes the frame of a page and carries messages between it and us."""
    script = _at_creation("outer", channel_library() + "\n" + read_text("sandbox/outer.js"))
    script.setWorldId(OUTER_WORLD)
    script.setRunsOnSubFrames(False)
    return script


def channel_library() -> str:
    """Return the script that Qt ships for its channel.

    Raises:
        RuntimeError: If the installed Qt does not have it.
    """
    file = QFile(":/qtwebchannel/qwebchannel.js")
    if not file.open(QIODevice.OpenModeFlag.ReadOnly):
        raise RuntimeError("Qt's web channel script is missing. Install the program again.")
    try:
        return bytes(file.readAll().data()).decode("utf-8")
    finally:
        file.close()


def _at_creation(name: str, source: str) -> QWebEngineScript:
    script = QWebEngineScript()
    script.setName(f"companion-{name}")
    script.setSourceCode(source)
    script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
    return script
