"""A small endpoint with OpenAI's streaming chat format: it plays a script and keeps the requests."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.gateway.server import _Server, listen

USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


def words(*pieces: str, finish: str = "stop") -> list[dict[str, Any]]:
    """Return the chunks of an answer in words."""
    return [{"delta": {"content": piece}} for piece in pieces] + [{"delta": {}, "finish_reason": finish}]


def thoughts(*pieces: str) -> list[dict[str, Any]]:
    """Return chunks of reasoning, as several endpoints send it."""
    return [{"delta": {"reasoning_content": piece}} for piece in pieces]


def calls(*wanted: tuple[str, str, str]) -> list[dict[str, Any]]:
    """Return the chunks of an answer that calls tools: id, name, arguments as text, sent in two pieces."""
    chunks = []
    for index, (call_id, name, arguments) in enumerate(wanted):
        half = len(arguments) // 2
        start = {"index": index, "id": call_id, "type": "function"}
        first = {**start, "function": {"name": name, "arguments": arguments[:half]}}
        rest = {"index": index, "function": {"arguments": arguments[half:]}}
        chunks += [{"delta": {"tool_calls": [first]}}, {"delta": {"tool_calls": [rest]}}]
    return [*chunks, {"delta": {}, "finish_reason": "tool_calls"}]


class Endpoint:
    """What the endpoint will answer, and what it was asked.

    A turn is a list of chunks, an HTTP status, or a list with an event to wait for.
    """

    def __init__(self) -> None:
        self.turns: deque[list[Any] | int] = deque()
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.is_left = asyncio.Event()
        """Set when a client went away in the middle of an answer."""
        self.base_url = ""

    def will(self, *turns: list[Any] | int) -> None:
        self.turns.extend(turns)

    async def answer(self, request: Request) -> Response:
        self.requests.append(await request.json())
        self.keys.append(request.headers.get("authorization"))
        turn = self.turns.popleft()
        if isinstance(turn, int):
            return JSONResponse({"error": {"message": "no", "type": "x"}}, turn)
        return StreamingResponse(self._stream(turn), media_type="text/event-stream")

    async def _stream(self, turn: list[Any]) -> AsyncIterator[str]:
        is_whole = False
        try:
            for chunk in turn:
                if isinstance(chunk, asyncio.Event):
                    await chunk.wait()
                else:
                    yield _line({"choices": [{"index": 0, "finish_reason": None, **chunk}]})
            yield _line({"choices": [], "usage": USAGE})
            yield "data: [DONE]\n\n"
            is_whole = True
        finally:
            if not is_whole:
                self.is_left.set()


def _line(fields: Mapping[str, Any]) -> str:
    whole = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "test-model", **fields}
    return f"data: {json.dumps(whole)}\n\n"


@asynccontextmanager
async def endpoint() -> AsyncIterator[Endpoint]:
    """Serve one on a free port."""
    one = Endpoint()
    app = Starlette(routes=[Route("/v1/chat/completions", one.answer, methods=["POST"])])
    listener = listen("127.0.0.1", 0)
    one.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    config = uvicorn.Config(app, loop="none", http="h11", lifespan="off", log_config=None, access_log=False)
    config.timeout_graceful_shutdown = 1
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]), name="endpoint")
    try:
        while not server.started:  # noqa: ASYNC110 - uvicorn tells it in no other way
            await asyncio.sleep(0.005)
        yield one
    finally:
        server.should_exit = True
        await task
