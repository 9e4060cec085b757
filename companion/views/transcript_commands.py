"""What a person can do with messages: copy, open cards, follow links, send again."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from companion.domain.markdown_inline import safe_link
from companion.views.renderer import Action
from companion.views.transcript_copy import Selected
from companion.views.transcript_embeds import Embeds
from companion.views.transcript_focus import MessageFocus
from companion.views.transcript_layout import EmbedPiece
from companion.views.transcript_menu import TranscriptMenu
from companion.views.transcript_rows import Rows
from companion.views.transcript_scroll import Scroll
from companion.views.transcript_spots import Spot, Spots


class TranscriptCommands(QObject):
    """The commands of keys, clicks and the menu, each in one place."""

    link_activated = Signal(str)
    retry_requested = Signal(str)
    discard_requested = Signal(str)

    def __init__(
        self, view: QWidget, rows: Rows, scroll: Scroll, spots: Spots, selected: Selected, embeds: Embeds
    ) -> None:
        super().__init__(view)
        self.focus = MessageFocus(view, rows, scroll)
        """The message that keys act on."""
        self._view = view
        self._rows = rows
        self._scroll = scroll
        self._selected = selected
        self._embeds = embeds
        self._spots = spots
        self.menu: TranscriptMenu | None = None

    def copy(self) -> None:
        """Copy what is selected, or the focused message, without looks."""
        if not self._selected.is_empty:
            _to_clipboard(self._selected.text())
        elif self.focus.row is not None:
            self.copy_message(self.focus.row)

    def copy_markdown(self) -> None:
        """Copy what is selected as it was written."""
        _to_clipboard(self._selected.markdown())

    def copy_message(self, row: int, *, as_markdown: bool = False) -> None:
        """Copy a whole message."""
        texts = self._selected
        _to_clipboard(texts.message_markdown(row) if as_markdown else texts.message_text(row))

    def toggle_cards(self, row: int) -> None:
        """Open all cards of a message, or close them if all are open."""
        cards = [piece for piece in self._rows.layout(row).pieces if piece.is_foldable]
        is_open = not all(card.is_open for card in cards)
        for card in cards:
            card.set_open(is_open)
        if cards:
            self._scroll.hold()
            self._scroll.settle()

    def enter_embed(self, row: int) -> bool:
        """Move the focus into the first widget of a message."""
        for piece in self._rows.layout(row).pieces:
            widget = self._embeds.widget(piece.key) if isinstance(piece, EmbedPiece) else None
            if widget is not None:
                widget.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return False

    def retry(self, row: int) -> None:
        """Ask to send a message again that was not sent."""
        if self._is_unsent(row):
            self.retry_requested.emit(self._rows.messages[row].key)

    def discard(self, row: int) -> None:
        """Ask to forget a message that was not sent."""
        if self._is_unsent(row):
            self.discard_requested.emit(self._rows.messages[row].key)

    def _is_unsent(self, row: int) -> bool:
        message = self._rows.messages[row]
        return message.role == "user" and message.state == "failed"

    def act(self, action: Action, spot: Spot) -> None:
        """Do what was clicked."""
        match action.kind:
            case "link":
                self.follow_link(action.value)
            case "copy":
                _to_clipboard(action.value)
            case "retry":
                self.retry_requested.emit(action.value)
            case "toggle":
                self._scroll.hold()
                spot.piece.set_open(not spot.piece.is_open)
                self._scroll.settle()

    def follow_link(self, address: str) -> None:
        """Hand an address on, if a person may be sent there."""
        if safe_link(address):
            self.link_activated.emit(address)

    def show_menu(self, row: int) -> None:
        """Open the menu of a message beside it."""
        rect = self._spots.row_rect(row).intersected(self._spots.column)
        self._show_menu(row, self._view.mapToGlobal(rect.topLeft() + QPoint(24, 24)), self._links(row))

    def show_menu_at(self, point: QPoint) -> None:
        """Open the menu of what lies under a point of the viewport."""
        spot = self._spots.nearest(point)
        if spot is None:
            return
        action = self._spots.action_at(point)
        links = [action[0].value] if action and action[0].kind == "link" else []
        self._show_menu(spot.row, self._view.mapToGlobal(point), links)

    def _links(self, row: int) -> list[str]:
        return [address for piece in self._rows.layout(row).pieces for address in piece.links()]

    def _show_menu(self, row: int, point: QPoint, links: list[str]) -> None:
        menu = TranscriptMenu(self._view)
        menu.link_entries(links, self.follow_link)
        if len(links) == 1:
            menu.entry("Copy link", partial(_to_clipboard, links[0]))
        if links:
            menu.addSeparator()
        has_selection = not self._selected.is_empty
        menu.entry("Copy", self.copy, enabled=has_selection)
        menu.entry("Copy as Markdown", self.copy_markdown, enabled=has_selection)
        menu.entry("Copy message", partial(self.copy_message, row))
        menu.entry("Copy message as Markdown", partial(self.copy_message, row, as_markdown=True))
        menu.addSeparator()
        menu.entry("Select all", self._selected.select_all)
        if self._is_unsent(row):
            menu.entry("Retry", partial(self.retry, row))
            menu.entry("Discard", partial(self.discard, row))
        self.menu = menu
        menu.destroyed.connect(self._forget_menu)
        menu.show_at(point)

    def _forget_menu(self) -> None:
        self.menu = None


def _to_clipboard(text: str) -> None:
    if text:
        QGuiApplication.clipboard().setText(text)
