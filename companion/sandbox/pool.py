"""How many pages may live, and which one gives up its place.

A place goes to whoever asks while there is one; else the hidden page that was
out of sight longest gives up its own. A page that is on screen, or has the
keyboard, keeps its place; then the one that asks waits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Place:
    """What the pool knows of one live page."""

    view_id: str
    is_visible: bool
    has_focus: bool
    seen_at_s: float
    """When it was on screen last."""


class Member(Protocol):
    """A view that may hold a place."""

    def place(self) -> Place:
        """Say how the view stands now."""

    def release(self) -> None:
        """Give up the page and show its last picture."""

    def start(self) -> None:
        """Try again to get a place."""


def choose_victim(places: Iterable[Place]) -> str | None:
    """Return the id of the page that gives up its place, or None if all must stay."""
    free = [place for place in places if not place.is_visible and not place.has_focus]
    return min(free, key=lambda place: place.seen_at_s).view_id if free else None


class Pool:
    """The places of live pages.

    Args:
        max_live: How many there are, at least one.
    """

    def __init__(self, max_live: int) -> None:
        if max_live < 1:
            raise ValueError(f"max_live is {max_live}; at least one page must be able to live")
        self._max_live = max_live
        self._live: dict[str, Member] = {}
        self._waiting: dict[str, Member] = {}

    @property
    def live_ids(self) -> tuple[str, ...]:
        """The views that hold a place."""
        return tuple(self._live)

    def claim(self, view_id: str, member: Member) -> bool:
        """Give *member* a place, if there is one or a hidden page can give up its own; else it waits."""
        if view_id in self._live:
            return True
        if len(self._live) >= self._max_live:
            victim = choose_victim(other.place() for other in self._live.values())
            if victim is None:
                self._waiting[view_id] = member
                return False
            self._live.pop(victim).release()
        self._waiting.pop(view_id, None)
        self._live[view_id] = member
        return True

    def leave(self, view_id: str) -> None:
        """Take back the place of a view that ended; the longest waiting one on screen gets it."""
        self._waiting.pop(view_id, None)
        if self._live.pop(view_id, None) is not None:
            self.serve_waiting()

    def serve_waiting(self) -> None:
        """Let the views that wait try again: a place is free, or a page went out of sight."""
        for view_id, member in list(self._waiting.items()):
            if member.place().is_visible:
                self._waiting.pop(view_id, None)
                member.start()
