"""Pieces that are painted from a text document."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPainter,
    QPen,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLine,
)

from companion.domain.outline import Outline
from companion.views.markdown_document import Prose
from companion.views.renderer import Action, Mark, Piece, Scene, Style

_MARKER_TAB = re.compile(r"^([•☐☑]|\d+\.)\t", re.MULTILINE)
_CHIP_PAD_PX = 3


class TextPiece(Piece):
    """A document inside an inset. Subclasses say what is written and what lies behind it."""

    inset_px = (0, 0, 0, 0)
    """Room left, above, right and below of the text, before zoom."""

    def __init__(self, scene: Scene, outline: Outline) -> None:
        super().__init__(scene, outline)
        self._prose: Prose | None = None
        self._hits: tuple[re.Pattern[str], list[tuple[int, int]]] | None = None

    def write(self) -> Prose:
        """Return the text as a document."""
        raise NotImplementedError

    def paint_ground(self, painter: QPainter) -> None:
        """Draw what lies behind the text."""

    @property
    def prose(self) -> Prose:
        """The document, written when it is first needed."""
        if self._prose is None:
            self._prose = self.write()
        return self._prose

    def forget(self) -> None:
        """Write the document again when it is next needed."""
        self._prose = None
        self._hits = None
        self.is_measured = False

    def inset(self) -> tuple[int, int, int, int]:
        """Return the inset at this zoom."""
        left, top, right, bottom = (self.scene.style.px(length) for length in self.inset_px)
        return self.lifted(left, top, right, bottom)

    def lifted(self, left: int, top: int, right: int, bottom: int) -> tuple[int, int, int, int]:
        """Return an inset that puts letters into the middle of their line.

        A line of fixed height has its spare room above the letters.
        """
        lift = self.scene.style.px(2)
        return left, top - lift, right, bottom + lift

    def measure(self, width_px: int) -> None:
        """Lay the document out and take its height."""
        left, top, right, bottom = self.inset()
        document = self.prose.document
        document.setTextWidth(max(20, width_px - left - right))
        self.size = QSize(width_px, math.ceil(document.size().height()) + top + bottom)
        self.is_measured = True

    def natural_width(self) -> int:
        """Return the width of the longest line with its inset."""
        left, _, right, _ = self.inset()
        return math.ceil(self.prose.document.idealWidth()) + left + right

    def paint(self, painter: QPainter, marks: Sequence[Mark], clip: QRect) -> None:
        """Draw the ground, the decorations, and the text with its marks."""
        left, top, _, _ = self.inset()
        self.paint_ground(painter)
        painter.save()
        try:
            painter.translate(left, top)
            _paint_decorations(painter, self.prose, self.scene.style)
            context = QAbstractTextDocumentLayout.PaintContext()
            context.clip = QRectF(clip.translated(-left, -top))
            context.selections = [self._selection(mark) for mark in marks]
            self.prose.document.documentLayout().draw(painter, context)
        finally:
            painter.restore()

    def _selection(self, mark: Mark) -> QAbstractTextDocumentLayout.Selection:
        selection = QAbstractTextDocumentLayout.Selection()
        selection.cursor = self._cursor(mark.start, mark.end)
        selection.format = mark_format(self.scene.style, mark)
        return selection

    def _cursor(self, start: int, end: int) -> QTextCursor:
        document = self.prose.document
        last = document.characterCount() - 1
        cursor = QTextCursor(document)
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _inner(self, point: QPoint) -> QPointF:
        left, top, _, _ = self.inset()
        return QPointF(point.x() - left, point.y() - top)

    def place_at(self, point: QPoint) -> int:
        """Return the place between letters nearest to *point*."""
        layout = self.prose.document.documentLayout()
        return max(0, layout.hitTest(self._inner(point), Qt.HitTestAccuracy.FuzzyHit))

    def word_at(self, place: int) -> tuple[int, int]:
        """Return the word around *place*."""
        cursor = self._cursor(place, place)
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return cursor.selectionStart(), cursor.selectionEnd()

    def text_between(self, start: int, end: int) -> str:
        """Return a range as plain text; cells of a table are parted by tabs."""
        last = self.prose.document.characterCount() - 1
        if start <= 0 and end >= last:
            return self.outline.searchable if self.is_open else self.outline.plain
        if self.prose.is_table:
            return _table_text(self.prose.document, start, end)
        text = re.sub("[\u2028\u2029\ufdd0\ufdd1]", "\n", self._cursor(start, end).selectedText())
        return _MARKER_TAB.sub(r"\1 ", text.replace("\xa0", " "))

    def hits(self, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
        """Return the matches in the drawn text, in UTF-16 units."""
        if self._hits is None or self._hits[0] is not pattern:
            text = self.prose.document.toPlainText()
            found = [(_units(text, m.start()), _units(text, m.end())) for m in pattern.finditer(text)]
            self._hits = (pattern, found)
        return self._hits[1]

    def rect_of(self, place: int) -> QRect:
        """Return the line that *place* is in."""
        left, top, _, _ = self.inset()
        block = self._cursor(place, place).block()
        origin = _block_rect(self.prose, block).topLeft()
        line = block.layout().lineForTextPosition(place - block.position())
        if not line.isValid():
            return QRect(left, top + int(origin.y()), self.size.width(), self.scene.style.px(21))
        return line.rect().translated(origin.x() + left, origin.y() + top).toAlignedRect()

    def action_at(self, point: QPoint) -> Action | None:
        """Return the link under *point*."""
        address = self.prose.document.documentLayout().anchorAt(self._inner(point))
        return Action("link", address) if address else None

    def links(self) -> list[str]:
        """Return the addresses of the document, each once."""
        found: dict[str, None] = {}
        block = self.prose.document.begin()
        while block.isValid():
            for format_range in block.textFormats():
                if address := format_range.format.anchorHref():
                    found[address] = None
            block = block.next()
        return list(found)


def mark_format(style: Style, mark: Mark) -> QTextCharFormat:
    """Return the look of a mark: readable on its own ground in every theme."""
    theme = style.theme
    format_ = QTextCharFormat()
    if mark.kind == "selected":
        format_.setBackground(theme.color("accent"))
        format_.setForeground(theme.color("on_accent"))
    elif mark.kind == "current":
        format_.setBackground(theme.color("warn"))
        format_.setForeground(theme.color("bg"))
    else:
        # High contrast has no soft fills; the line under the words stays in every theme.
        is_sharp = theme.border_px > 1
        format_.setBackground(blend(theme.color("bg"), theme.color("warn"), 0.0 if is_sharp else 0.28))
        format_.setForeground(theme.color("warn" if is_sharp else "strong"))
        format_.setFontUnderline(True)
    return format_


def blend(ground: QColor, over: QColor, share: float) -> QColor:
    """Return *ground* with a *share* of *over* in it."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_rgb(ground), _rgb(over), strict=True))
    return QColor(*mixed)


