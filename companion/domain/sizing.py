"""How tall a page is shown. Pure; time comes in as an argument.

The width belongs to the bubble, and reports of it are not asked for. Rules for
the height:

1. Whole pixels, rounded up, 48 to 8000.
2. A page that shrinks by 4 px or less keeps its height, so that one that
   wavers does not shake the transcript. Growth is always followed: ignoring it
   would cut the page and give it a scroll bar.
3. More than 12 changes within 2 s, or growth by the same step 5 times in a row,
   and the page is not followed any more: it measures what we give it (as
   `100vh` does) and would walk for ever. A new width or a person's touch starts
   the rules afresh.
"""

from __future__ import annotations

import math
from collections import deque

MIN_HEIGHT_PX = 48
MAX_HEIGHT_PX = 8000
JITTER_PX = 4
MAX_CHANGES = 12
WINDOW_S = 2.0
MAX_EQUAL_STEPS = 5


def clamp_height(height_px: float) -> int:
    """Return *height_px* as whole pixels within the bounds; what is no number counts as the least."""
    if math.isnan(height_px):
        return MIN_HEIGHT_PX
    return math.ceil(min(max(height_px, MIN_HEIGHT_PX), MAX_HEIGHT_PX))


class HeightFollower:
    """Turns the reports of one page into the height it is given.

    Args:
        height_px: The height it has before its first report, if one is known.
    """

    def __init__(self, height_px: int | None = None) -> None:
        self._height_px = height_px
        self._changes: deque[float] = deque()
        self._step_px = 0
        self._equal_steps = 0
        self._is_following = True

    @property
    def height_px(self) -> int | None:
        """The height now; None before the first report."""
        return self._height_px

    @property
    def is_following(self) -> bool:
        """Whether reports still count."""
        return self._is_following

    def report(self, height_px: float, at_s: float) -> int | None:
        """Take a report and return the new height, or None if it stays as it is.

        Args:
            at_s: When, on a clock that never goes back.
        """
        wanted = clamp_height(height_px)
        if not self._is_following or self._stays(wanted):
            return None
        if self._walks(wanted, at_s):
            self._is_following = False
            return None
        self._height_px = wanted
        return wanted

    def follow_again(self) -> None:
        """Start the rules afresh: the width changed, or a person touched the page."""
        self._changes.clear()
        self._equal_steps = 0
        self._step_px = 0
        self._is_following = True

    def _stays(self, wanted: int) -> bool:
        current = self._height_px
        return current is not None and (wanted == current or 0 < current - wanted <= JITTER_PX)

    def _walks(self, wanted: int, at_s: float) -> bool:
        step = wanted - self._height_px if self._height_px is not None else 0
        self._equal_steps = self._equal_steps + 1 if step > 0 and step == self._step_px else 1
        self._step_px = step
        while self._changes and at_s - self._changes[0] > WINDOW_S:
            self._changes.popleft()
        self._changes.append(at_s)
        return len(self._changes) > MAX_CHANGES or (step > 0 and self._equal_steps >= MAX_EQUAL_STEPS)
