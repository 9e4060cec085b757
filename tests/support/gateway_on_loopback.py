"""The real gateway on a real port, in this process or as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from companion.config import GatewaySettings
from companion.gateway.gateway import Gateway
from companion.gateway.provider import Provider
from companion.gateway.providers.scripted import Scripted
from companion.gateway.server import GatewayServer, listen
from gateway_client.transport import WebSocketTransport
from tests.support.gateway_in_memory import TOKEN, RawClient

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def serving(provider: Provider | None = None, **settings: Any) -> AsyncIterator[GatewayServer]:
    """Serve on a free port, with everything in memory."""
    gateway = await Gateway.open(
        GatewaySettings(**settings), provider or Scripted(), state_dir=None, plugin_entries=()
    )
    async with GatewayServer(gateway, token=TOKEN, listener=listen("127.0.0.1", 0)) as server:
        yield server


@asynccontextmanager
async def raw_client(ws_url: str, **settings: Any) -> AsyncIterator[RawClient]:
    """Open a websocket, without a handshake of the protocol."""
    async with connect(ws_url, compression=None, max_size=None, proxy=None, **settings) as socket:
        client = RawClient(WebSocketTransport(socket))
        try:
            yield client
        finally:
            await client.close()


class Child:
    """A gateway as a process; ends when `stop` is called or the block around it is left."""

    def __init__(self, process: asyncio.subprocess.Process, ready: dict[str, Any]) -> None:
        self.process = process
        self.ready = ready
        self.ws_url: str = ready["ws_url"]

    async def stop(self) -> int:
        """Close its standard input, as a parent that ends does; returns the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self.process.wait()


@asynccontextmanager
async def child(
    *arguments: str, token: str | None = TOKEN, prelude: str = "", env: dict[str, str] | None = None
) -> AsyncIterator[Child]:
    """Start `python -m companion.gateway` with *arguments* and wait until it is ready.

    Args:
        token: Given through standard input; None lets the gateway make one.
        prelude: Code that runs in its interpreter before anything of ours.
    """
    code = f"{prelude}\nimport runpy, sys\nsys.argv[0] = 'gateway'\n"
    code += "runpy.run_module('companion.gateway', run_name='__main__')"
    through_stdin = ["--token-stdin"] if token else []
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-c", code, "--json", *through_stdin, *arguments],
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        if token:
            process.stdin.write(token.encode() + b"\n")
            await process.stdin.drain()
        yield Child(process, json.loads(await process.stdout.readline()))
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        process.stdin.close()
