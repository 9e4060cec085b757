"""The line above the conversation: its title, who answers, find, and the menu."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QMenu, QPushButton, QWidget

HEIGHT_PX = 48
THEME_NAMES = (
    ("system", "Follow the system"),
    ("light", "Light"),
    ("dark", "Dark"),
    ("high-contrast", "High contrast"),
)


class Header(QFrame):
    """Shows the title; says what a person asked for."""

    find_requested = Signal()
    theme_chosen = Signal(str)
    zoom_requested = Signal(int)
    """+1 larger, -1 smaller, 0 as it was."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setFixedHeight(HEIGHT_PX)
        self._full_title = ""
        self._title = QLabel(self)
        self._title.setObjectName("headerTitle")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setMinimumWidth(60)
        self._agent = QLabel(self)
        self._agent.setObjectName("small")
        self._find = _pill("Find", "Find in this conversation", self)
        self._more = _pill("⋯", "More", self)
        self.menu = QMenu(self)
        self._themes = QActionGroup(self)
        self._build_menu()
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 0, 18, 0)
        row.setSpacing(6)
        row.addWidget(self._title, 1)
        for widget in (self._agent, self._find, self._more):
            row.addWidget(widget)
        self._find.clicked.connect(self.find_requested)
        self._more.clicked.connect(self._open_menu)

    def _build_menu(self) -> None:
        for name, words in THEME_NAMES:
            action = QAction(words, self, checkable=True)
            action.setData(name)
            self._themes.addAction(action)
            self.menu.addAction(action)
        self._themes.triggered.connect(lambda action: self.theme_chosen.emit(str(action.data())))
        self.menu.addSeparator()
        for words, keys, step in (
            ("Larger text", QKeySequence.StandardKey.ZoomIn, 1),
            ("Smaller text", QKeySequence.StandardKey.ZoomOut, -1),
            ("Normal text", QKeySequence("Ctrl+0"), 0),
        ):
            action = QAction(words, self)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.triggered.connect(lambda _checked, by=step: self.zoom_requested.emit(by))
            self.menu.addAction(action)
            self.addAction(action)

    def show_title(self, title: str, agent: str) -> None:
        """Show which conversation this is, and who answers in it."""
        self._full_title = title
        self._title.setToolTip(title)
        self._agent.setText(agent)
        self._elide()

    def show_theme_choice(self, name: str) -> None:
        """Mark the theme that is chosen."""
        for action in self._themes.actions():
            action.setChecked(action.data() == name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the title to the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = max(40, self._title.width())
        self._title.setText(
            self._title.fontMetrics().elidedText(self._full_title, Qt.TextElideMode.ElideRight, room)
        )

    def _open_menu(self) -> None:
        corner = self._more.mapToGlobal(QPoint(self._more.width(), self._more.height() + 4))
        self.menu.popup(corner - QPoint(self.menu.sizeHint().width(), 0))


class FindBar(QFrame):
    """A field, a count, and the ways forward and back. Esc closes it."""

    text_changed = Signal(str)
    next_requested = Signal()
    previous_requested = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self._field = QLineEdit(self)
        self._field.setPlaceholderText("Find in this conversation")
        self._field.setAccessibleName("Find in this conversation")
        self._count = QLabel(self)
        self._count.setObjectName("small")
        back, forward = _pill("↑", "Previous hit", self), _pill("↓", "Next hit", self)
        close = _pill("Close", "Close find", self)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 6, 18, 6)
        for widget in (self._field, self._count, back, forward, close):
            row.addWidget(widget, 1 if widget is self._field else 0)
        self._field.textChanged.connect(self.text_changed)
        self._field.returnPressed.connect(self.next_requested)
        back.clicked.connect(self.previous_requested)
        forward.clicked.connect(self.next_requested)
        close.clicked.connect(self.close_find)
        for keys, action in (
            ("Esc", self.close_find),
            ("F3", self.next_requested.emit),
            ("Shift+F3", self.previous_requested.emit),
            ("Shift+Return", self.previous_requested.emit),
        ):
            QShortcut(QKeySequence(keys), self, action, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.hide()

    def open(self) -> None:
        """Show the bar with the cursor in it."""
        self.show()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        if self._field.text():
            self.text_changed.emit(self._field.text())

    def show_count(self, count: int) -> None:
        """Say how many hits there are."""
        self._count.setText("" if not self._field.text() else f"{count} found" if count else "nothing found")

    def close_find(self) -> None:
        """Hide the bar; the conversation shows no hits any more."""
        self.hide()
        self.closed.emit()


def _pill(words: str, meaning: str, parent: QWidget) -> QPushButton:
    button = QPushButton(words, parent)
    button.setObjectName("pill")
    button.setToolTip(meaning)
    button.setAccessibleName(meaning)
    return button
