"""The gateway as a program: its arguments, its readiness line, its end.

One JSON object says when it is ready. The token comes through standard input
from a program that starts it, and then the end of that input ends the gateway;
else it is made here and kept in a file that only its owner can read.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ipaddress
import json
import logging
import os
import secrets
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion import config
from companion.gateway import providers
from companion.gateway.gateway import Gateway
from companion.gateway.provider import Provider, ProviderError
from companion.gateway.server import AddressTaken, GatewayServer, listen
from companion.gateway.stores.database import DatabaseError

log = logging.getLogger(__name__)

DONE, WRONG_INPUT, SERVICE_FAILED = 0, 2, 3
TOKEN_NAME = "token"
MIN_TOKEN_CHARS = 16


class WrongInput(Exception):
    """An argument or the input is wrong; the message says what would do."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the arguments and settings come to."""

    settings: config.Settings
    host: str
    port: int
    state_dir: Path | None
    token: str
    token_file: Path | None
    is_child: bool
    """Whether the end of standard input ends the gateway."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the gateway's arguments to *parser*."""
    parser.description = "Run the gateway without a window, for clients on this machine."
    parser.add_argument("--port", type=int, help="port to listen on; 0 takes a free one")
    parser.add_argument("--bind", metavar="ADDRESS", help="loopback address to listen on (127.0.0.1)")
    parser.add_argument("--state-dir", type=Path, metavar="DIR", help="folder of the gateway's data")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, as TOML")
    token = parser.add_mutually_exclusive_group()
    token.add_argument("--token-file", type=Path, metavar="FILE", help="read the token from this file")
    token.add_argument(
        "--token-stdin",
        action="store_true",
        help="read the token from the first line of standard input, and end when that closes",
    )
    parser.add_argument("--ephemeral", action="store_true", help="keep everything in memory")
    parser.add_argument(
        "--parent-watch",
        action="store_true",
        help="end when standard input closes (implied by --token-stdin)",
    )
    parser.add_argument("--json", action="store_true", help="print the readiness line as JSON")


