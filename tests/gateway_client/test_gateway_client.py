from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gateway_client

PUBLIC = [
    "CallFailed",
    "CallTimeout",
    "ConnectOptions",
    "ConnectRefused",
    "DeviceIdentity",
    "Document",
    "DocumentRefused",
    "Gap",
    "GatewayClient",
    "GatewayError",
    "IdentityUnreadable",
    "InvalidRequest",
    "LinkClosed",
    "LinkState",
    "LinkStatus",
    "NextStep",
    "Notification",
    "ProtocolError",
    "Reconnected",
    "Timing",
    "connect",
]
"""Adding a name is a decision: it is a promise to everyone who uses the library."""


def test_the_public_names_are_exactly_these():
    assert gateway_client.__all__ == PUBLIC
    assert all(hasattr(gateway_client, name) for name in PUBLIC)


def test_the_page_on_the_library_explains_every_public_name():
    page = (Path(__file__).parents[2] / "resources" / "docs" / "client.md").read_text(encoding="utf-8")
    assert [name for name in PUBLIC if name not in page] == []


def test_importing_the_library_loads_neither_qt_nor_what_only_far_gateways_need():
    code = (
        "import sys, gateway_client; "
        "print([n for n in ('PySide6', 'qasync', 'httpx', 'truststore', 'companion') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
