"""`companion --selftest`: does this installation work, here, as it is installed?

It paints with Qt and with the web engine, starts its own gateway, lets it draw a
widget, and looks at the database and the files that belong to it. Packagers run
it on the built program, testers on the installed one.
"""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import PySide6
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from companion import __version__, config
from companion.app import CannotStart, CompanionApp, Target, engine_problem, make_application
from companion.commands.arguments import DONE, FALLS_SHORT, WRONG_INPUT, complain
from companion.commands.driver import Driver, FellShort
from companion.loop import run as run_loop
from companion.resources import ResourceMissing, resource_path
from companion.supervisor import GatewayFailed
from companion.views.theme import DARK, LIGHT
from gateway_client.errors import GatewayError
from gateway_client.protocol.blocks import WidgetBlock

NAME = "companion --selftest"
NEEDED_RESOURCES = ("docs", "guide", "sandbox", "widget")
WIDGET_MESSAGE = "widget svg"


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, whether it is well, and what was seen."""

    name: str
    ok: bool
    detail: str


def run(arguments: argparse.Namespace) -> int:
    """Check everything: 0 all is well, 1 something is not, 2 it could not even begin."""
    try:
        application = make_application(is_seen=False)
    except CannotStart as error:
        return complain(NAME, str(error), WRONG_INPUT)
    with tempfile.TemporaryDirectory(prefix="companion-selftest-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)

        async def main() -> int:
            checks = [
                _versions(),
                _checked("resources", _resources),
                _checked("database", lambda: _database(folder / "probe.sqlite3")),
                *await _whole_app(folder),
            ]
            return _tell(checks, is_json=arguments.json)

        return run_loop(application, main)


def _checked(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except (FellShort, ResourceMissing, sqlite3.Error, OSError) as error:
        return Check(name, False, str(error))


def _versions() -> Check:
    from PySide6.QtWebEngineCore import qWebEngineChromiumVersion  # noqa: TID251 - only a number is read

    chromium: object = qWebEngineChromiumVersion()  # the stubs say bytes, and it is text
    kind = "frozen" if getattr(sys, "frozen", False) else "from source"
    return Check(
        "versions",
        True,
        f"Companion {__version__} ({kind}), Python {platform.python_version()}, "
        f"PySide6 {PySide6.__version__}, Qt {qVersion()}, Chromium {chromium}, "
        f"{QGuiApplication.platformName()}",
    )


def _resources() -> str:
    found = [str(resource_path(name)) for name in NEEDED_RESOURCES]
    return f"found {', '.join(found)}"


def _database(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(words)")
        connection.execute("INSERT INTO probe VALUES ('a widget and a chart')")
        hits = connection.execute("SELECT count(*) FROM probe WHERE probe MATCH 'widget'").fetchone()[0]
    finally:
        connection.close()
    if mode != "wal" or hits != 1:
        raise FellShort(f"the database works as {mode!r} and found {hits} of 1; another SQLite is needed")
    return f"SQLite {sqlite3.sqlite_version}, WAL, full-text search"


async def _whole_app(folder: Path) -> list[Check]:
    """Start the app with its gateway, and let it draw; each stage that is reached is a check."""
    app = CompanionApp(folder / "profile", Target(), config.Settings())
    driver = Driver(app, lambda text: print(text, file=sys.stderr, flush=True))
    checks: list[Check] = []
    try:
        await driver.connect()
        hello = app.client.status.hello
        version = hello.server.version if hello else "?"
        checks.append(Check("gateway", True, f"version {version}, connected over a loopback socket"))
        checks.append(_native_pixels(app))
        checks.append(await _widget(app, driver))
    except (FellShort, GatewayFailed, GatewayError) as error:
        checks.append(Check("app", False, str(error)))
    finally:
        await app.stop()
    return checks


def _native_pixels(app: CompanionApp) -> Check:
    colours = []
    for theme in (LIGHT, DARK):
        app.window.set_theme(theme, theme.name)
        image = app.window.grab().toImage()
        colours.append((image.pixelColor(4, image.height() // 2).name(), theme.side))
    is_painted = all(seen == wanted for seen, wanted in colours)
    return Check("native pixels", is_painted, ", ".join(f"{seen} for {wanted}" for seen, wanted in colours))


async def _widget(app: CompanionApp, driver: Driver) -> Check:
    if problem := engine_problem({}) if app.sandbox is None else None:
        return Check("web pixels", False, problem)
    message = await driver.ask(WIDGET_MESSAGE)
    if not any(isinstance(part, WidgetBlock) for part in message.parts):
        return Check("web pixels", False, "the gateway's answer has no widget")
    with tempfile.TemporaryDirectory() as scratch:
        picture = await driver.picture("light", Path(scratch) / "widget.png")
    blank = driver.blank_widgets(picture)
    painted = ", ".join(f"{widget.paint_ms} ms to paint" for widget in driver.widgets.values())
    return Check("web pixels", not blank and bool(painted), painted or f"blank: {', '.join(blank)}")


def _tell(checks: list[Check], *, is_json: bool) -> int:
    is_ok = all(check.ok for check in checks)
    if is_json:
        print(json.dumps({"ok": is_ok, "checks": [asdict(check) for check in checks]}), flush=True)
    else:
        for check in checks:
            print(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}", flush=True)
    return DONE if is_ok else FALLS_SHORT
