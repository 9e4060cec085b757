"""What is selected in a transcript, and the texts that leave it by the clipboard."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from companion.domain.outline import join_markdown, join_plain
from companion.domain.selection import PIECE_END, Place, Selection, everything
from companion.views.renderer import Mark
from companion.views.transcript_rows import Change, Rows


class Selected(QObject):
    """The selection, whether its messages are laid out or not."""

    changed = Signal()

    def __init__(self, parent: QObject, rows: Rows) -> None:
        super().__init__(parent)
        self._rows = rows
        self._selection: Selection | None = None

    @property
    def selection(self) -> Selection | None:
        """What is selected, or None for nothing."""
        return self._selection

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to copy."""
        return self._selection is None or self._selection.is_empty

    def set(self, selection: Selection | None) -> None:
        """Select something else."""
        if selection != self._selection:
            self._selection = selection
            self.changed.emit()

    def extend(self, head: Place) -> None:
        """Draw the selection to *head*, from where it was begun or from there."""
        anchor = self._selection.anchor if self._selection else head
        self.set(Selection(anchor, head))

    def select_all(self) -> None:
        """Select every message."""
        self.set(everything(len(self._rows)))

    def take(self, change: Change) -> None:
        """Stay on the same messages after rows moved."""
        if change.new_rows is not None and self._selection is not None:
            self.set(self._selection.moved(change.new_rows.get))

    def mark_in(self, row: int, number: int) -> Mark | None:
        """Return which part of a piece is selected."""
        if self._selection is None:
            return None
        selected = self._selection.range_in(row, number, PIECE_END)
        return Mark(*selected, "selected") if selected else None

    def text(self) -> str:
        """Return the selected text without looks; messages are parted by an empty line."""
        if self.is_empty or self._selection is None:
            return ""
        texts = (self._row_text(row, self._selection, as_markdown=False) for row in self._selection.rows)
        return "\n\n".join(text for text in texts if text)

    def markdown(self) -> str:
        """Return the selected text as it was written; pieces selected in part are plain."""
        if self.is_empty or self._selection is None:
            return ""
        texts = (self._row_text(row, self._selection, as_markdown=True) for row in self._selection.rows)
        return "\n\n".join(text for text in texts if text)

    def _row_text(self, row: int, selection: Selection, *, as_markdown: bool) -> str:
        outlines = self._rows.outlines(row)
        if selection.covers_row(row):
            return join_markdown(outlines) if as_markdown else join_plain(outlines)
        texts = []
        for number, outline in enumerate(outlines):
            selected = selection.range_in(row, number, PIECE_END)
            if selected == (0, PIECE_END):
                texts.append(outline.markdown if as_markdown else self._whole_text(row, number))
            elif selected:
                texts.append(self._part_text(row, number, selected))
        return "\n\n".join(text for text in texts if text)

    def _whole_text(self, row: int, number: int) -> str:
        outline = self._rows.outlines(row)[number]
        return self._part_text(row, number, (0, PIECE_END)) if outline.folded else outline.plain

    def _part_text(self, row: int, number: int, selected: tuple[int, int]) -> str:
        pieces = self._rows.layout(row).pieces
        return pieces[number].text_between(*selected) if number < len(pieces) else ""

    def message_text(self, row: int) -> str:
        """Return a whole message without looks."""
        return join_plain(self._rows.outlines(row))

    def message_markdown(self, row: int) -> str:
        """Return a whole message as it was written."""
        return join_markdown(self._rows.outlines(row))
