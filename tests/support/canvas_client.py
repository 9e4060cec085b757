"""A client with a Canvas: raw frames, and the surfaces of the app's own core behind them."""

from __future__ import annotations

import asyncio
from typing import Any

from companion.domain.a2ui.canvas import Canvas
from companion.domain.a2ui.canvases import Canvases
from companion.domain.a2ui.catalogs import TYPES
from gateway_client.protocol import canvas
from tests.support.gateway_in_memory import House, RawClient

CAPS = (canvas.A2UI_V08, canvas.A2UI_V09, canvas.PRESENT, canvas.HIDE, canvas.SNAPSHOT)
SESSION = "agent:main:main"


class CanvasClient:
    """Answers every command as the app would."""

    def __init__(self, raw: RawClient, canvases: Canvases) -> None:
        self.raw = raw
        self.canvases = canvases
        self.received: list[dict[str, Any]] = []
        self._task = asyncio.create_task(self._answer(), name="canvas client")

    @classmethod
    async def of(cls, house: House, canvases: Canvases | None = None) -> CanvasClient:
        """Connect, and say what can be shown."""
        raw = await house.client("tool-events")
        ready = {"type": canvas.READY, "capabilities": list(CAPS), "supportedCatalogIds": list(TYPES)}
        await raw.call(canvas.REPLY_METHOD, ready)
        return cls(raw, canvases or Canvases())

    @property
    def canvas(self) -> Canvas:
        """The Canvas of the main conversation."""
        return self.canvases.canvas(SESSION)

    async def _answer(self) -> None:
        while True:
            await self.raw.frame(lambda _frame: len(self.raw.events(canvas.EVENT)) > len(self.received))
            envelope = self.raw.events(canvas.EVENT)[len(self.received)]
            self.received.append(envelope)
            await self.raw.call(canvas.REPLY_METHOD, self.canvases.apply(envelope))

    async def act(self, envelope: dict[str, Any] | None) -> Any:
        """Send what a person did; returns the gateway's answer."""
        assert envelope is not None, "the act has no effect"
        return await self.raw.call(canvas.REPLY_METHOD, envelope)

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.raw.close()
