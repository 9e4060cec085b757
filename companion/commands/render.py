"""`companion render`: a page or drawing in a file, drawn by the app's own sandbox."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from PySide6.QtGui import QPixmap

from companion import resources
from companion.app import CannotStart, engine_problem, make_application
from companion.commands.arguments import DONE, FALLS_SHORT, WRONG_INPUT, WrongInput, complain
from companion.domain.markup import MarkupError, build_document, check_markup
from companion.loop import run as run_loop
from companion.sandbox.sandbox import Sandbox
from companion.sandbox.view import PageDocument, PageView
from companion.views.page_window import PageWindow
from companion.views.theme import THEMES

NAME = "companion render"
REASONS = ("console", "refusal", "blank")
PAINT_LIMIT_S = 60.0
WAIT_LIMIT_S = 30.0
STILL_LIMIT_S = 10.0
LOOK_EVERY_S = 0.15
NO_TREE = "the tree of a page is not read by this version; look at the page with a screen reader"


@dataclass
class Report:
    """What was seen of the page; sizes in pixels of the page, times in milliseconds."""

    ok: bool = False
    output: str = ""
    width: int = 0
    height: int = 0
    paint_ms: int | None = None
    console: list[str] = field(default_factory=list)
    refused: list[dict[str, str]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    a11y: dict[str, object] = field(default_factory=lambda: {"tree": None, "findings": [NO_TREE]})


class _Short(Exception):
    """The page did not do what it was asked to; the message says what."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("page", metavar="PAGE", help="an HTML or SVG file, as an agent would send it")
    parser.add_argument("-o", "--out", required=True, metavar="OUT.png", help="where the picture goes")
    parser.add_argument("--report", metavar="FILE", help="write what was seen as JSON")
    parser.add_argument("--theme", choices=tuple(THEMES), default="light", help="the colours of the app")
    parser.add_argument("--dpr", type=_ratio, default=1.0, help="device pixels per pixel, 0.5 to 4")
    parser.add_argument("--width", type=_width, default=640, help="in pixels, 100 to 4000 (640)")
    parser.add_argument("--wait-for", metavar="TEXT", help="wait until the page's console says TEXT")
    parser.add_argument(
        "--fail-on", type=_reasons, default=(), metavar="LIST", help=f"any of {','.join(REASONS)}"
    )


def _ratio(text: str) -> float:
    value = float(text)
    if not math.isfinite(value) or not 0.5 <= value <= 4:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.5 and 4")
    return value


def _width(text: str) -> int:
    value = int(text)
    if not 100 <= value <= 4000:
        raise argparse.ArgumentTypeError(f"{text} is not between 100 and 4000")
    return value


def _reasons(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(","))
    if unknown := [word for word in words if word not in REASONS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(REASONS)}")
    return words


def run(arguments: argparse.Namespace) -> int:
    """Draw the page: 0 drawn, 1 it failed or a reason of --fail-on holds, 2 wrong input."""
    try:
        html = _read(Path(arguments.page))
        if problem := engine_problem(os.environ):
            raise WrongInput(problem)
        # Qt reads it once, when the application object is made.
        os.environ["QT_SCALE_FACTOR"] = str(arguments.dpr)
        application = make_application(is_seen=False)
    except (WrongInput, CannotStart) as error:
        return complain(NAME, str(error), WRONG_INPUT)

    async def main() -> int:
        sandbox, window = Sandbox(), PageWindow(arguments.width)
        try:
            return await _Studio(arguments, sandbox, window).draw(html)
        except WrongInput as error:
            return complain(NAME, str(error), WRONG_INPUT)
        finally:
            sandbox.close()
            window.hide()
            window.deleteLater()

    return run_loop(application, main)


