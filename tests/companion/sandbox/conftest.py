"""The engine of these tests: prepared before any application object, with a log of its network use."""

from __future__ import annotations

import atexit
import os
import tempfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from companion.sandbox.sandbox import Sandbox
from companion.sandbox.setup import FLAGS_VARIABLE, prepare
from companion.sandbox.view import Appearance, PageDocument

_log = Path(tempfile.mkstemp(prefix="companion-net-", suffix=".json")[1])
atexit.register(_log.unlink, missing_ok=True)
os.environ[FLAGS_VARIABLE] = f"{os.environ.get(FLAGS_VARIABLE, '')} --log-net-log={_log}"
prepare(os.environ)

LIGHT = Appearance(is_dark=False, background="#ffffff", tokens={"text": "#2b2a27", "surface": "#fbfaf8"})
DARK = Appearance(is_dark=True, background="#16171a", tokens={"text": "#d6d4cf", "surface": "#16171a"})

# What the engine says about a machine without a screen or a GPU.
ENGINE_WARNINGS = (
    "QRhi",
    "Failed to create RHI",
    "QVulkan",
    "This plugin does not support",
    "GBM",
    "Sandboxing",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == Path(__file__).parent:
            patterns = [f"^{words}" for words in ENGINE_WARNINGS]
            item.add_marker(pytest.mark.qt_log_ignore(*patterns, extend=True))


@pytest.fixture
def net_log():
    """The file in which the engine notes every name it looks up and every connection it tries."""
    return _log


class Stage:
    """A window with pages in it, and how a test uses them."""

    def __init__(self, qtbot, sandbox):
        self.qtbot, self.sandbox = qtbot, sandbox
        self.window = QWidget()
        self.window.resize(640, 400)
        self.window.show()
        self._made = 0

    def open(self, html, *, tier="scripts", appearance=LIGHT, wait=True):
        """Open a page, given as the inside of its body or as a whole document; wait until it is painted."""
        self._made += 1
        text = html if html.lstrip().lower().startswith("<!doctype") else f"<!doctype html><body>{html}"
        document = PageDocument(f"doc-{self._made}", text.encode(), "Page", tier)
        view = self.sandbox.open_page(document, appearance, self.window)
        view.setGeometry(0, 0, 640, 400)
        if wait:
            with self.qtbot.waitSignal(view.painted, timeout=20_000):
                view.show()
        else:
            view.show()
        return view

    def console(self, view):
        return list(view.live_page.page.console) if view.live_page else []

    def wait_for_line(self, view, text, timeout=10_000):
        self.qtbot.waitUntil(lambda: any(text in line for line in self.console(view)), timeout=timeout)

    def line(self, view, prefix):
        self.wait_for_line(view, prefix)
        return next(line for line in self.console(view) if prefix in line).removeprefix(prefix)


@pytest.fixture
def sandbox(qapp):
    made = Sandbox()
    yield made
    made.close()


@pytest.fixture
def stage(qtbot, sandbox):
    stage = Stage(qtbot, sandbox)
    yield stage
    sandbox.close()
    stage.window.close()
    stage.window.deleteLater()
