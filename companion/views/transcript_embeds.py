"""Real widgets in the transcript: made near the viewport, deleted far from it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtWidgets import QApplication, QWidget

from companion.domain.transcript import Part
from companion.views.renderer import EmbedWidget
from companion.views.transcript_layout import EmbedPiece
from companion.views.transcript_rows import Rows
from companion.views.transcript_scroll import Scroll


class Embeds(QObject):
    """The living widgets by key, placed where their pieces are."""

    resized = Signal()
    wheel_left = Signal(int)

    def __init__(self, viewport: QWidget, rows: Rows, scroll: Scroll) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._rows = rows
        self._scroll = scroll
        self._living: dict[str, tuple[EmbedWidget, Part]] = {}
        self._message_of: dict[str, str] = {}

    def widget(self, key: str) -> EmbedWidget | None:
        """Return the living widget of a part, if it has one."""
        living = self._living.get(key)
        return living[0] if living else None

    def place(self, left_px: int) -> None:
        """Put every widget within a viewport's height of the viewport where it belongs."""
        near = self._near(left_px) if self._rows.scene.embeds else {}
        for key in [key for key in self._living if key not in near]:
            if not self._has_focus(key):
                self._delete(key)
            else:
                self._park(key)
        for key, (piece, rect) in near.items():
            widget = self._widget_for(key, piece)
            if widget.geometry() != rect:
                widget.setGeometry(rect)
            if widget.isHidden():
                widget.show()

    def _near(self, left_px: int) -> dict[str, tuple[EmbedPiece, QRect]]:
        top, view = self._scroll.top_px, self._scroll.view_px
        found: dict[str, tuple[EmbedPiece, QRect]] = {}
        if not len(self._rows):
            return found
        row = self._rows.row_at(top - view)
        while row < len(self._rows) and (row_top := self._rows.top_px(row)) < top + 2 * view:
            if any(self._handles(part) for part in self._rows.messages[row].parts):
                for placed in self._rows.layout(row).placed:
                    rect = placed.rect.translated(left_px, row_top - top)
                    if (
                        isinstance(placed.piece, EmbedPiece)
                        and -view < rect.bottom()
                        and rect.top() < 2 * view
                    ):
                        found[placed.piece.key] = (placed.piece, rect)
                        self._message_of[placed.piece.key] = self._rows.messages[row].key
            row += 1
        return found

    def _handles(self, part: Part) -> bool:
        embeds = self._rows.scene.embeds
        return embeds is not None and embeds.handles(part)

    def _widget_for(self, key: str, piece: EmbedPiece) -> EmbedWidget:
        living = self._living.get(key)
        if living is not None and living[1] == piece.part:
            return living[0]
        if living is not None:
            self._delete(key)
        embeds = self._rows.scene.embeds
        assert embeds is not None, "only parts that a factory handles have embed pieces"
        widget = embeds.create(key, piece.part, self._viewport)
        self._living[key] = (widget, piece.part)
        widget.set_theme(self._rows.scene.style.theme)
        widget.height_changed.connect(partial(self._take_height, key))
        widget.wheel_left.connect(self.wheel_left)
        return widget

    def _take_height(self, key: str, height_px: int) -> None:
        if self._rows.embed_heights.get(key) == height_px:
            return
        self._rows.embed_heights[key] = height_px
        row = self._row_of(key)
        if row is None:
            return
        for piece in self._rows.layout(row).pieces:
            if isinstance(piece, EmbedPiece) and piece.key == key:
                piece.is_measured = False
        self.resized.emit()

    def _row_of(self, key: str) -> int | None:
        return self._rows.number_of(self._message_of[key])

    def _has_focus(self, key: str) -> bool:
        focused = QApplication.focusWidget()
        widget = self._living[key][0]
        return focused is not None and (widget is focused or widget.isAncestorOf(focused))

    def _park(self, key: str) -> None:
        # A widget with the focus stays alive out of sight: a person is typing in it.
        widget = self._living[key][0]
        if self._row_of(key) is None:
            self._delete(key)
        else:
            widget.move(widget.x(), -widget.height() - self._viewport.height())

    def _delete(self, key: str) -> None:
        widget, _ = self._living.pop(key)
        self._message_of.pop(key, None)
        widget.closing()
        widget.hide()
        widget.deleteLater()

    def set_theme(self) -> None:
        """Hand the theme in use to every living widget."""
        for widget, _ in self._living.values():
            widget.set_theme(self._rows.scene.style.theme)

    def close(self) -> None:
        """Delete every living widget."""
        for key in list(self._living):
            self._delete(key)
