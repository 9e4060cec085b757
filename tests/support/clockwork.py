"""A clock that moves when the test says so, for whatever takes a `Timing`."""

from __future__ import annotations

import asyncio

from gateway_client.timing import Timing


class Clockwork:
    """Time that stands still between two calls of `advance`."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []
        """Every wait that was asked for, in order, in seconds."""
        self._sleepers: list[tuple[float, asyncio.Event]] = []
        self.timing = Timing(clock=lambda: self.now, sleep=self._sleep, rng=lambda: 0.0)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        woken = asyncio.Event()
        sleeper = (self.now + seconds, woken)
        self._sleepers.append(sleeper)
        try:
            await woken.wait()
        finally:
            if sleeper in self._sleepers:
                self._sleepers.remove(sleeper)

    @property
    def waiting(self) -> int:
        """How many wait for time to pass."""
        return len(self._sleepers)

    def advance(self, seconds: float) -> None:
        """Let *seconds* pass."""
        self.now += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self.now]
        for sleeper in due:
            self._sleepers.remove(sleeper)
            sleeper[1].set()
