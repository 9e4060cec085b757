from __future__ import annotations

import http.client
import socket
import time

from tests.support.listeners import Listeners


def wait_for(listeners, kind, token):
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if any(a.kind == kind and token in a.data for a in listeners.arrivals):
            return True
        time.sleep(0.005)
    return False


def test_an_http_request_is_seen_and_answered():
    with Listeners() as listeners:
        connection = http.client.HTTPConnection("127.0.0.1", listeners.http_port, timeout=5)
        connection.request("GET", "/eg-token")
        assert connection.getresponse().status == 200
        connection.close()
        assert wait_for(listeners, "http", b"eg-token")


def test_a_connection_without_a_word_is_seen():
    with Listeners() as listeners:
        socket.create_connection(("127.0.0.1", listeners.tcp_port + 6), timeout=5).close()
        assert wait_for(listeners, "tcp", b"")
        assert listeners.arrivals[0].port == listeners.tcp_port + 6


def test_a_packet_is_seen_at_its_port():
    with Listeners() as listeners, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"stun", ("127.0.0.1", listeners.udp_port + 3))
        assert wait_for(listeners, "udp", b"stun")
        assert listeners.arrivals[0].port == listeners.udp_port + 3
