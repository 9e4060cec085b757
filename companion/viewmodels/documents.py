"""The documents of widgets: read when one is near the eye, told by signals."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from companion.loop import Tasks
from gateway_client.client import GatewayClient
from gateway_client.errors import DocumentRefused, GatewayError, LinkClosed
from gateway_client.protocol import handles
from gateway_client.protocol.blocks import WidgetBlock


class DocumentsModel(QObject):
    """Reads widget documents; each is read once while it is on its way.

    A handle that points anywhere but at a document of this gateway is refused
    before anything is fetched.
    """

    ready = Signal(str, bytes)
    """View id and the HTML."""
    refused = Signal(str, str)
    """View id and a sentence."""

    def __init__(self, client: GatewayClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = Tasks()
        self._on_the_way: set[str] = set()

    def request(self, block: WidgetBlock) -> None:
        """Ask for the document of *block*; `ready` or `refused` follows."""
        reason = handles.refusal(block)
        if reason is not None:
            self.refused.emit(block.view_id, f"This widget was not fetched: {reason}.")
        elif block.view_id not in self._on_the_way:
            self._on_the_way.add(block.view_id)
            self._tasks.start(self._read(block), name="read a widget document")

    async def close(self) -> None:
        """Stop reading."""
        await self._tasks.close()

    async def _read(self, block: WidgetBlock) -> None:
        try:
            document = await self._client.read_document(block)
        except DocumentRefused as error:
            self.refused.emit(block.view_id, _sentence(error))
        except LinkClosed:
            self.refused.emit(block.view_id, "The gateway is not connected. Reload the widget when it is.")
        except GatewayError as error:
            self.refused.emit(block.view_id, f"The widget could not be read: {error}. Try again.")
        else:
            self.ready.emit(block.view_id, document.html)
        finally:
            self._on_the_way.discard(block.view_id)


def _sentence(error: DocumentRefused) -> str:
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
