"""Where the library's time and chance come from, so that a test brings its own."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """A clock, a way to wait, and chance."""

    clock: Callable[[], float] = time.monotonic
    """Seconds that only grow."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rng: Callable[[], float] = random.random
    """A number from 0 up to 1, for jitter."""