def _rgb(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def _units(text: str, index: int) -> int:
    """Return how many UTF-16 units stand before a character: Qt counts so."""
    return index if text.isascii() else index + sum(letter > "\uffff" for letter in text[:index])


def _block_rect(prose: Prose, block: QTextBlock) -> QRectF:
    return prose.document.documentLayout().blockBoundingRect(block)


def _table_text(document: QTextDocument, first: int, last: int) -> str:
    # A cursor over several cells selects whole cells, so each cell is asked by itself.
    table: Any = document.rootFrame().childFrames()[0]
    rows = []
    for row in range(table.rows()):
        cells = []
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            start, end = max(first, cell.firstPosition()), min(last, cell.lastPosition())
            if start < end or (first < start <= end < last):
                part = QTextCursor(document)
                part.setPosition(start)
                part.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                cells.append(re.sub("[\u2028\u2029]", "\n", part.selectedText()))
        if cells:
            rows.append("\t".join(cells))
    return "\n".join(rows)


def _paint_decorations(painter: QPainter, prose: Prose, style: Style) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    theme = style.theme
    document = prose.document
    for decoration in prose.decorations:
        top = _block_rect(prose, document.findBlock(decoration.start)).top()
        bottom = _block_rect(prose, document.findBlock(decoration.end)).bottom()
        left, width = decoration.left_px, document.textWidth() - decoration.left_px
        if decoration.kind == "panel":
            _paint_panel(painter, QRectF(left, top - style.px(2), width, bottom - top + style.px(8)), style)
        elif decoration.kind == "quote":
            bar = QRectF(left, top + style.px(2), style.px(3), bottom - top - style.px(2))
            painter.fillRect(bar, theme.color("line2"))
        else:
            middle = (top + bottom) / 2
            painter.fillRect(QRectF(left, middle, width, theme.border_px), theme.color("line2"))
    for start, end in prose.chips:
        for rect in _range_rects(prose, start, end, style):
            _paint_panel(painter, rect, style)


def _paint_panel(painter: QPainter, rect: QRectF, style: Style) -> None:
    theme = style.theme
    painter.setBrush(theme.color("code"))
    painter.setPen(QPen(theme.color("line2")) if theme.border_px > 1 else Qt.PenStyle.NoPen)
    painter.drawRoundedRect(rect, style.px(4), style.px(4))


def _range_rects(prose: Prose, start: int, end: int, style: Style) -> list[QRectF]:
    block = prose.document.findBlock(start)
    layout = block.layout()
    first, last = start - block.position(), end - block.position()
    rects = []
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        begin, stop = max(first, line.textStart()), min(last, line.textStart() + line.textLength())
        if begin >= stop:
            continue
        left, right = _x_of(line, begin), _x_of(line, stop)
        origin = _block_rect(prose, block).topLeft()
        text = line.naturalTextRect()
        pad = style.px(_CHIP_PAD_PX)
        top = origin.y() + text.top() - style.px(1)
        rects.append(
            QRectF(
                origin.x() + min(left, right) - pad,
                top,
                abs(right - left) + 2 * pad,
                text.height() + style.px(2),
            )
        )
    return rects


def _x_of(line: QTextLine, place: int) -> float:
    # PySide answers with the place beside the x, though its stub says an object.
    answer: Any = line.cursorToX(place)
    return float(answer[0] if isinstance(answer, tuple) else answer)
