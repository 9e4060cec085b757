"""Where the transcript stands: follow the end, or hold still under the eye."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractScrollArea

from companion.domain.follow import Follow
from companion.views.transcript_rows import Change, Rows

AHEAD_PX = 240
"""How far outside the viewport rows are laid out."""
STEP_PX = 24
"""One line of a wheel or of an arrow key."""
_MAX_PASSES = 12


@dataclass(frozen=True, slots=True)
class Anchor:
    """A piece, and how far below its top the viewport begins."""

    row: int
    number: int
    below_px: int


class Scroll(QObject):
    """Keeps heights, scroll bar and follow mode in agreement."""

    settled = Signal()
    """Rows near the viewport are laid out and the scroll bar stands right."""
    new_below_changed = Signal(int)

    def __init__(self, area: QAbstractScrollArea, rows: Rows) -> None:
        super().__init__(area)
        self._area = area
        self._rows = rows
        self._follow = Follow()
        self._anchor: Anchor | None = None
        self._is_settling = False

    @property
    def follow(self) -> Follow:
        """The state of follow mode."""
        return self._follow

    @follow.setter
    def follow(self, follow: Follow) -> None:
        told, self._follow = self._follow.new_below, follow
        if told != follow.new_below:
            self.new_below_changed.emit(follow.new_below)

    @property
    def top_px(self) -> int:
        """The height of the transcript at which the viewport begins."""
        return self._area.verticalScrollBar().value()

    @property
    def view_px(self) -> int:
        """The height of the viewport."""
        return self._area.viewport().height()

    @property
    def below_px(self) -> int:
        """How much of the transcript lies below the viewport."""
        return max(0, self._rows.total_px - self.top_px - self.view_px)

    def settle(self) -> None:
        """Lay out what is near the viewport until nothing moves, and stand where we should."""
        if self._is_settling:
            return
        self._is_settling = True
        try:
            bar = self._area.verticalScrollBar()
            for _ in range(_MAX_PASSES):
                top = self._wanted_top_px()
                if not self._rows.realize(top - AHEAD_PX, top + self.view_px + AHEAD_PX):
                    break
            bar.setPageStep(self.view_px)
            bar.setSingleStep(self._rows.scene.style.px(STEP_PX))
            bar.setRange(0, max(0, self._rows.total_px - self.view_px))
            bar.setValue(self._wanted_top_px())
            self._hold()
        finally:
            self._is_settling = False
        self.settled.emit()

    def _wanted_top_px(self) -> int:
        last = max(0, self._rows.total_px - self.view_px)
        if self._follow.is_following:
            return last
        anchor = self._anchor
        if anchor is None or anchor.row >= len(self._rows):
            return min(self.top_px, last)
        top = self._rows.piece_top_px(anchor.row, anchor.number) + anchor.below_px
        return max(0, min(top, last))

    def _hold(self) -> None:
        spot = self._rows.spot_at(self.top_px, until_px=self.top_px + self.view_px)
        self._anchor = Anchor(spot.row, spot.number, self.top_px - spot.top_px) if spot else None

    def moved_by_person(self, moved_px: int) -> None:
        """Answer the scroll bar: a person moved it by *moved_px* (negative is up)."""
        if self._is_settling:
            return
        self._hold()
        self.follow = self._follow.scrolled(moved_px, self.below_px)
        self.settle()

    def hold(self) -> None:
        """Stop following: a person reads, drags or selects."""
        if self._follow.is_following:
            self._hold()
        self.follow = self._follow.held()

    def jump(self) -> None:
        """Go to the newest line and follow it."""
        self.follow = self._follow.jumped()
        self.settle()

    def start_over(self) -> None:
        """Begin another conversation, at its end."""
        self._anchor = None
        self.follow = Follow()

    def show(self, row: int, number: int = 0, below_px: int = 0) -> None:
        """Stand so that the viewport begins *below_px* below the top of a piece."""
        self.follow = self._follow.held()
        self._anchor = Anchor(row, number, below_px)
        self.settle()

    def reveal(self, top_px: int, bottom_px: int) -> None:
        """Move no further than needed to show a stretch; its top if it is too high."""
        margin = self._rows.scene.style.px(8)
        if top_px < self.top_px or bottom_px - top_px > self.view_px:
            target = top_px - margin
        elif bottom_px > self.top_px + self.view_px:
            target = bottom_px + margin - self.view_px
        else:
            return
        self._area.verticalScrollBar().setValue(target)

    def by(self, moved_px: int) -> None:
        """Scroll because a person asked for it (negative is up)."""
        bar = self._area.verticalScrollBar()
        before = bar.value()
        bar.setValue(before + moved_px)
        if moved_px < 0 and before == bar.value():
            self.hold()

    def wheel(self, angle: int) -> None:
        """Scroll by a turn of the wheel, 120 for a notch upwards."""
        self.by(-round(angle / 120 * 3 * self._rows.scene.style.px(STEP_PX)))

    def take(self, change: Change) -> None:
        """Keep to the same rows after the messages changed, and count what came below."""
        if change.new_rows is not None and self._anchor is not None:
            row = change.new_rows.get(self._anchor.row)
            old = self._anchor
            self._anchor = None if row is None else Anchor(row, old.number, old.below_px)
        if any(m.role == "user" and m.state in ("queued", "sending") for m in change.appended):
            self.follow = self._follow.jumped()
        elif change.appended:
            self.follow = self._follow.arrived(len(change.appended))
