"""A coloured dot and a few words about the gateway; a click tries again."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from companion.viewmodels.link import LinkModel
from companion.views.theme import LIGHT, SMALL_PX, Theme, body_font

DOT_PX = 8


class StatusChip(QAbstractButton):
    """Says how the link is, in a colour and in words."""

    def __init__(self, link: LinkModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self._theme = LIGHT
        self.setFont(body_font(SMALL_PX))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        link.changed.connect(self.show_link)
        self.show_link()

    def set_theme(self, theme: Theme) -> None:
        """Take new colours."""
        self._theme = theme
        self.update()

    def show_link(self) -> None:
        """Take the words of the model."""
        self.setText(self._link.text)
        self.setToolTip(self._link.detail or self._link.text)
        self.setAccessibleName(f"Connection: {self._link.text}")
        self.setAccessibleDescription(self._link.detail)
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for the dot and the words."""
        return QSize(DOT_PX + 8 + self.fontMetrics().horizontalAdvance(self.text()), 20)

    def minimumSizeHint(self) -> QSize:
        """Return a width in which the words are cut, never the layout."""
        return QSize(60, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint dot, words and, for the keyboard, a ring."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(self._link.tone))
            painter.drawEllipse(QRectF(1, (self.height() - DOT_PX) / 2, DOT_PX, DOT_PX))
            painter.setPen(self._theme.color("muted"))
            room = self.rect().adjusted(DOT_PX + 9, 0, 0, 0)
            words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self._theme.color("accent"), 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        finally:
            painter.end()
