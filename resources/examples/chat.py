"""Chat with a gateway in a terminal: one line is one message, an empty line ends.

python chat.py wss://gateway.example:8443 TOKEN-FILE
"""

from __future__ import annotations

import asyncio
import sys
import uuid
from pathlib import Path

from gateway_client import ConnectRefused, GatewayClient, LinkClosed, connect
from gateway_client.protocol.events import ChatEvent


async def answer(client: GatewayClient, text: str) -> None:
    """Send *text* and print the answer as it comes."""
    key = str(uuid.uuid4())
    async with client.events() as events:
        run = await client.send_message("main", text, idempotency_key=key)
        async for event in events:
            if not isinstance(event, ChatEvent) or event.run_id != run.run_id:
                continue
            if event.state == "delta":
                print(event.delta_text or "", end="", flush=True)
            if event.is_end:
                print(f"\n[{event.state}]")
                return


async def main(url: str, token: str) -> None:
    """Read lines until an empty one comes."""
    async with connect(url, token=token) as client:
        while text := (await asyncio.to_thread(sys.stdin.readline)).strip():
            await answer(client, text)


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1], Path(sys.argv[2]).read_text().strip()))
    except ConnectRefused as error:
        sys.exit(f"{error}. {error.advice}")
    except LinkClosed as error:
        sys.exit(f"{error}. Check that the gateway runs, then try again.")