def run(args: argparse.Namespace) -> int:
    """Run the gateway until it is told to end; returns the exit code."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    try:
        plan = make_plan(args)
        provider = providers.build(plan.settings.model)
        return asyncio.run(_serve(plan, provider, as_json=args.json))
    except (WrongInput, config.ConfigError, ProviderError, AddressTaken) as error:
        sys.stderr.write(f"companion gateway: {error}\n")
        return WRONG_INPUT
    except DatabaseError as error:
        sys.stderr.write(f"companion gateway: {error}\n")
        return SERVICE_FAILED


def make_plan(args: argparse.Namespace) -> Plan:
    """Join arguments and settings, and get the token.

    Raises:
        WrongInput: If an argument or the token is wrong.
        ConfigError: If a setting is wrong.
    """
    settings = config.load(args.config)
    host = _loopback(args.bind or settings.gateway.bind)
    port = settings.gateway.port if args.port is None else args.port
    if not 0 <= port <= 65535:
        raise WrongInput(f"--port {port} is no port. Give one from 1 to 65535, or 0 for a free one.")
    state_dir = None if args.ephemeral else args.state_dir or config.profile_dir() / "gateway"
    token, token_file = _token(args, state_dir)
    return Plan(settings, host, port, state_dir, token, token_file, args.token_stdin or args.parent_watch)


def _loopback(text: str) -> str:
    if text == "localhost":
        return "127.0.0.1"
    try:
        address = ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        raise WrongInput(f"--bind {text!r} is no address. Use 127.0.0.1 or ::1.") from None
    if not address.is_loopback:
        raise WrongInput(
            f"--bind {text} would open this gateway to other machines, which it does not support yet. "
            "Use 127.0.0.1, and a tunnel to reach it from elsewhere."
        )
    return str(address)


def _token(args: argparse.Namespace, state_dir: Path | None) -> tuple[str, Path | None]:
    if args.token_stdin:
        return _checked(_first_line_of_stdin(), "the first line of standard input"), None
    if args.token_file is not None:
        try:
            text = args.token_file.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise WrongInput(
                f"the token file {args.token_file} cannot be read: {error}. Name another."
            ) from None
        return _checked(text.strip(), str(args.token_file)), args.token_file
    if state_dir is None:
        raise WrongInput(
            "with --ephemeral there is no folder for a token. Add --token-file or --token-stdin."
        )
    return _new_token(state_dir)


def _checked(token: str, source: str) -> str:
    if len(token) < MIN_TOKEN_CHARS or not token.isprintable() or " " in token:
        raise WrongInput(
            f"{source} holds no usable token. "
            f"Give one of at least {MIN_TOKEN_CHARS} characters without spaces."
        )
    return token


def _new_token(state_dir: Path) -> tuple[str, Path]:
    token, path = secrets.token_urlsafe(32), state_dir / TOKEN_NAME
    try:
        state_dir.mkdir(parents=True, exist_ok=True)
        # A new file with the right mode from its first moment, whatever lay there before.
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(token + "\n")
    except OSError as error:
        raise WrongInput(
            f"cannot write the token to {path}: {error}. Choose another folder with --state-dir."
        ) from None
    return token, path


def _first_line_of_stdin() -> str:
    # Unbuffered: a thread that waits in a buffered reader stops the interpreter from ending.
    line = b""
    while not line.endswith(b"\n") and len(line) < 4096:
        byte = os.read(0, 1)
        if not byte:
            break
        line += byte
    return line.decode("utf-8", "replace").strip()


async def _serve(plan: Plan, provider: Provider, *, as_json: bool) -> int:
    listener = listen(plan.host, plan.port)
    try:
        gateway = await Gateway.open(plan.settings.gateway, provider, state_dir=plan.state_dir)
    except BaseException:
        listener.close()
        raise
    server = GatewayServer(gateway, token=plan.token, listener=listener)
    await server.start()
    ending = _watch_for_end(plan.is_child)
    _say_ready(server, plan, as_json=as_json)
    reason = await ending
    log.info("ending: %s", reason)
    await server.stop(reason)
    return DONE


def _say_ready(server: GatewayServer, plan: Plan, *, as_json: bool) -> None:
    token_file = None if plan.token_file is None else str(plan.token_file)
    ready = {
        "ws_url": server.ws_url,
        "http_url": server.http_url,
        "token_file": token_file,
        "pid": os.getpid(),
    }
    if as_json:
        sys.stdout.write(json.dumps(ready) + "\n")
    else:
        sys.stdout.write(f"The gateway listens on {server.ws_url}\n")
        if token_file is not None:
            sys.stdout.write(f"Its token is in {token_file}\n")
    sys.stdout.flush()


def _watch_for_end(is_child: bool) -> asyncio.Future[str]:
    """Return a future of the reason why the gateway is told to end."""
    loop = asyncio.get_running_loop()
    ending: asyncio.Future[str] = loop.create_future()

    def end(reason: str) -> None:
        if not ending.done():
            ending.set_result(reason)

    for number in (signal.SIGINT, signal.SIGTERM):
        _on_signal(loop, number, lambda: end("the gateway was told to end"))
    if is_child:
        watch = threading.Thread(target=_wait_for_parent, args=(loop, end), name="parent watch", daemon=True)
        watch.start()
    return ending


def _on_signal(loop: asyncio.AbstractEventLoop, number: int, act: Callable[[], None]) -> None:
    try:
        loop.add_signal_handler(number, act)
    except NotImplementedError:  # Windows has no loop that takes signals
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(act))


def _wait_for_parent(loop: asyncio.AbstractEventLoop, end: Callable[[str], None]) -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    # The loop may be closed already: then there is nothing left to end.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(end, "the program that started the gateway ended")
