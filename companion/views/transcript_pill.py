"""The small button that floats over a transcript and leads to the newest line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from companion.views.renderer import Style
from companion.views.theme import SMALL_PX

_ABOVE_EDGE_PX = 14


class Pill(QPushButton):
    """ "3 new ↓", or "Newest ↓" when a person is far above the end."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def set_style(self, style: Style) -> None:
        """Take the colours and the size of letters."""
        theme = style.theme
        self.setFont(style.body(SMALL_PX))
        self.setStyleSheet(
            f"QPushButton {{ background: {theme.raise_}; color: {theme.strong};"
            f" border: {theme.border_px}px solid {theme.line2}; border-radius: {style.px(14)}px;"
            f" padding: {style.px(5)}px {style.px(13)}px; }}"
            f"QPushButton:hover {{ background: {theme.accent_soft}; }}"
            f"QPushButton:focus {{ border: 2px solid {theme.accent}; }}"
        )

    def tell(self, new_below: int, *, is_far: bool) -> None:
        """Say how many messages came, or show nothing if there is nothing to say."""
        if not new_below and not is_far:
            self.hide()
            return
        self.setText(f"{new_below} new ↓" if new_below else "Newest ↓")
        self.setAccessibleName(
            f"{new_below} new messages, go to the newest" if new_below else "Go to the newest message"
        )
        self.adjustSize()
        area = self._area.rect()
        self.move((area.width() - self.width()) // 2, area.height() - self.height() - _ABOVE_EDGE_PX)
        self.show()
        self.raise_()
