"""How long to wait before each new try to connect. Pure."""

from __future__ import annotations

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 30.0
JITTER = 0.5
"""The largest share by which a delay is shortened."""


def delay_s(attempt: int, chance: float) -> float:
    """Return how long to wait after the failed try number *attempt*.

    The delay doubles from half a second to half a minute. Chance shortens it by up
    to half, so that the clients of a gateway that restarts do not come back at once.

    Args:
        attempt: 1 for the first try that failed.
        chance: A number from 0 up to 1.
    """
    # The exponent is bounded first: 2 to the power of a day's tries is no float.
    whole = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** min(max(attempt, 1) - 1, 16))
    return whole * (1 - JITTER * chance)
