"""Starts, watches and ends the embedded gateway's process.

The gateway is a child of this program: the same program with the subcommand
`gateway`. The token goes through its standard input and never through arguments
or environment; when that pipe closes, because we end or die, the child ends too.
A child that ends by itself is started again, more slowly each time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import secrets
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

START_LIMIT_S = 30.0
STOP_LIMIT_S = 5.0
RESTART_DELAYS_S = (0.2, 1.0, 3.0, 10.0)
STEADY_AFTER_S = 30.0
LOG_LINES_KEPT = 200


class GatewayFailed(Exception):
    """The embedded gateway did not start; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the embedded gateway listens now. A restart gives a new one."""

    ws_url: str
    token: str
    pid: int


def gateway_command(*, profile_dir: Path, extra: tuple[str, ...] = ()) -> list[str]:
    """Return the command that starts our own gateway, from source and from a frozen program alike."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "companion"]
    state = profile_dir / "gateway"
    return [*program, "gateway", "--json", "--token-stdin", "--state-dir", str(state), *extra]


def child_environment(environ: dict[str, str]) -> dict[str, str]:
    """Return *environ* without what belongs to this process alone.

    A frozen program changes the library path for itself; its child, which is the
    same program, sets it again, and everything else must see the original.
    """
    env = {key: value for key, value in environ.items() if not key.startswith("QTWEBENGINE_")}
    original = env.pop("LD_LIBRARY_PATH_ORIG", None)
    if original is not None:
        env["LD_LIBRARY_PATH"] = original
    return env


class Supervisor:
    """Keeps one embedded gateway running.

    Args:
        command: The command that starts it (`gateway_command`).
        on_endpoint: Called with each new endpoint, after the gateway said it is ready.
        on_lost: Called with a sentence when the gateway ended by itself.
    """

    def __init__(
        self,
        command: list[str],
        *,
        on_endpoint: Callable[[Endpoint], None],
        on_lost: Callable[[str], None],
    ) -> None:
        self._command = command
        self._on_endpoint = on_endpoint
        self._on_lost = on_lost
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._log_reader: asyncio.Task[None] | None = None
        self.log_lines: deque[str] = deque(maxlen=LOG_LINES_KEPT)
        self.starts = 0

    async def start(self) -> Endpoint:
        """Start the gateway and begin to watch it.

        Raises:
            GatewayFailed: If it does not become ready.
        """
        endpoint = await self._launch()
        self._watch = asyncio.get_running_loop().create_task(self._keep_running(), name="embedded gateway")
        return endpoint

    async def stop(self) -> None:
        """End the gateway: close its pipe, wait, and end it the hard way if it does not listen."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._end_process()

    async def _launch(self) -> Endpoint:
        token = secrets.token_urlsafe(32)
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=child_environment(dict(os.environ)),
        )
        assert process.stdin is not None
        assert process.stderr is not None
        self._log_reader = asyncio.get_running_loop().create_task(
            self._read_log(process.stderr), name="embedded gateway log"
        )
        try:
            process.stdin.write(token.encode() + b"\n")
            await process.stdin.drain()
            async with asyncio.timeout(START_LIMIT_S):
                ready = await self._read_ready(process)
        except (TimeoutError, OSError, ValueError, KeyError) as error:
            await self._end_process()
            raise GatewayFailed(self._why(error)) from error
        except BaseException:
            await self._end_process()
            raise
        self.starts += 1
        endpoint = Endpoint(ready["ws_url"], token, int(ready["pid"]))
        self._on_endpoint(endpoint)
        return endpoint

    @staticmethod
    async def _read_ready(process: asyncio.subprocess.Process) -> dict[str, Any]:
        assert process.stdout is not None
        line = await process.stdout.readline()
        if not line:
            raise ValueError("it ended before it was ready")
        ready: dict[str, Any] = json.loads(line)
        return ready

    def _why(self, error: BaseException) -> str:
        reason = (
            f"it was not ready after {START_LIMIT_S:.0f} seconds"
            if isinstance(error, TimeoutError)
            else str(error)
        )
        last = next((line for line in reversed(self.log_lines) if line.strip()), "")
        said = f" Its last words: {last}" if last else ""
        return (
            f"The embedded gateway did not start: {reason}.{said} Try again, or connect to another gateway."
        )

    async def _read_log(self, stream: asyncio.StreamReader) -> None:
        with contextlib.suppress(
            ValueError
        ):  # a line longer than the buffer ends the reading, not the gateway
            async for line in stream:
                text = line.decode(errors="replace").rstrip()
                self.log_lines.append(text)
                log.debug("gateway: %s", text)

    async def _keep_running(self) -> None:
        loop = asyncio.get_running_loop()
        failures = 0
        while True:
            assert self._process is not None
            began = loop.time()
            code = await self._process.wait()
            failures = 0 if loop.time() - began > STEADY_AFTER_S else failures
            self._on_lost(f"The embedded gateway ended (code {code}). Starting it again…")
            failures = await self._restart(failures)

    async def _restart(self, failures: int) -> int:
        while True:
            await asyncio.sleep(RESTART_DELAYS_S[min(failures, len(RESTART_DELAYS_S) - 1)])
            failures += 1
            try:
                await self._launch()
            except GatewayFailed as error:
                self._on_lost(str(error))
            else:
                return failures

    async def _end_process(self) -> None:
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._log_reader is not None:
            self._log_reader.cancel()
            await asyncio.gather(self._log_reader, return_exceptions=True)
