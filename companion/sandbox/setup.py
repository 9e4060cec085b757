"""What must be decided before the application object exists: the scheme, and the engine's flags.

Flags hold for the whole process, and so do the addresses they close: no name is
resolved, and every connection goes through a proxy that is not there. Traffic
of our own does not pass the web engine.
"""

from __future__ import annotations

import atexit
import shlex
import socket
from collections.abc import MutableMapping

from PySide6.QtCore import QCoreApplication
from PySide6.QtWebEngineCore import QWebEngineUrlScheme

from companion.domain.csp import SCHEME
from companion.sandbox.layers import ALL_LAYERS, Layer

FLAGS_VARIABLE = "QTWEBENGINE_CHROMIUM_FLAGS"
_LIST_FLAGS = ("--disable-features", "--enable-features", "--disable-blink-features")
"""Flags whose last use would replace the earlier ones, so their values are joined."""

_refusing: list[socket.socket] = []


def prepare(environ: MutableMapping[str, str], *, layers: frozenset[Layer] = ALL_LAYERS) -> None:
    """Register the scheme of pages and close the engine's ways to the network.

    Call it once before the application object is made; a second call changes
    nothing.

    Args:
        environ: The process's environment; the engine reads its flags from there.

    Raises:
        RuntimeError: If the application object exists already and the scheme was not registered.
    """
    _register_scheme()
    if "flags" in layers:
        environ[FLAGS_VARIABLE] = join_flags(environ.get(FLAGS_VARIABLE, ""), our_flags(_refusing_port()))


def our_flags(dead_port: int) -> tuple[str, ...]:
    """Return the engine's flags, with the proxy at a loopback port that refuses."""
    return (
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--proxy-server=127.0.0.1:{dead_port}",
        "--proxy-bypass-list=<-loopback>",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-features=NetworkPrediction,Prerender2,SpeculationRulesPrefetchFuture",
        "--dns-prefetch-disable",
        "--disable-background-networking",
    )


def join_flags(given: str, ours: tuple[str, ...]) -> str:
    """Return *given*, the flags a person set, with *ours* behind; ours win where both name the same.

    Joining twice gives what joining once gives.
    """
    kept: list[str] = []
    values = {name: value for name, _, value in (flag.partition("=") for flag in ours)}
    for flag in shlex.split(given):
        name, _, value = flag.partition("=")
        if name not in values:
            kept.append(flag)
        elif name in _LIST_FLAGS:
            mine = values[name].split(",")
            values[name] = ",".join(
                mine + [entry for entry in value.split(",") if entry and entry not in mine]
            )
    return " ".join(_quoted(flag) for flag in (*kept, *_spelled(values)))


def _spelled(values: dict[str, str]) -> list[str]:
    return [f"{name}={value}" if value else name for name, value in values.items()]


def _quoted(flag: str) -> str:
    """Return *flag* as the engine's own reader takes it: double quotes around a value with blanks."""
    name, equals, value = flag.partition("=")
    return f'{name}{equals}"{value}"' if " " in value else flag


def _register_scheme() -> None:
    if QWebEngineUrlScheme.schemeByName(SCHEME.encode()).name():
        return
    if QCoreApplication.instance() is not None:
        raise RuntimeError("the sandbox must be prepared before the application object is made")
    scheme = QWebEngineUrlScheme(SCHEME.encode())
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(QWebEngineUrlScheme.Flag.SecureScheme)
    QWebEngineUrlScheme.registerScheme(scheme)


def _refusing_port() -> int:
    """Return a loopback port that refuses every connection, held for the life of the process.

    It is bound, so that nobody else can take it, and never listens.
    """
    if not _refusing:
        held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        held.bind(("127.0.0.1", 0))
        _refusing.append(held)
        atexit.register(held.close)
    port: int = _refusing[0].getsockname()[1]
    return port
