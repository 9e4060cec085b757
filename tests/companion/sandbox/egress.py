"""The hostile pages of `tests/vectors/egress`, filled in, and what became of their attempts."""

from __future__ import annotations

import json
import re
from pathlib import Path

VECTORS = Path(__file__).parents[2] / "vectors" / "egress"
DNS_SUFFIX = "watched.test"
_ATTEMPT = re.compile(r"\b(T|G|go|both)\('([a-z][a-z0-9-]+)'")


def attempts(family, *, by_click):
    """Return the ids of a family's attempts that wait for a click, or of those that do not."""
    found = _ATTEMPT.findall((VECTORS / f"{family}.html").read_text(encoding="utf-8"))
    return [name for how, name in found if (how == "G") == by_click and not name.endswith("-")]


def hostile_page(family, listeners, *, only="", role="write"):
    """Return the text of a family's page, aimed at *listeners*."""
    text = (VECTORS / f"{family}.html").read_text(encoding="utf-8")
    text = text.replace("{{LIB}}", (VECTORS / "lib.js").read_text(encoding="utf-8"))
    places = {
        "HOST": "127.0.0.1",
        "HTTP_PORT": listeners.http_port,
        "TLS_PORT": listeners.tls_port,
        "UDP_PORT": listeners.udp_port,
        "TCP_PORT": listeners.tcp_port,
        "GATEWAY_ORIGIN": f"http://127.0.0.1:{listeners.gateway_port}",
        "DNS_SUFFIX": DNS_SUFFIX,
        "ONLY": only,
        "ROLE": role,
        "TEST_PNG": "/etc/hostname",
        "MEM_MB": 256,
    }
    for name, value in places.items():
        text = text.replace("{{" + name + "}}", str(value))
    return text


def claims(console):
    """Return what the attempts say of themselves: id to (state, detail), the last word of each."""
    said = {}
    for line in console:
        if line.startswith("EG|"):
            _, name, state, detail = line.split("|", 3)
            said[name] = (state, detail)
    return said


def reached(net_log):
    """Return what the engine's own log says it tried: names looked up, and addresses connected to."""
    lines = net_log.read_text(encoding="utf-8", errors="replace").splitlines()
    kinds = {
        number: name
        for name, number in json.loads(lines[0].rstrip(",") + "}")["constants"]["logEventTypes"].items()
    }
    names, addresses = set(), set()
    for line in lines[2:]:
        try:
            event = json.loads(line.rstrip(",\n"))
        except ValueError:
            continue  # the last line may be half written
        kind, params = kinds.get(event.get("type"), ""), event.get("params", {})
        if kind in ("HOST_RESOLVER_MANAGER_JOB", "HOST_RESOLVER_DNS_TASK", "DNS_TRANSACTION"):
            names.add(str(params.get("host", params.get("hostname", ""))))
        elif kind in ("TCP_CONNECT_ATTEMPT", "UDP_BYTES_SENT"):
            addresses.add(str(params.get("address", "")))
    return names - {""}, addresses - {""}