def _read(path: Path) -> bytes:
    """Return the document around the file *path*, made as `show_widget` makes it."""
    try:
        code = check_markup(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise WrongInput(f"{str(path)!r} can not be read ({error}). Name a text file in UTF-8") from error
    except MarkupError as error:
        raise WrongInput(f"{str(path)!r} can not be drawn: {error}") from error
    shim, style = resources.read_text("widget/shim.js"), resources.read_text("widget/style.css")
    return build_document(path.stem, code, shim=shim, style=style).encode()


class _Studio:
    """One page in a window of its own, and what is seen of it."""

    def __init__(self, arguments: argparse.Namespace, sandbox: Sandbox, window: PageWindow) -> None:
        self._wanted, self._sandbox, self._window = arguments, sandbox, window
        self._report = Report(output=arguments.out, width=arguments.width)
        self._failure = ""

    async def draw(self, html: bytes) -> int:
        """Draw, write picture and report, and return the exit code."""
        view = self._open(html)
        report, problem = self._report, ""
        try:
            await self._until(lambda: report.paint_ms is not None, PAINT_LIMIT_S, "the page was not painted")
            if text := self._wanted.wait_for:
                await self._until(
                    lambda: any(text in line for line in _console(view)),
                    WAIT_LIMIT_S,
                    f"the page's console never said {text!r}",
                )
            problem = self._judge(await self._still_picture(view), _console(view))
        except _Short as error:
            report.console, problem = _console(view), str(error)
        report.height, report.sizes, report.ok = view.height(), self._window.sizes, not problem
        try:
            self._write_report()
        except OSError as error:
            raise WrongInput(f"the report can not be written ({error}). Name another file") from error
        return complain(NAME, problem, FALLS_SHORT) if problem else DONE

    def _open(self, html: bytes) -> PageView:
        document = PageDocument("page", html, Path(self._wanted.page).name)
        view = self._window.open_page(self._sandbox, document, THEMES[self._wanted.theme])
        view.painted.connect(self._note_paint)
        view.refused.connect(lambda url, rule: self._report.refused.append({"url": url, "rule": rule}))
        view.failed.connect(self._note_failure)
        if view.live_page is not None:
            view.live_page.effect.connect(lambda effect: self._report.messages.append(type(effect).__name__))
        return view

    def _note_paint(self, took_ms: int) -> None:
        self._report.paint_ms = took_ms

    def _note_failure(self, why: str) -> None:
        self._failure = why

    async def _still_picture(self, view: PageView) -> QPixmap:
        """Return the picture once two in a row are equal; a page that moves is taken as it is in the end."""
        before = view.take_picture().toImage()
        for _ in range(round(STILL_LIMIT_S / LOOK_EVERY_S)):
            await asyncio.sleep(LOOK_EVERY_S)
            if self._failure:
                raise _Short(self._failure)
            now = view.take_picture().toImage()
            if now == before and not now.isNull() and now.deviceIndependentSize().height() == view.height():
                break
            before = now
        return view.take_picture()

    def _judge(self, picture: QPixmap, console: list[str]) -> str:
        """Save *picture* and return why the page falls short, or an empty text."""
        self._report.console = console
        if not picture.save(self._wanted.out):
            raise WrongInput(
                f"the picture can not be written to {self._wanted.out!r}. Name a .png file in a folder"
            )
        found = {"console": console, "refusal": self._report.refused, "blank": _is_blank(picture)}
        reasons = [reason for reason in self._wanted.fail_on if found[reason]]
        return f"the page falls short: {', '.join(reasons)}. The report says more" if reasons else ""

    def _write_report(self) -> None:
        if self._wanted.report:
            Path(self._wanted.report).write_text(
                json.dumps(asdict(self._report), ensure_ascii=False), encoding="utf-8"
            )

    async def _until(self, is_so: Callable[[], bool], limit_s: float, what: str) -> None:
        for _ in range(round(limit_s / LOOK_EVERY_S)):
            if self._failure:
                raise _Short(self._failure)
            if is_so():
                return
            await asyncio.sleep(LOOK_EVERY_S)
        raise _Short(f"{what} within {limit_s:.0f} s")


def _console(view: PageView) -> list[str]:
    return list(view.live_page.page.console) if view.live_page is not None else []


def _is_blank(picture: QPixmap) -> bool:
    """Whether every point of *picture* has one colour."""
    image = picture.toImage()
    width, height = image.width(), image.height()
    if not width or not height:
        return True
    first = image.pixel(0, 0)
    return all(image.pixel(x, y) == first for y in range(height) for x in range(width))
