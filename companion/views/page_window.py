"""A window that holds one foreign page and is always as high as the page wants to be."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from companion.sandbox.sandbox import Sandbox
from companion.sandbox.view import PageDocument, PageView
from companion.views.blocks.widget import FIRST_HEIGHT_PX, appearance_of
from companion.views.theme import Theme


class PageWindow(QWidget):
    """One page, *width_px* pixels wide. Close the sandbox before the window goes."""

    def __init__(self, width_px: int) -> None:
        super().__init__()
        self.sizes: list[int] = []
        """The heights in pixels that the page was given, in order."""
        self.resize(width_px, FIRST_HEIGHT_PX)

    def open_page(self, sandbox: Sandbox, document: PageDocument, theme: Theme) -> PageView:
        """Open *document* in this window and show both."""
        view = sandbox.open_page(document, appearance_of(theme), self)
        view.height_wanted.connect(lambda height: self._give(view, height))
        view.resize(self.size())
        view.show()
        self.show()
        return view

    def _give(self, view: PageView, height_px: int) -> None:
        self.sizes.append(height_px)
        self.resize(self.width(), height_px)
        view.resize(self.size())
