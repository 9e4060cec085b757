"""The context menu of a transcript, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

MAX_LINKS = 8
_MAX_LINK_CHARACTERS = 60


class TranscriptMenu(QMenu):
    """Entries that are given by their words; it deletes itself when closed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.aboutToHide.connect(self.deleteLater)

    def entry(self, words: str, do: Callable[[], None], *, enabled: bool = True) -> None:
        """Add an entry."""
        action = self.addAction(words)
        action.setEnabled(enabled)
        # The signal also says whether the entry is checked, which no entry here wants to know.
        action.triggered.connect(partial(_run, do))

    def link_entries(self, links: Sequence[str], follow: Callable[[str], None]) -> None:
        """Add an entry for each link, at most `MAX_LINKS`."""
        for address in links[:MAX_LINKS]:
            shown = address if len(address) <= _MAX_LINK_CHARACTERS else f"{address[:_MAX_LINK_CHARACTERS]}…"
            self.entry(f"Open {shown.replace('&', '&&')}", partial(follow, address))

    def show_at(self, point: QPoint) -> None:
        """Open at a place of the screen, without waiting for it to close."""
        self.popup(point)


def _run(do: Callable[[], None], *checked: object) -> None:
    do()
