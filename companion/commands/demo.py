"""`companion demo`: the main job without a person, on real input, with pictures to look at."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion import config
from companion.app import CannotStart, CompanionApp, Target, engine_problem, make_application
from companion.commands.arguments import (
    DONE,
    FALLS_SHORT,
    PEER_FAILED,
    WRONG_INPUT,
    WrongInput,
    complain,
    read_token,
)
from companion.commands.driver import Driver, FellShort
from companion.loop import run as run_loop
from companion.viewmodels.sessions import MAIN
from gateway_client.errors import GatewayError
from gateway_client.status import LinkState

NAME = "companion demo"
MESSAGES = ("markdown", "widget svg", "widget html")
"""One for each kind of block that exists; the Guide answers them without a model."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("--out", required=True, metavar="DIR", help="where the pictures go")
    parser.add_argument("--gateway", metavar="URL", help="use this gateway; default: the embedded one")
    parser.add_argument("--token-file", metavar="F", help="a file with that gateway's token")
    parser.add_argument(
        "--message", action="append", metavar="TEXT", help="what to send instead of the tour; may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")


def run(arguments: argparse.Namespace) -> int:
    """Run the demonstration: 0 all was drawn, 1 something fell short, 2 wrong input, 3 the gateway failed."""
    try:
        target = Target(arguments.gateway or "", read_token(arguments.token_file))
        settings = config.load()
        application = make_application(is_seen=False)
    except (WrongInput, config.ConfigError, CannotStart) as error:
        return complain(NAME, str(error), WRONG_INPUT)
    messages = tuple(arguments.message or MESSAGES)
    with tempfile.TemporaryDirectory(prefix="companion-demo-", ignore_cleanup_errors=True) as scratch:
        # A tour leaves nothing behind in a person's own profile, unless a profile is named.
        folder = config.profile_dir() if config.PROFILE_VARIABLE in os.environ else Path(scratch)

        async def main() -> int:
            try:
                app = CompanionApp(folder, target, settings)
            except CannotStart as error:
                return complain(NAME, str(error), WRONG_INPUT)
            app.window.open_session(MAIN)
            try:
                return await _demonstrate(app, Path(arguments.out), messages, is_json=arguments.json)
            finally:
                await app.stop()

        return run_loop(application, main)


async def _demonstrate(app: CompanionApp, out: Path, messages: tuple[str, ...], *, is_json: bool) -> int:
    driver = Driver(app, lambda text: print(text, file=sys.stderr, flush=True))
    pictures: list[str] = []
    problem, code = "", DONE
    try:
        await driver.connect()
        for number, text in enumerate(messages, 1):
            await driver.ask(text)
            name = f"{number:02}-{_slug(text)}"
            for theme in ("light", "dark"):
                path = out / f"{name}-{theme}.png"
                picture = await driver.picture(theme, path)
                pictures.append(str(path))
                if blank := driver.blank_widgets(picture):
                    raise FellShort(f"{', '.join(blank)} is blank in {path}")
        if messages == MESSAGES and not driver.widgets:
            raise FellShort(engine_problem(os.environ) or "the tour drew no widget")
    except FellShort as error:
        is_down = not app.link.is_ready
        problem, code = str(error), PEER_FAILED if is_down else FALLS_SHORT
    except (GatewayError, OSError) as error:
        problem, code = str(error), PEER_FAILED
    if is_json:
        print(json.dumps(_report(driver, pictures, is_ok=not problem)), flush=True)
    else:
        print(f"{len(pictures)} pictures in {out}", flush=True)
    return complain(NAME, problem, code) if problem else code


def _report(driver: Driver, pictures: list[str], *, is_ok: bool) -> dict[str, Any]:
    status = driver.app.client.status
    hello = status.hello if status.state is LinkState.READY else None
    return {
        "ok": is_ok,
        "pictures": pictures,
        "steps": [asdict(step) for step in driver.steps],
        "widgets": [asdict(widget) for widget in driver.widgets.values()],
        "gateway": {
            "kind": "embedded" if driver.app.target.is_embedded else "remote",
            "version": hello.server.version if hello else None,
        },
    }


def _slug(text: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()
    return "-".join(words)[:40] or "message"
