"""Listeners on loopback that see whether anything of a page arrives: TCP, HTTP, UDP.

What they take is kept as it came. An HTTP listener answers everything with a
small script that every origin may read, so that nothing fails for want of an
answer. Ports come in rows, because hostile pages tell their tries apart by port.
"""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType

ROW = 12
"""Ports in a row: the first one's number is what a page is told."""

ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\nAccess-Control-Allow-Origin: *\r\n"
    b"Access-Control-Allow-Private-Network: true\r\nContent-Length: 2\r\nConnection: close\r\n\r\n//"
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """Something that reached a listener: a connection (without data at first) or a packet."""

    kind: str
    port: int
    data: bytes = b""


@dataclass
class Listeners:
    """The listeners of one test, as a context manager; a thread of its own serves them."""

    arrivals: list[Arrival] = field(default_factory=list)

    def __enter__(self) -> Listeners:
        self._selector = selectors.DefaultSelector()
        self.http_port = self._row("http", socket.SOCK_STREAM, self._accept, 1)
        self.gateway_port = self._row("gateway", socket.SOCK_STREAM, self._accept, 1)
        self.tls_port = self._row("tls", socket.SOCK_STREAM, self._accept, 1)
        self.tcp_port = self._row("tcp", socket.SOCK_STREAM, self._accept, ROW)
        self.udp_port = self._row("udp", socket.SOCK_DGRAM, self._take_packet, ROW)
        self._wake, waker = socket.socketpair()
        self._selector.register(waker, selectors.EVENT_READ, ("stop", None))
        self._thread = threading.Thread(target=self._serve, name="listeners", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wake.send(b"x")
        self._thread.join(timeout=5)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()
        self._wake.close()

    def _row(self, kind: str, socket_type: int, take: Callable[..., None], length: int) -> int:
        for _ in range(100):
            row = [socket.socket(socket.AF_INET, socket_type) for _ in range(length)]
            try:
                row[0].bind(("127.0.0.1", 0))
                first: int = row[0].getsockname()[1]
                for offset, one in enumerate(row[1:], start=1):
                    one.bind(("127.0.0.1", first + offset))
            except (OSError, OverflowError):
                for one in row:
                    one.close()
                continue
            for one in row:
                if socket_type == socket.SOCK_STREAM:
                    one.listen(32)
                one.setblocking(False)
                self._selector.register(one, selectors.EVENT_READ, (kind, take))
            return first
        raise RuntimeError("no row of free ports on loopback")

    def _serve(self) -> None:
        while True:
            for key, _ in self._selector.select(timeout=60):
                kind, take = key.data
                if kind == "stop":
                    return
                take(kind, key.fileobj)

    def _accept(self, kind: str, listener: socket.socket) -> None:
        connection, _ = listener.accept()
        port = listener.getsockname()[1]
        self.arrivals.append(Arrival(kind, port))
        connection.setblocking(False)
        self._selector.register(connection, selectors.EVENT_READ, (kind, self._read))

    def _read(self, kind: str, connection: socket.socket) -> None:
        try:
            data = connection.recv(65536)
            port = connection.getsockname()[1]
        except OSError:
            data, port = b"", 0
        if data:
            self.arrivals.append(Arrival(kind, port, data))
            if kind in ("http", "gateway"):
                connection.sendall(ANSWER)
        self._selector.unregister(connection)
        connection.close()

    def _take_packet(self, kind: str, listener: socket.socket) -> None:
        data, _ = listener.recvfrom(65536)
        self.arrivals.append(Arrival(kind, listener.getsockname()[1], data))
