"""Sentences of ours: notices inside a message, and the state below it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QFont, QPainter, QTextCursor

from companion.domain.outline import NOTICE_WORDS, Outline, of_part
from companion.domain.transcript import Message, Notice
from companion.views.markdown_document import Prose, ProseWriter, char_format
from companion.views.renderer import Action, Drawing, FixedDrawing, PartPlace, Scene
from companion.views.text_piece import TextPiece
from companion.views.theme import SMALL_PX

_COLORS = {"error": "danger", "stopped": "warn", "info": "accent"}
_RETRY = "retry:"


class NoticePiece(TextPiece):
    """A bar and a word in the colour of the kind, then the sentence."""

    inset_px = (14, 0, 0, 0)

    def __init__(self, scene: Scene, notice: Notice) -> None:
        (outline,) = of_part(notice)
        super().__init__(scene, outline)
        self._notice = notice

    def write(self) -> Prose:
        """Write the word and the sentence."""
        style = self.scene.style
        writer = ProseWriter(style)
        word = char_format(style, _COLORS[self._notice.kind], style.body(weight=QFont.Weight.DemiBold))
        writer.line(f"{NOTICE_WORDS[self._notice.kind]}:", word, line_px=21)
        cursor = QTextCursor(writer.prose.document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        text = self._notice.text.replace("\n", "\u2028")
        cursor.insertText(f" {text}", char_format(style, "text", style.body()))
        return writer.prose

    def paint_ground(self, painter: QPainter) -> None:
        """Draw the bar."""
        style = self.scene.style
        bar = QRectF(0, style.px(2), style.px(3), self.size.height() - style.px(2))
        painter.fillRect(bar, style.theme.color(_COLORS[self._notice.kind]))


class StatusPiece(TextPiece):
    """A small line under a message: what has become of it, and what can be done."""

    gap_px = 6
    is_aside = True

    def __init__(self, scene: Scene, words: str, token: str, retry_key: str = "") -> None:
        super().__init__(scene, Outline(""))
        self.words = words
        self._token = token
        self._retry_key = retry_key

    def write(self) -> Prose:
        """Write the words, and "Retry" where it can be tried again."""
        style = self.scene.style
        writer = ProseWriter(style)
        writer.line(self.words, char_format(style, self._token, style.body(SMALL_PX)))
        if self._retry_key:
            cursor = QTextCursor(writer.prose.document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText("  ·  ", char_format(style, "muted", style.body(SMALL_PX)))
            retry = char_format(style, "accent", style.body(SMALL_PX))
            retry.setAnchor(True)
            retry.setAnchorHref(_RETRY)
            retry.setFontUnderline(True)
            cursor.insertText("Retry", retry)
        return writer.prose

    def action_at(self, point: QPoint) -> Action | None:
        """Return that a click on "Retry" sends the message again."""
        action = super().action_at(point)
        return Action("retry", self._retry_key) if action and action.value == _RETRY else None

    def links(self) -> list[str]:
        """Return none: "Retry" leads nowhere."""
        return []


def status_of(message: Message, scene: Scene) -> StatusPiece | None:
    """Return the line under *message*, or None when there is nothing to say."""
    match message.state:
        case "failed" if message.role == "user":
            return StatusPiece(scene, "Not sent", "danger", message.key)
        case "queued":
            return StatusPiece(scene, "Waiting to be sent", "muted")
        case "streaming" if _waits_for_words(message):
            return StatusPiece(scene, "…", "muted")
        case "stopped" if not any(isinstance(part, Notice) for part in message.parts):
            return StatusPiece(scene, "Stopped", "warn")
    return None


def _waits_for_words(message: Message) -> bool:
    last = message.parts[-1] if message.parts else None
    return not getattr(last, "text", "").strip()


def draw_notice(scene: Scene, part: Notice, place: PartPlace) -> Drawing:
    """Draw a notice."""
    return FixedDrawing(NoticePiece(scene, part))
