"""Whether a transcript follows what arrives, or stays where a person reads. Pure.

States and rules:

1. *following*: the newest line stays in view. It is entered by reaching the
   bottom (24 px), by End, by the pill, and by sending a message.
2. *reading*: nothing moves under the eye. It is entered by scrolling up, however
   little, by dragging and by starting a selection.
3. *searching*: as reading, but reaching the bottom does not end it. It is
   entered by a search and left when the search is closed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

FollowState: TypeAlias = Literal["following", "reading", "searching"]

BOTTOM_PX = 24
"""How near the end counts as the end."""


@dataclass(frozen=True, slots=True)
class Follow:
    """The state, and how many messages came below since it was left."""

    state: FollowState = "following"
    new_below: int = 0

    @property
    def is_following(self) -> bool:
        """Whether the newest line is to be kept in view."""
        return self.state == "following"

    def scrolled(self, moved_px: int, below_px: int) -> Follow:
        """A person scrolled by *moved_px* (negative is up); *below_px* remain to the end."""
        if self.state == "searching" or moved_px == 0:
            return self
        if moved_px < 0:
            return replace(self, state="reading")
        return Follow() if below_px <= BOTTOM_PX else replace(self, state="reading")

    def held(self) -> Follow:
        """A person took hold of the text: a drag, a selection, a wheel turned up."""
        return self if self.state == "searching" else replace(self, state="reading")

    def jumped(self) -> Follow:
        """A person asked for the newest line, or sent a message."""
        return Follow()

    def search_opened(self) -> Follow:
        """A search began."""
        return replace(self, state="searching")

    def search_closed(self, below_px: int) -> Follow:
        """The search ended with *below_px* remaining to the end."""
        if self.state != "searching":
            return self
        return Follow() if below_px <= BOTTOM_PX else replace(self, state="reading")

    def arrived(self, count: int) -> Follow:
        """*count* messages were added at the end."""
        return self if self.is_following else replace(self, new_below=self.new_below + count)
