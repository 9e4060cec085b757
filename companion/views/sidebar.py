"""The left area: connection, new chat, search, and the list of conversations."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPalette, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from companion.viewmodels.link import LinkModel
from companion.viewmodels.sessions import SessionsModel
from companion.views.status_chip import StatusChip
from companion.views.theme import LIGHT, RADIUS_PX, TINY_PX, Theme, body_font

WIDTH_PX = 248
KEY_ROLE = int(Qt.ItemDataRole.UserRole)
TIME_ROLE = KEY_ROLE + 1
CURRENT_ROLE = KEY_ROLE + 2
ROW_PX = 34
HEADING_PX = 28


class SessionDelegate(QStyledItemDelegate):
    """Paints a heading, or a conversation: title at the left, time at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a heading or of a row."""
        return QSize(0, ROW_PX if index.data(KEY_ROLE) else HEADING_PX)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one entry; the painter is left as it was found."""
        painter.save()
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if index.data(KEY_ROLE):
                self._paint_row(painter, option, index)
            else:
                self._paint_heading(painter, option.rect, str(index.data()))
        finally:
            painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        painter.setFont(body_font(TINY_PX))
        painter.setPen(self.theme.color("muted"))
        painter.drawText(rect.adjusted(4, 6, -4, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_row(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        box = rect.adjusted(1, 1, -1, -1)
        is_current = bool(index.data(CURRENT_ROLE))
        if is_current or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.color("accent_soft" if is_current else "line"))
            painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.theme.color("accent"), 2))
            painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
        when = str(index.data(TIME_ROLE) or "")
        painter.setFont(body_font(TINY_PX))
        painter.setPen(self.theme.color("muted"))
        time_width = painter.fontMetrics().horizontalAdvance(when)
        inner = box.adjusted(9, 0, -9, 0)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, when)
        font = body_font(13)
        painter.setFont(font)
        painter.setPen(self.theme.color("strong" if is_current else "text"))
        width = inner.width() - time_width - 8
        title = QFontMetrics(font).elidedText(str(index.data()), Qt.TextElideMode.ElideRight, width)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)


class Sidebar(QWidget):
    """Shows the link and the conversations; says what a person chose."""

    new_chat_requested = Signal()
    session_chosen = Signal(str)
    reconnect_requested = Signal()

    def __init__(self, link: LinkModel, sessions: SessionsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH_PX)
        self._sessions = sessions
        self.chip = StatusChip(link, self)
        self._new_chat = QPushButton("New chat", self)
        self._new_chat.setObjectName("newChat")
        self._search = QLineEdit(self)
        self._search.setPlaceholderText("Search titles")
        self._search.setAccessibleName("Search titles")
        self._search.setClearButtonEnabled(True)
        self._delegate = SessionDelegate(self)
        self._model = QStandardItemModel(self)
        self._list = QListView(self)
        self._lay_out()
        self._new_chat.clicked.connect(self.new_chat_requested)
        self._search.textChanged.connect(sessions.set_filter)
        self._list.activated.connect(self._choose)
        self._list.clicked.connect(self._choose)
        self.chip.clicked.connect(self.reconnect_requested)
        sessions.changed.connect(self.show_sessions)
        self.show_sessions()

    def _lay_out(self) -> None:
        self._list.setObjectName("sessionList")
        self._list.setAccessibleName("Conversations")
        self._list.setModel(self._model)
        self._list.setItemDelegate(self._delegate)
        self._list.setUniformItemSizes(False)
        self._list.setMouseTracking(True)
        self._list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(10)
        for widget in (self.chip, self._new_chat, self._search):
            column.addWidget(widget)
        column.addWidget(self._list, 1)

    def set_theme(self, theme: Theme) -> None:
        """Take new colours."""
        self._delegate.theme = theme
        self.chip.set_theme(theme)
        palette = self._list.palette()
        palette.setColor(QPalette.ColorRole.Base, theme.color("side"))
        self._list.setPalette(palette)
        self._list.viewport().update()

    def show_sessions(self) -> None:
        """Build the list anew from the model."""
        today = date.today()  # noqa: DTZ011 - headings follow the person's own day
        self._model.clear()
        for group in self._sessions.groups(today):
            heading = QStandardItem(group.heading)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            self._model.appendRow(heading)
            for row in group.rows:
                item = QStandardItem(row.title)
                item.setData(row.key, KEY_ROLE)
                item.setData(self._sessions.time_text(row, today), TIME_ROLE)
                item.setData(self._sessions.is_current(row), CURRENT_ROLE)
                item.setToolTip(row.title)
                self._model.appendRow(item)

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def _choose(self, index: QModelIndex) -> None:
        key = index.data(KEY_ROLE)
        if key:
            self.session_chosen.emit(str(key))
