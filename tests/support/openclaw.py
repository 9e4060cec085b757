"""A real OpenClaw gateway as a peer in tests, with a scripted model of our own behind it.

The gateway is the one installed in the folder that COMPANION_OPENCLAW_DIR names;
nothing of it is part of this project. State, home and logs go to a temporary folder.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

START_LIMIT_S = 180.0
STOP_LIMIT_S = 15.0
DISC = (
    "<svg viewBox='0 0 90 90' role='img' aria-label='Disc'><circle cx='45' cy='45' r='40' fill='teal'/></svg>"
)


class ScriptedModel:
    """A model with the OpenAI wire format. The newest words of the person choose the reply.

    `widget` calls show_widget if it was offered; `count` says sixty words slowly;
    everything else gets one sentence.
    """

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        """Every request that came, oldest first."""
        self.pause = threading.Event()
        """Set it to let a slow reply end at once."""
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                self._send("application/json", json.dumps({"object": "list", "data": [{"id": "scripted"}]}))

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                model.requests.append(request)
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                try:
                    for delta, finish in model.reply(request):
                        choice = {"index": 0, "delta": delta, "finish_reason": finish}
                        chunk = {
                            "id": "c",
                            "object": "chat.completion.chunk",
                            "created": 1,
                            "choices": [choice],
                        }
                        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                        self.wfile.flush()
                    self.wfile.write(b"data: [DONE]\n\n")
                except (BrokenPipeError, ConnectionResetError):
                    return  # the gateway stopped listening: an abort

            def _send(self, kind: str, text: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @contextmanager
    def serving(self) -> Iterator[ScriptedModel]:
        """Serve in a thread."""
        thread = threading.Thread(target=self._server.serve_forever, name="scripted model")
        thread.start()
        try:
            yield self
        finally:
            self.pause.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join(STOP_LIMIT_S)

    def offered(self, words: str) -> list[set[str]]:
        """Return the names of the tools that each request with these words offered."""
        return [tool_names(request) for request in self.requests if words in person_words(request)]

    def reply(self, request: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], str | None]]:
        """Yield the deltas of one reply."""
        words = person_words(request)
        if "widget" in words and "show_widget" in tool_names(request) and not was_called(request):
            function = {
                "name": "show_widget",
                "arguments": json.dumps({"title": "Disc", "widget_code": DISC}),
            }
            yield (
                {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]},
                None,
            )
            yield {}, "tool_calls"
        elif "count" in words:
            for number in range(60):
                yield {"role": "assistant", "content": f"{number} "}, None
                self.pause.wait(0.2)
            yield {}, "stop"
        else:
            yield {"role": "assistant", "content": "Here it is."}, None
            yield {}, "stop"


def tool_names(request: Mapping[str, Any]) -> set[str]:
    """Return the names of the tools a request offers."""
    return {tool["function"]["name"] for tool in request.get("tools") or []}


def _since_person(request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    messages = request["messages"]
    last = max(
        (i for i, m in enumerate(messages) if m["role"] == "assistant" and not m.get("tool_calls")),
        default=-1,
    )
    return list(messages[last + 1 :])


def person_words(request: Mapping[str, Any]) -> str:
    """Return what the person wrote since the last answer, with what the gateway put around it."""
    return " ".join(json.dumps(m["content"]) for m in _since_person(request) if m["role"] == "user")


def was_called(request: Mapping[str, Any]) -> bool:
    """Whether a tool has answered since the person wrote."""
    return any(message["role"] == "tool" for message in _since_person(request))


@dataclass(frozen=True)
class OpenClaw:
    """A gateway that is ready."""

    ws_url: str
    token: str
    state_dir: Path
    model: ScriptedModel
    contract: dict[str, Any]
    """The published JSON Schema of the protocol."""


@contextmanager
def openclaw(install_dir: Path, state_dir: Path) -> Iterator[OpenClaw]:
    """Run the gateway of *install_dir* with a fresh state; takes up to a minute to start."""
    contract = install_dir / "node_modules" / "@openclaw" / "gateway-protocol" / "protocol.schema.json"
    binaries = (install_dir / "node_modules" / ".bin").resolve()
    with ScriptedModel().serving() as model:
        port, token = _free_port(), secrets.token_hex(16)
        home = state_dir / "home"
        home.mkdir(parents=True)
        config = state_dir / "openclaw.json"
        config.write_text(json.dumps(_config(port, token, model.base_url)), encoding="utf-8")
        env = {
            **os.environ,
            "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "OPENCLAW_STATE_DIR": str(state_dir),
            "OPENCLAW_CONFIG_PATH": str(config),
        }
        log = state_dir / "gateway.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [binaries / "openclaw", "gateway", "run", "--port", str(port), "--allow-unconfigured"],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            _wait_ready(port, process, log)
            yield OpenClaw(
                f"ws://127.0.0.1:{port}", token, state_dir, model, json.loads(contract.read_text("utf-8"))
            )
        finally:
            process.terminate()
            try:
                process.wait(STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(STOP_LIMIT_S)


def _config(port: int, token: str, base_url: str) -> dict[str, Any]:
    model = {
        "id": "scripted",
        "name": "Scripted",
        "reasoning": False,
        "input": ["text"],
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
        "contextWindow": 100_000,
        "maxTokens": 4096,
    }
    provider = {"baseUrl": base_url, "apiKey": "unused", "api": "openai-completions", "models": [model]}
    return {
        "gateway": {
            "mode": "local",
            "port": port,
            "bind": "loopback",
            "auth": {"mode": "token", "token": token},
            "reload": {"mode": "off"},
        },
        "models": {"mode": "merge", "providers": {"scripted": provider}},
        "agents": {"defaults": {"model": {"primary": "scripted/scripted"}, "skipBootstrap": True}},
        "update": {"checkOnStart": False},
        # Else most tools hide behind a search, and no request lists show_widget.
        "tools": {"toolSearch": False},
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_ready(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_LIMIT_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as reply:
                if reply.status == 200:
                    return
        except (OSError, urllib.error.URLError):
            time.sleep(0.2)
    tail = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text("utf-8", "replace"))[-2000:]
    raise AssertionError(
        f"the OpenClaw gateway is not ready (exit code {process.poll()}). Its log ends:\n{tail}"
    )
