"""Save the newest widget of a session as a file. Open it in a browser at your own risk: an agent wrote it.

python save_widget.py wss://gateway.example:8443 TOKEN-FILE widget.html
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from gateway_client import ConnectRefused, DocumentRefused, GatewayClient, LinkClosed, connect
from gateway_client.protocol.blocks import WidgetBlock, parse_content


async def newest_widget(client: GatewayClient, session: str) -> WidgetBlock | None:
    """Return the last widget that the session's history shows."""
    rows = (await client.history(session)).messages
    blocks = [block for row in rows for block in parse_content(row.get("content"))]
    return next((block for block in reversed(blocks) if isinstance(block, WidgetBlock)), None)


async def main(url: str, token: str, target: str) -> None:
    """Find the widget, read its page, write it."""
    async with connect(url, token=token) as client:
        widget = await newest_widget(client, "main")
        if widget is None:
            print("this session shows no widget yet")
            return
        document = await client.read_document(widget)
        await asyncio.to_thread(Path(target).write_bytes, document.html)
        print(f"{widget.title}: {len(document.html)} bytes")


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1], Path(sys.argv[2]).read_text().strip(), sys.argv[3]))
    except ConnectRefused as error:
        sys.exit(f"{error}. {error.advice}")
    except (LinkClosed, DocumentRefused) as error:
        sys.exit(f"{error}. Try again in a moment.")
