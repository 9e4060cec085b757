"""Markdown blocks as the contents of a text document, in our colours.

Everything is written with formats, never through HTML, so no text of a model
can become markup. What a document cannot draw itself (rounded grounds of inline
code, bars beside quotes, lines across) is noted as decorations and painted by
`text_piece`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextOption,
    QTextTableFormat,
)

from companion.domain.markdown_blocks import (
    Align,
    Block,
    Code,
    Heading,
    Item,
    Items,
    Paragraph,
    Quote,
    Rule,
    Span,
    Spans,
    Table,
)
from companion.views.renderer import Style
from companion.views.theme import BODY_PX, LINE_HEIGHT_PX

HEADING_PX = {1: (20, 28), 2: (17, 25), 3: (15, 22)}
"""Letter and line height of the first three levels; the others are bold text."""

_QUOTE_INDENT_PX = 16
_ALIGN = {
    "": Qt.AlignmentFlag.AlignLeading,
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value


@dataclass(frozen=True, slots=True)
class Decoration:
    """Something painted behind the blocks between two positions, from *left_px* on."""

    kind: Literal["quote", "panel", "rule"]
    start: int
    end: int
    left_px: int


@dataclass(slots=True)
class Prose:
    """A text document with what is painted around it."""

    document: QTextDocument
    chips: list[tuple[int, int]] = field(default_factory=list)
    """Ranges of inline code."""
    decorations: list[Decoration] = field(default_factory=list)
    is_table: bool = False


def new_document(font: QFont) -> QTextDocument:
    """Return an empty document without margins or a history."""
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    return document


class ProseWriter:
    """Writes blocks into one document, from front to back."""

    def __init__(self, style: Style, *, token: str = "text") -> None:
        self.prose = Prose(new_document(style.body()))
        self._style = style
        self._token = token
        self._cursor = QTextCursor(self.prose.document)
        self._is_fresh = True
        self._gap_after_px = 0.0

    def write(self, block: Block, indent_px: int = 0) -> None:
        """Write one block and what is nested in it; *indent_px* are at this zoom."""
        match block:
            case Paragraph():
                self._begin(indent_px)
                self._spans(block.spans)
            case Heading():
                self._heading(block, indent_px)
            case Code():
                self._code(block.text, indent_px)
            case Rule():
                self._begin(indent_px)
                self._decorate("rule", self._cursor.position(), indent_px)
            case Items():
                for item in block.items:
                    self._item(item, indent_px)
            case Quote():
                self._quote(block, indent_px)
            case Table():
                self._table(block, indent_px)

    def line(self, text: str, format_: QTextCharFormat, *, line_px: float = 18, gap_px: float = 0) -> int:
        """Write a line of one look and return where it starts."""
        self._begin(0, line_px=line_px, gap_px=gap_px)
        start = self._cursor.position()
        self._cursor.insertText(text, format_)
        return start

    def decorate(self, kind: Literal["quote", "panel", "rule"], start: int) -> None:
        """Paint *kind* behind all from *start* to what was written last."""
        self._decorate(kind, start, 0)

    def _begin(self, indent_px: int, *, hang_px: int = 0, line_px: float = 0, gap_px: float = 6) -> None:
        format_ = QTextBlockFormat()
        format_.setLineHeight(self._style.px(line_px or LINE_HEIGHT_PX), _FIXED)
        format_.setLeftMargin(indent_px + hang_px)
        format_.setTextIndent(-hang_px)
        if hang_px:
            tab = QTextOption.Tab(hang_px, QTextOption.TabType.LeftTab)
            format_.setTabPositions([tab])
        if self._is_fresh:
            self._cursor.setBlockFormat(format_)
            self._is_fresh = False
        else:
            format_.setTopMargin(self._style.px(max(gap_px, self._gap_after_px)))
            self._cursor.insertBlock(format_)
        self._gap_after_px = 0.0

    def _decorate(self, kind: Literal["quote", "panel", "rule"], start: int, left_px: int) -> None:
        self.prose.decorations.append(Decoration(kind, start, self._cursor.position(), left_px))

    def _heading(self, block: Heading, indent_px: int) -> None:
        letter_px, line_px = HEADING_PX.get(block.level, (BODY_PX, LINE_HEIGHT_PX))
        self._begin(indent_px, line_px=line_px)
        self._spans(block.spans, letter_px=letter_px, heading=True)

    def _code(self, text: str, indent_px: int) -> None:
        pad = self._style.px(8)
        format_ = char_format(self._style, self._token, self._style.mono())
        start = -1
        for number, line in enumerate(text.split("\n")):
            self._begin(indent_px + pad, line_px=18, gap_px=0 if number else 8)
            start = self._cursor.position() if start < 0 else start
            self._cursor.insertText(line, format_)
        self._decorate("panel", start, indent_px)
        self._gap_after_px = 12

    def _item(self, item: Item, indent_px: int) -> None:
        marker_width = QFontMetrics(self._style.body()).horizontalAdvance(item.marker)
        hang_px = max(self._style.px(22), marker_width + self._style.px(8))
        self._begin(indent_px, hang_px=hang_px, gap_px=4)
        plain = char_format(self._style, self._token, self._style.body())
        self._cursor.insertText(f"{item.marker}\t", plain)
        rest = item.blocks
        if rest and isinstance(rest[0], Paragraph):
            self._spans(rest[0].spans)
            rest = rest[1:]
        for block in rest:
            self.write(block, indent_px + hang_px)

    def _quote(self, block: Quote, indent_px: int) -> None:
        start = -1
        token, self._token = self._token, "muted"
        for inner in block.blocks:
            was_fresh = self._is_fresh
            before = self._cursor.position()
            self.write(inner, indent_px + self._style.px(_QUOTE_INDENT_PX))
            if start < 0:
                start = before if was_fresh else before + 1
        self._token = token
        if start >= 0:
            self._decorate("quote", start, indent_px)

    def _table(self, block: Table, indent_px: int) -> None:
        theme = self._style.theme
        self._close_gap()
        format_ = QTextTableFormat()
        format_.setBorder(theme.border_px)
        format_.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        format_.setBorderBrush(QBrush(theme.color("line2")))
        format_.setBorderCollapse(True)
        format_.setCellPadding(self._style.px(6))
        format_.setCellSpacing(0)
        format_.setLeftMargin(indent_px)
        format_.setHeaderRowCount(1)
        rows = (block.header, *block.rows)
        table = self._cursor.insertTable(len(rows), len(block.header), format_)
        for row, cells in enumerate(rows):
            for column, spans in enumerate(cells):
                cell = table.cellAt(row, column)
                self._cursor = cell.firstCursorPosition()
                if row == 0:
                    ground = cell.format()
                    ground.setBackground(theme.color("code"))
                    cell.setFormat(ground)
                self._cell(spans, block.aligns[column], is_header=row == 0)
        self._cursor = QTextCursor(self.prose.document)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._close_gap()

    def _cell(self, spans: Spans, align: Align, *, is_header: bool) -> None:
        format_ = QTextBlockFormat()
        format_.setAlignment(_ALIGN[align])
        self._cursor.setBlockFormat(format_)
        self._spans(spans, letter_px=13, heading=is_header)

    def _close_gap(self) -> None:
        # A document keeps an empty paragraph before and after a table; these make it vanish.
        tiny = QTextBlockFormat()
        tiny.setLineHeight(1, _FIXED)
        letter = QTextCharFormat()
        letter.setFont(self._style.body(1))
        if self._is_fresh or self._cursor.block().length() == 1:
            self._cursor.setBlockFormat(tiny)
            self._cursor.setBlockCharFormat(letter)
        self._is_fresh = False

    def _spans(self, spans: Spans, *, letter_px: float = BODY_PX, heading: bool = False) -> None:
        for span in spans:
            start = self._cursor.position()
            # A line separator breaks the line within its paragraph.
            self._cursor.insertText(span.text.replace("\n", "\u2028"), self._format(span, letter_px, heading))
            if span.code:
                self.prose.chips.append((start, self._cursor.position()))

    def _format(self, span: Span, letter_px: float, heading: bool) -> QTextCharFormat:
        style = self._style
        font = style.mono(letter_px - 1.5) if span.code else style.body(letter_px)
        if span.bold or heading:
            font.setWeight(QFont.Weight.DemiBold)
        font.setItalic(span.italic)
        font.setStrikeOut(span.strike)
        token = "strong" if heading or (span.bold and self._token == "text") else self._token
        format_ = char_format(style, "accent" if span.link else token, font)
        if span.link:
            format_.setAnchor(True)
            format_.setAnchorHref(span.link)
            format_.setFontUnderline(True)
        return format_


def char_format(style: Style, token: str, font: QFont) -> QTextCharFormat:
    """Return the look of letters in *font*, coloured by a token of the theme."""
    format_ = QTextCharFormat()
    format_.setFont(font)
    format_.setForeground(QColor(style.theme.color(token)))
    return format_


def write_block(block: Block, style: Style, *, token: str = "text") -> Prose:
    """Return one top-level block as a document of its own."""
    writer = ProseWriter(style, token=token)
    writer.write(block)
    writer.prose.is_table = isinstance(block, Table)
    return writer.prose
