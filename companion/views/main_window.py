"""The window: sidebar at the left, one conversation in the middle. It owns no rules."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QPushButton, QVBoxLayout, QWidget

from companion.viewmodels.chat import ChatModel
from companion.viewmodels.link import LinkModel
from companion.viewmodels.sessions import SessionsModel
from companion.views.blocks.widget import WidgetFactory
from companion.views.composer import Composer
from companion.views.header import FindBar, Header
from companion.views.sidebar import Sidebar
from companion.views.style import style_sheet
from companion.views.theme import LIGHT, Theme
from companion.views.transcript import TranscriptView

SIZE_PX = (1180, 800)
MIN_SIZE_PX = (640, 480)
PHASE_WORDS = {
    "preparing_workspace": "Preparing…",
    "preparing_context": "Preparing…",
    "starting_model": "Starting the model…",
}
ZOOM_STEP = 0.1
DRAFT_PAUSE_MS = 300
EMPTY_WORDS = (
    'Write a message below. "Guide (no model)" answers without an account: '
    'try "widget", "markdown", or "help".'
)


class Strip(QFrame):
    """A line that appears only when something needs to be said, with its sentence and a way on."""

    retry_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        self._text = QLabel(self)
        self._text.setObjectName("stripText")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._retry = QPushButton("Retry now", self)
        self._retry.setObjectName("pill")
        self._dismiss = QPushButton("Dismiss", self)
        self._dismiss.setObjectName("pill")
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 6, 18, 6)
        row.addWidget(self._text, 1)
        row.addWidget(self._retry)
        row.addWidget(self._dismiss)
        self._retry.clicked.connect(self.retry_requested)
        self._dismiss.clicked.connect(lambda: self.say_problem(""))
        self._link_words = ""
        self._problem = ""
        self.hide()

    def say_link(self, sentence: str) -> None:
        """Show what there is to say about the link; it goes by itself when the link is well."""
        self._link_words = sentence
        self._show()

    def say_problem(self, sentence: str) -> None:
        """Show anything else; it stays until it is dismissed, or the next one comes."""
        self._problem = sentence
        self._show()

    def _show(self) -> None:
        sentence = self._link_words or self._problem
        self._text.setText(sentence)
        self._text.setAccessibleName(sentence)
        self._retry.setVisible(bool(self._link_words))
        self._dismiss.setVisible(not self._link_words)
        self.setVisible(bool(sentence))


class MainWindow(QMainWindow):
    """Composes the views of one conversation and passes on what a person does."""

    closed = Signal()
    reconnect_requested = Signal()
    new_chat_requested = Signal()
    theme_chosen = Signal(str)
    zoom_changed = Signal(float)
    link_activated = Signal(str)
    draft_changed = Signal(str, str)
    """A conversation's key, and what is written in it and not sent."""
    draft_wanted = Signal(str)
    """The key of a conversation whose draft belongs into the composer."""

    def __init__(
        self, link: LinkModel, sessions: SessionsModel, chat: ChatModel, widgets: WidgetFactory
    ) -> None:
        super().__init__()
        self._link, self._sessions, self._chat, self._widgets = link, sessions, chat, widgets
        self._draft_pause = QTimer(self, singleShot=True, interval=DRAFT_PAUSE_MS)
        self._zoom = 1.0
        self.sidebar = Sidebar(link, sessions, self)
        self.header = Header(self)
        self.find_bar = FindBar(self)
        self.strip = Strip(self)
        self.transcript = TranscriptView(LIGHT, widgets, self)
        self.composer = Composer(self)
        self._empty = QLabel(EMPTY_WORDS, self)
        self._empty.setObjectName("small")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self.setWindowTitle("Companion")
        self.setMinimumSize(*MIN_SIZE_PX)
        self.resize(*SIZE_PX)
        self._lay_out()
        self._connect_models()
        self._connect_views()
        self._connect_keys()
        self.show_link()
        self.show_messages()
        self.show_title()
        self.composer.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        conversation = QWidget(self)
        conversation.setObjectName("conversation")
        column = QVBoxLayout(conversation)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.header, self.strip, self.find_bar, self._empty, self.transcript, self.composer):
            column.addWidget(widget, 1 if widget in (self.transcript, self._empty) else 0)
        whole = QWidget(self)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar)
        row.addWidget(conversation, 1)
        self.setCentralWidget(whole)

    def _connect_models(self) -> None:
        self._link.changed.connect(self.show_link)
        self._sessions.changed.connect(self.show_title)
        self._chat.messages_changed.connect(self.show_messages)
        self._chat.problem.connect(self.strip.say_problem)
        self._widgets.prompt_offered.connect(self.composer.fill)
        self._widgets.problem.connect(self.strip.say_problem)

    def _connect_views(self) -> None:
        self.composer.submitted.connect(self._send)
        self.composer.text.textChanged.connect(self._draft_pause.start)
        self._draft_pause.timeout.connect(self.keep_draft)
        self.composer.stop_requested.connect(self._chat.stop)
        self.transcript.retry_requested.connect(self._chat.retry)
        self.transcript.discard_requested.connect(self._chat.discard)
        self.transcript.link_activated.connect(self.link_activated)
        self.sidebar.session_chosen.connect(self.open_session)
        self.sidebar.new_chat_requested.connect(self.new_chat_requested)
        self.sidebar.reconnect_requested.connect(self.reconnect_requested)
        self.strip.retry_requested.connect(self.reconnect_requested)
        self.header.find_requested.connect(self.find_bar.open)
        self.header.theme_chosen.connect(self.theme_chosen)
        self.header.zoom_requested.connect(self._zoom_by)
        self.find_bar.text_changed.connect(self._find)
        self.find_bar.next_requested.connect(self.transcript.find_next)
        self.find_bar.previous_requested.connect(self.transcript.find_previous)
        self.find_bar.closed.connect(self._end_find)

    def _connect_keys(self) -> None:
        for keys, action in (
            ("Ctrl+F", self.find_bar.open),
            ("Ctrl+N", self.new_chat_requested.emit),
            ("Ctrl+L", self._focus_composer),
            ("Ctrl+.", self._chat.stop),
            ("Ctrl+B", lambda: self.sidebar.setVisible(not self.sidebar.isVisible())),
            ("Ctrl+Shift+F", self.sidebar.focus_search),
            ("Ctrl+Q", self.close),
            ("F11", self._toggle_full_screen),
        ):
            QShortcut(QKeySequence(keys), self, action)

    # What the models say.

    def show_link(self) -> None:
        """Show how the link stands; the strip appears only when it needs words."""
        self.strip.say_link(self._link.detail)

    def show_title(self) -> None:
        """Show which conversation is open."""
        title = self._sessions.current_title
        self.header.show_title(title, self._link.agent)
        self.setWindowTitle(f"{title} — Companion")

    def show_messages(self) -> None:
        """Show the rows, and whether an answer is on its way."""
        messages = self._chat.messages
        self.transcript.setVisible(bool(messages))
        self._empty.setVisible(not messages)
        self.transcript.set_messages(messages)
        self.composer.show_busy(self._chat.is_busy, is_stopping=self._chat.is_stopping)
        self.composer.show_status(PHASE_WORDS.get(self._chat.phase, ""))

    # What a person does.

    def open_session(self, key: str) -> None:
        """Open a conversation; what is written here waits until it is opened again."""
        self.keep_draft()
        self._sessions.open(key)
        self._chat.open_session(key)
        self.draft_wanted.emit(key)
        self._focus_composer()

    def keep_draft(self) -> None:
        """Tell what is written now, without waiting for a pause."""
        self._draft_pause.stop()
        self.draft_changed.emit(self._sessions.current, self.composer.draft())

    def set_theme(self, theme: Theme, choice: str) -> None:
        """Take new colours everywhere; *choice* is what the menu marks."""
        self._widgets.theme = theme
        self.setPalette(theme.palette())
        self.setStyleSheet(style_sheet(theme))
        self.sidebar.set_theme(theme)
        self.transcript.set_theme(theme)
        self.header.show_theme_choice(choice)

    def set_zoom(self, factor: float) -> None:
        """Show text at *factor* of its size, 0.7 to 2."""
        self._zoom = min(2.0, max(0.7, round(factor, 2)))
        self.transcript.set_zoom(self._zoom)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell that the person closed the window."""
        super().closeEvent(event)
        self.closed.emit()

    def _send(self, text: str) -> None:
        self._chat.send(text)
        self.keep_draft()
        self.transcript.jump_to_newest()

    def _zoom_by(self, step: int) -> None:
        self.set_zoom(self._zoom + step * ZOOM_STEP if step else 1.0)
        self.zoom_changed.emit(self._zoom)

    def _find(self, text: str) -> None:
        self.find_bar.show_count(self.transcript.find(text))

    def _end_find(self) -> None:
        self.transcript.clear_find()
        self._focus_composer()

    def _focus_composer(self) -> None:
        self.composer.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
