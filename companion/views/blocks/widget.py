"""A widget in the conversation: a thin frame of ours, and in it the page of theirs.

The frame's title, its badge and its buttons are drawn by us and cannot be drawn
over by the page. Whenever there is no page, the block's text and the reason are.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from companion.domain.transcript import Part
from companion.sandbox.sandbox import Sandbox
from companion.sandbox.view import Appearance, PageDocument, PageView
from companion.viewmodels.documents import DocumentsModel
from companion.views.renderer import EmbedWidget
from companion.views.theme import LIGHT, Theme
from gateway_client.protocol.blocks import WidgetBlock

CAP_PX = 34
FIRST_HEIGHT_PX = 160
MIN_BODY_PX = 48
MAX_BODY_PX = 8000
SOURCE = "show_widget · no network"


def appearance_of(theme: Theme) -> Appearance:
    """Return what a page is told about *theme*."""
    return Appearance(is_dark=theme.is_dark, background=theme.card, tokens=theme.page_tokens())


class WidgetFactory(QObject):
    """Makes the frames of widgets and remembers how high each one was.

    Args:
        sandbox: Where pages live, or None where none may be drawn.
        documents: Where their bytes come from.
    """

    prompt_offered = Signal(str)
    painted = Signal(str, str, str, int)
    """View id, address, the policy in force, milliseconds from load to paint."""
    refused = Signal(str, str)
    """View id and the sentence shown instead of the page."""
    problem = Signal(str)
    """A sentence for the strip above the conversation."""

    def __init__(
        self, sandbox: Sandbox | None, documents: DocumentsModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self._sandbox = sandbox
        self._documents = documents
        self._heights: dict[str, int] = {}

    def handles(self, part: Part) -> bool:
        """Whether *part* is a widget."""
        return isinstance(part, WidgetBlock)

    def create(self, key: str, part: Part, parent: QWidget) -> EmbedWidget:
        """Make the frame; the page is fetched and started by itself."""
        assert isinstance(part, WidgetBlock)
        frame = WidgetFrame(key, part, self, parent)
        frame.set_theme(self.theme)
        frame.problem.connect(self.problem)
        frame.start()
        return frame

    def remembered_height(self, key: str, part: Part) -> int:
        """Return the height in pixels that the whole block had, or will begin with."""
        assert isinstance(part, WidgetBlock)
        known = self._heights.get(part.view_id)
        return known if known is not None else _whole_height(part.preferred_height_px or FIRST_HEIGHT_PX)

    def remember_height(self, view_id: str, height_px: int) -> None:
        """Keep the height of a block for the next time its document is shown."""
        self._heights[view_id] = height_px

    @property
    def sandbox(self) -> Sandbox | None:
        """Where pages live."""
        return self._sandbox

    @property
    def documents(self) -> DocumentsModel:
        """Where the bytes of pages come from."""
        return self._documents


def _whole_height(body_px: int) -> int:
    return CAP_PX + 2 + max(MIN_BODY_PX, min(MAX_BODY_PX, body_px))


class WidgetFrame(EmbedWidget):
    """The frame of one widget: title, source, actions; below them page or reason."""

    problem = Signal(str)

    def __init__(self, key: str, block: WidgetBlock, factory: WidgetFactory, parent: QWidget) -> None:
        super().__init__(parent)
        self._block, self._factory = block, factory
        self._theme = LIGHT
        self._page: PageView | None = None
        self._frame = QFrame(self)
        self._frame.setObjectName("widgetFrame")
        self._note = QLabel("Loading the widget…", self._frame)
        self._note.setObjectName("widgetNote")
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._actions = QWidget(self._frame)
        self._menu = QMenu(self)
        self._body = QVBoxLayout()
        self._lay_out()
        self.setAccessibleName(f"Widget: {block.title or 'untitled'}")
        self.resize(self.width(), factory.remembered_height(key, block))
        factory.documents.ready.connect(self._show_document)
        factory.documents.refused.connect(self._show_refusal)

    def _lay_out(self) -> None:
        title = QLabel(self._block.title or "Widget", self._frame)
        title.setObjectName("widgetTitle")
        title.setTextFormat(Qt.TextFormat.PlainText)
        badge = QLabel(SOURCE, self._frame)
        badge.setObjectName("badge")
        cap = QFrame(self._frame)
        cap.setObjectName("widgetCap")
        cap.setFixedHeight(CAP_PX)
        row = QHBoxLayout(cap)
        row.setContentsMargins(12, 0, 6, 0)
        row.setSpacing(8)
        row.addWidget(title, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        row.addWidget(self._build_actions())
        column = QVBoxLayout(self._frame)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(cap)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.addWidget(self._note, 1)
        column.addLayout(self._body, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._frame)

    def _build_actions(self) -> QWidget:
        row = QHBoxLayout(self._actions)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        reload_button = QPushButton("reload", self._actions)
        more = QPushButton("⋯", self._actions)
        for button, name in ((reload_button, "Reload the widget"), (more, "More about this widget")):
            button.setObjectName("quiet")
            button.setAccessibleName(name)
            button.setToolTip(name)
            row.addWidget(button)
        self._save = self._menu.addAction("Save as a picture…")
        self._save.triggered.connect(self._ask_where_to_save)
        self._menu.addAction("Show as text").triggered.connect(self._show_as_text)
        self._menu.aboutToShow.connect(lambda: self._save.setEnabled(self._page is not None))
        reload_button.clicked.connect(self.start)
        more.clicked.connect(lambda: self._menu.popup(more.mapToGlobal(QPoint(0, more.height()))))
        return self._actions

    # The page.

    def start(self) -> None:
        """Fetch the document and show its page; what is shown now gives way."""
        self._drop_page()
        self._say("Loading the widget…")
        if self._factory.sandbox is None:
            self._say_why("Widgets are not drawn on this machine; the diagnostics say why.")
        else:
            self._factory.documents.request(self._block)

    def _show_document(self, view_id: str, html: bytes) -> None:
        sandbox = self._factory.sandbox
        if view_id != self._block.view_id or self._page is not None or sandbox is None:
            return
        document = PageDocument(
            document_id=view_id,
            html=bytes(html),
            title=self._block.title,
            tier="strict" if self._block.sandbox == "strict" else "scripts",
        )
        self._page = page = sandbox.open_page(document, appearance_of(self._theme), self._frame)
        self._body.addWidget(page, 1)
        page.painted.connect(self._show_page)
        page.height_wanted.connect(self._take_height)
        page.prompt_offered.connect(self._factory.prompt_offered)
        page.failed.connect(self._say_why)
        page.wheel_left.connect(self.wheel_left)

    def _show_page(self, paint_ms: int) -> None:
        if self._page is not None:
            self._note.hide()
            self._factory.painted.emit(self._block.view_id, self._block.url, self._page.policy, paint_ms)

    def _show_refusal(self, view_id: str, sentence: str) -> None:
        if view_id == self._block.view_id:
            self._say_why(sentence)

    def _say_why(self, sentence: str) -> None:
        self._drop_page()
        self._say(f"{self._block.projection()}\n{sentence}")
        self._factory.refused.emit(self._block.view_id, sentence)

    def _show_as_text(self) -> None:
        self._drop_page()
        self._say(self._block.projection())

    def _say(self, text: str) -> None:
        self._note.setText(text)
        self._note.show()

    def _drop_page(self) -> None:
        if self._page is not None:
            page, self._page = self._page, None
            self._body.removeWidget(page)
            page.close_page()
            page.deleteLater()

    def _take_height(self, body_px: int) -> None:
        height = _whole_height(body_px)
        self._factory.remember_height(self._block.view_id, height)
        self.height_changed.emit(height)

    # What the transcript and the person ask.

    def set_theme(self, theme: Theme) -> None:
        """Take new colours; the page is told and never loaded again."""
        self._theme = theme
        if self._page is not None:
            self._page.set_appearance(appearance_of(theme))

    def closing(self) -> None:
        """End the page before the frame goes."""
        self._drop_page()

    def showEvent(self, event: QShowEvent) -> None:
        """Take the theme of now, should it have changed out of sight."""
        super().showEvent(event)
        self.set_theme(self._factory.theme)

    def _ask_where_to_save(self) -> None:
        """Save what the page looks like now; nested loops are not for us, so the dialog is opened."""
        if self._page is None:
            return
        picture = self._page.take_picture()
        dialog = QFileDialog(self, "Save the widget as a picture")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter("Pictures (*.png)")
        dialog.setDefaultSuffix("png")
        dialog.selectFile(f"{self._block.title or 'widget'}.png".replace("/", "-"))

        def save(path: str) -> None:
            if not picture.save(path):
                self.problem.emit(f"The picture could not be written to {path!r}. Choose another folder.")

        dialog.fileSelected.connect(save)
        dialog.open()
