"""Drives the whole app without a person: sends, waits until everything is drawn, takes pictures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPixmap

from companion.app import CompanionApp
from companion.domain.transcript import Message
from companion.views.blocks.widget import CAP_PX, WidgetFrame
from companion.views.theme import THEMES, SchemeName
from gateway_client.protocol.blocks import WidgetBlock

CONNECT_LIMIT_S = 60.0
ANSWER_LIMIT_S = 180.0
PAINT_LIMIT_S = 60.0
STILL_LIMIT_S = 10.0
LOOK_EVERY_S = 0.1


class FellShort(Exception):
    """What was asked for did not happen in time; the message says what."""


@dataclass(frozen=True, slots=True)
class PaintedWidget:
    """A widget that was really drawn."""

    view_id: str
    url: str
    policy: str
    paint_ms: int


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done, and how long it took."""

    name: str
    ms: int


class Driver:
    """One app, and what was seen of it."""

    def __init__(self, app: CompanionApp, say: Callable[[str], None]) -> None:
        self.app = app
        self.steps: list[Step] = []
        self.widgets: dict[str, PaintedWidget] = {}
        self.refusals: dict[str, str] = {}
        self._say = say
        self._changed = asyncio.Event()
        app.widgets.painted.connect(self._note_paint)
        app.widgets.refused.connect(self._note_refusal)
        app.chat.messages_changed.connect(self._changed.set)
        app.link.changed.connect(self._changed.set)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Tell about a step and keep how long it took."""
        self._say(f"{name} …")
        began = time.monotonic()
        yield
        self.steps.append(Step(name, round((time.monotonic() - began) * 1000)))

    async def until(self, is_so: Callable[[], bool], limit_s: float, what: str) -> None:
        """Wait until *is_so*.

        Raises:
            FellShort: If it is not so after *limit_s* seconds.
        """
        try:
            async with asyncio.timeout(limit_s):
                while not is_so():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            detail = self.app.link.detail or "nothing more was said"
            raise FellShort(f"{what} did not happen within {limit_s:.0f} s ({detail})") from None

    async def connect(self) -> None:
        """Bring up the window, the gateway and the link."""
        with self.step("open the window"):
            self.app.show()
        with self.step("connect to the gateway"):
            await self.app.start()
            await self.until(lambda: self.app.link.is_ready, CONNECT_LIMIT_S, "the connection")

    async def ask(self, text: str) -> Message:
        """Send *text*, wait for the answer, and until each of its widgets is drawn or refused."""
        chat = self.app.chat
        known = {message.key for message in chat.messages}

        def answer() -> Message | None:
            new = [m for m in chat.messages if m.key not in known and m.role == "assistant"]
            return new[-1] if new and new[-1].state != "streaming" else None

        with self.step(f"ask: {text}"):
            self.app.window.composer.submitted.emit(text)
            await self.until(lambda: answer() is not None, ANSWER_LIMIT_S, f"an answer to {text!r}")
            message = answer()
            assert message is not None
            if message.state != "complete":
                raise FellShort(f"the answer to {text!r} ended as {message.state}")
        await self._wait_for_widgets(message)
        return message

    async def _wait_for_widgets(self, message: Message) -> None:
        ids = [part.view_id for part in message.parts if isinstance(part, WidgetBlock)]
        if not ids:
            return
        with self.step("draw the widget"):
            seen = lambda: all(i in self.widgets or i in self.refusals for i in ids)  # noqa: E731
            await self.until(seen, PAINT_LIMIT_S, "the widget's first paint")
        for view_id in ids:
            if view_id in self.refusals:
                raise FellShort(f"the widget was not drawn: {self.refusals[view_id]}")

    async def picture(self, theme: SchemeName, path: Path) -> QPixmap:
        """Show *theme*, wait until the window stands still, and save what it looks like."""
        with self.step(f"picture: {theme}"):
            self.app.window.set_theme(THEMES[theme], theme)
            pixmap = await self._still_picture()
            path.parent.mkdir(parents=True, exist_ok=True)
            if not pixmap.save(str(path)):
                raise FellShort(f"the picture could not be written to {path}")
        return pixmap

    async def _still_picture(self) -> QPixmap:
        """Grab the window until two pictures in a row are the same and every widget shows something."""
        before = self.app.window.grab()
        end = time.monotonic() + STILL_LIMIT_S
        while time.monotonic() < end:
            await asyncio.sleep(LOOK_EVERY_S)
            now = self.app.window.grab()
            if now.toImage() == before.toImage() and not self.blank_widgets(now):
                return now
            before = now
        return before

    def blank_widgets(self, picture: QPixmap) -> list[str]:
        """Return the names of widgets in sight whose place in *picture* has a single colour."""
        return [
            frame.accessibleName() for frame, box in self._frames_in_sight() if _is_one_colour(picture, box)
        ]

    def _frames_in_sight(self) -> Iterator[tuple[WidgetFrame, QRect]]:
        window = self.app.window
        view = self.app.window.transcript.viewport()
        sight = QRect(view.mapTo(window, QPoint(0, 0)), view.size())
        for frame in view.findChildren(WidgetFrame):
            corner = frame.mapTo(window, QPoint(0, CAP_PX))
            body = QRect(corner, frame.size()).adjusted(4, 4, -4, -4 - CAP_PX)
            seen = body.intersected(sight)
            # The edge of a widget that is scrolled away may well have a single colour.
            if frame.isVisible() and seen.height() > body.height() / 2:
                yield frame, seen

    def _note_paint(self, view_id: str, url: str, policy: str, paint_ms: int) -> None:
        self.widgets[view_id] = PaintedWidget(view_id, url, policy, paint_ms)
        self._changed.set()

    def _note_refusal(self, view_id: str, sentence: str) -> None:
        self.refusals[view_id] = sentence
        self._changed.set()


def _is_one_colour(picture: QPixmap, box: QRect) -> bool:
    ratio = picture.devicePixelRatio()
    pixels = QRect(box.topLeft() * ratio, box.size() * ratio)
    image = picture.toImage().copy(pixels)
    first = image.pixel(0, 0)
    step = max(1, round(ratio))
    return all(
        image.pixel(x, y) == first
        for x in range(0, image.width(), step)
        for y in range(0, image.height(), step)
    )
