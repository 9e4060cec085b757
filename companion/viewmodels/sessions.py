"""The list of conversations, and which one is open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from PySide6.QtCore import QObject, Signal

from gateway_client.protocol.methods import SessionEntry

MAIN = "main"
NEW_TITLE = "New chat"


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One conversation of the list."""

    key: str
    title: str
    updated_ms: int
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class SessionGroup:
    """Conversations under one heading."""

    heading: str
    rows: tuple[SessionRow, ...]


class SessionsModel(QObject):
    """The conversations of the gateway, newest first, and the open one."""

    changed = Signal()
    current_changed = Signal(str)

    def __init__(self, current: str = MAIN, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = current
        self.filter = ""
        self._rows: tuple[SessionRow, ...] = ()

    def show_entries(self, entries: list[SessionEntry]) -> None:
        """Take the gateway's list. A new conversation that it does not have yet stays."""
        rows = [
            SessionRow(entry.key, _title(entry), entry.updated_at or 0, bool(entry.has_active_run))
            for entry in entries
            if not entry.archived
        ]
        rows.sort(key=lambda row: -row.updated_ms)
        if tuple(rows) != self._rows:
            self._rows = tuple(rows)
            self.changed.emit()

    def open(self, key: str) -> None:
        """Make *key* the open conversation."""
        if key != self.current:
            self.current = key
            self.current_changed.emit(key)
            self.changed.emit()

    def set_filter(self, text: str) -> None:
        """Show only conversations whose title contains *text*, in any case."""
        if text != self.filter:
            self.filter = text
            self.changed.emit()

    @property
    def current_title(self) -> str:
        """The title of the open conversation."""
        row = next((row for row in self._rows if is_same_session(row.key, self.current)), None)
        return row.title if row else NEW_TITLE

    def groups(self, today: date) -> tuple[SessionGroup, ...]:
        """Return the rows under Today, Yesterday and Earlier; an unsaved new one comes first."""
        rows = [row for row in self._all_rows() if self.filter.casefold() in row.title.casefold()]
        headings: dict[str, list[SessionRow]] = {}
        for row in rows:
            headings.setdefault(heading_for(row.updated_ms, today), []).append(row)
        return tuple(SessionGroup(heading, tuple(group)) for heading, group in headings.items())

    def is_current(self, row: SessionRow) -> bool:
        """Whether *row* is the open conversation."""
        return is_same_session(row.key, self.current)

    @staticmethod
    def time_text(row: SessionRow, today: date) -> str:
        """Return when the conversation last changed, in a few letters."""
        if not row.updated_ms:
            return ""
        moment = datetime.fromtimestamp(row.updated_ms / 1000).astimezone()
        days = (today - moment.date()).days
        if days <= 0:
            return f"{moment:%H:%M}"
        return f"{moment:%a}" if days < 7 else f"{moment.day} {moment:%b}"

    def _all_rows(self) -> list[SessionRow]:
        rows = list(self._rows)
        if not any(is_same_session(row.key, self.current) for row in rows):
            rows.insert(0, SessionRow(self.current, NEW_TITLE, 0))
        return rows


def _title(entry: SessionEntry) -> str:
    """Return the title, or a name for a conversation that has none: keys are not for people."""
    if entry.title != entry.key:
        return entry.title
    return "Main" if _tail(entry.key) == MAIN else _tail(entry.key)


def heading_for(updated_ms: int, today: date) -> str:
    """Return the heading under which a conversation of that time stands."""
    if not updated_ms:
        return "Today"
    days = (today - datetime.fromtimestamp(updated_ms / 1000).astimezone().date()).days
    return "Today" if days <= 0 else "Yesterday" if days == 1 else "Earlier"


def is_same_session(a: str, b: str) -> bool:
    """Whether two keys name one session: gateways answer `main` as `agent:<agent>:main`."""
    return a == b or _tail(a) == _tail(b)


def _tail(key: str) -> str:
    parts = key.split(":", 2)
    return parts[2] if len(parts) == 3 and parts[0] == "agent" else key
