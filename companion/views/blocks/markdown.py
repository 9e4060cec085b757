"""Text: one piece per Markdown block, so that a growing text redraws only its end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QTextBlockFormat, QTextCursor

from companion.domain import markdown
from companion.domain.markdown_blocks import Block, Code, Heading
from companion.domain.outline import Outline, of_document
from companion.domain.transcript import Part
from companion.views.highlight import Runs, runs_for
from companion.views.markdown_document import Prose, char_format, new_document, write_block
from companion.views.renderer import BLOCK_GAP_PX, PART_GAP_PX, Action, Drawing, PartPlace, Piece, Scene
from companion.views.text_piece import TextPiece
from companion.views.theme import RADIUS_PX, TINY_PX
from gateway_client.protocol.blocks import TextBlock

PARSE_HERE_CHARACTERS = 16_000
"""A longer text is parsed by a worker; until then it stands as it was written."""
RAW_CHUNK_CHARACTERS = 2_000
_HEADER_PX = 28
_CODE_LINE_PX = 18


class BlockPiece(TextPiece):
    """One block that is not code."""

    def __init__(self, scene: Scene, outline: Outline, block: Block) -> None:
        super().__init__(scene, outline)
        self.block = block

    def write(self) -> Prose:
        """Write the block."""
        return write_block(self.block, self.scene.style)


class RawPiece(TextPiece):
    """A stretch of source while the text is parsed elsewhere."""

    def write(self) -> Prose:
        """Write the source as it is."""
        prose = Prose(new_document(self.scene.style.body()))
        style = self.scene.style
        _write_lines(prose, self.outline.plain, style.px(21))
        cursor = QTextCursor(prose.document)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setCharFormat(char_format(style, "text", style.body()))
        return prose


class CodePiece(TextPiece):
    """A card of code with its language and a way to copy it."""

    inset_px = (12, _HEADER_PX + 8, 12, 10)

    def __init__(self, scene: Scene, outline: Outline, block: Code, earlier: CodePiece | None = None) -> None:
        super().__init__(scene, outline)
        self.block = block
        self._runs: Runs = ()
        if earlier is not None and block.text.startswith(earlier.block.text):
            # What was coloured stays so while the block grows.
            self._runs = earlier._runs
        self._is_asked = False

    def estimate(self, width_px: int) -> int:
        """Return the height of its lines and its header."""
        px = self.scene.style.px
        return (self.outline.plain.count("\n") + 1) * px(_CODE_LINE_PX) + px(_HEADER_PX + 18)

    def _ask_for_colours(self) -> None:
        if self._is_asked or not (self.block.is_closed or len(self.block.text) < 2000):
            return
        self._is_asked = True
        runs = runs_for(self.block.language, self.block.text, self.scene.jobs, self._take_runs)
        if runs is not None:
            self._runs = runs

    def _take_runs(self, runs: Runs) -> None:
        if runs:
            self._runs = runs
            self.forget()

    def write(self) -> Prose:
        """Write the code in its colours, as far as they are known."""
        self._ask_for_colours()
        style = self.scene.style
        prose = Prose(new_document(style.mono()))
        text = self.block.text
        _write_lines(prose, text, style.px(_CODE_LINE_PX))
        cursor = QTextCursor(prose.document)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setCharFormat(char_format(style, "text", style.mono()))
        wide = not text.isascii()
        for run in self._runs:
            start, end = run.start, run.end
            if wide:
                before = sum(letter > "\uffff" for letter in text[:start])
                start, end = start + before, end + before + sum(x > "\uffff" for x in text[start:end])
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(char_format(style, run.token, style.mono()))
        return prose

    def natural_width(self) -> int:
        """Return all the width there is: code is easier to read in a wide card."""
        return self.size.width()

    def paint_ground(self, painter: QPainter) -> None:
        """Draw the card, the language and "Copy"."""
        style, theme = self.scene.style, self.scene.style.theme
        half = theme.border_px / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.color("code"))
        painter.setPen(QPen(theme.color("line"), theme.border_px))
        frame = QRectF(QPointF(0, 0), self.size.toSizeF()).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(frame, style.px(RADIUS_PX), style.px(RADIUS_PX))
        painter.setFont(style.body(TINY_PX))
        painter.setPen(theme.color("muted"))
        header = QRect(style.px(12), 0, self.size.width() - style.px(24), style.px(_HEADER_PX))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(header, middle | Qt.AlignmentFlag.AlignLeft, self.block.language or "text")
        painter.drawText(header, middle | Qt.AlignmentFlag.AlignRight, "Copy")

    def action_at(self, point: QPoint) -> Action | None:
        """Return that a click on "Copy" copies exactly the source."""
        style = self.scene.style
        width = QFontMetrics(style.body(TINY_PX)).horizontalAdvance("Copy") + style.px(24)
        if QRect(self.size.width() - width, 0, width, style.px(_HEADER_PX)).contains(point):
            return Action("copy", self.block.text)
        return None


def _write_lines(prose: Prose, text: str, line_px: int) -> None:
    format_ = QTextBlockFormat()
    format_.setLineHeight(line_px, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    cursor = QTextCursor(prose.document)
    cursor.setBlockFormat(format_)
    cursor.insertText(text)


class MarkdownDrawing:
    """The pieces of a text, kept block by block while it grows."""

    def __init__(self, scene: Scene, part: TextBlock, place: PartPlace) -> None:
        self.pieces: Sequence[Piece] = ()
        self._scene = scene
        self._breaks = place.is_persons
        self._text = part.text
        self._document: markdown.Document | None = None
        if len(part.text) <= PARSE_HERE_CHARACTERS:
            self._show(markdown.parse(part.text, breaks=self._breaks))
            return
        text, breaks = part.text, self._breaks
        self.pieces = _raw_pieces(scene, text)
        scene.jobs.submit(lambda: markdown.parse(text, breaks=breaks), self._take)

    def update(self, part: Part) -> bool:
        """Take a newer text; blocks that did not change keep their pieces."""
        if not isinstance(part, TextBlock):
            return False
        self._text = part.text
        if self._document is not None:
            self._show(markdown.parse(part.text, self._document, breaks=self._breaks))
        return True

    def _take(self, document: markdown.Document) -> None:
        self._show(markdown.parse(self._text, document, breaks=self._breaks))

    def _show(self, document: markdown.Document) -> None:
        old = self._document.blocks if self._document else ()
        shared = 0
        for before, after in zip(old, document.blocks, strict=False):
            if before is not after:
                break
            shared += 1
        outlines = of_document(document)
        kept = list(self.pieces[:shared]) if self._document else []
        replaced = list(self.pieces[shared:]) if self._document else []
        for number, block in enumerate(document.blocks[shared:]):
            earlier = replaced[number] if number < len(replaced) else None
            kept.append(self._piece(outlines[shared + number], block, earlier, is_first=not kept))
        self.pieces = kept
        self._document = document

    def _piece(self, outline: Outline, block: Block, earlier: Piece | None, *, is_first: bool) -> Piece:
        if isinstance(block, Code):
            old = earlier if isinstance(earlier, CodePiece) else None
            piece: Piece = CodePiece(self._scene, outline, block, old)
        else:
            piece = BlockPiece(self._scene, outline, block)
        gap = BLOCK_GAP_PX + 8 if isinstance(block, Heading) else BLOCK_GAP_PX
        piece.gap_px = PART_GAP_PX if is_first else gap
        return piece


def _raw_pieces(scene: Scene, text: str) -> list[Piece]:
    chunks: list[str] = [""]
    for line in text.splitlines():
        if len(chunks[-1]) > RAW_CHUNK_CHARACTERS:
            chunks.append(line)
        else:
            chunks[-1] = f"{chunks[-1]}\n{line}" if chunks[-1] else line
    return [RawPiece(scene, Outline(chunk, chunk)) for chunk in chunks]


def draw_markdown(scene: Scene, part: TextBlock, place: PartPlace) -> Drawing:
    """Draw a text."""
    return MarkdownDrawing(scene, part, place)
