"""Whether a page still answers. No timer and no clock here: the view brings both."""

from __future__ import annotations

import math

PERIOD_S = 1.0
MISSED_BEATS = 2


class Heartbeat:
    """Counts beats of about a second that went by without an answer.

    A beat that comes late says that we were busy ourselves: the answer may
    already wait behind it, so it is not held against the page.
    """

    def __init__(self) -> None:
        self._asked: int = 0
        self._answered: int = 0
        self._missed = 0
        self._last_beat_s = -math.inf

    def beat(self, at_s: float) -> int:
        """Note a beat and return the number of the question to ask now."""
        is_late = at_s - self._last_beat_s > 1.5 * PERIOD_S
        if self._asked > self._answered and not is_late:
            self._missed += 1
        self._last_beat_s = at_s
        self._asked += 1
        return self._asked

    def answer(self, number: int) -> None:
        """Note the answer to question *number*."""
        self._answered = max(self._answered, number)
        self._missed = 0

    def rest(self) -> None:
        """Forget the open question: the page is not visible, so it may be silent."""
        self._answered = self._asked
        self._missed = 0
        self._last_beat_s = -math.inf

    @property
    def is_stuck(self) -> bool:
        """Whether the page was silent for two whole beats."""
        return self._missed >= MISSED_BEATS
