"""The carrier between the outer document and us: texts up, texts down, and nothing else."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import QWebEnginePage

from companion.sandbox.scripts import OUTER_WORLD


class Carrier(QObject):
    """The one object on the channel; what the texts mean is `domain.page_bridge`'s."""

    to_page = Signal(str)
    """A text that the outer script posts to the page."""
    to_outer = Signal(str)
    """A text for the outer script itself."""
    received = Signal(str)

    @Slot(str)
    def receive(self, text: str) -> None:
        """Take a text of the outer script."""
        self.received.emit(text)


def connect_channel(page: QWebEnginePage) -> Carrier:
    """Open the channel in the outer document's own world and return what it carries."""
    carrier = Carrier(page)
    channel = QWebChannel(page)
    channel.registerObject("host", carrier)
    page.setWebChannel(channel, OUTER_WORLD)
    return carrier
