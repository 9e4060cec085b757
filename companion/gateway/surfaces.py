"""Capability addresses: who has one may read documents over HTTP until it ends."""

from __future__ import annotations

import secrets
from collections.abc import Callable

LIFETIME_S = 600.0
MAX_OPEN = 4096
"""Capabilities kept at once; the oldest goes first."""


class Capabilities:
    """Every open capability.

    Args:
        clock: Seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._ends_at: dict[str, float] = {}

    def mint(self) -> str:
        """Return a new capability, which nobody can guess; it ends after `LIFETIME_S`."""
        now = self._clock()
        # They are in the order in which they end, so the first is the oldest.
        while self._ends_at and (len(self._ends_at) >= MAX_OPEN or self._oldest_end() <= now):
            del self._ends_at[next(iter(self._ends_at))]
        capability = secrets.token_urlsafe(24)
        self._ends_at[capability] = now + LIFETIME_S
        return capability

    def _oldest_end(self) -> float:
        return next(iter(self._ends_at.values()))

    def is_open(self, capability: str) -> bool:
        """Whether *capability* was minted here and has not ended."""
        # A dictionary's lookup tells nothing useful by its time: the names are random and 192 bits long.
        return self._ends_at.get(capability, 0.0) > self._clock()
