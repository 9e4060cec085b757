from __future__ import annotations

import httpx

from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import WIDGETS
from tests.support.gateway_on_loopback import child, raw_client

NO_QT = """
import importlib.abc, sys
class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"PySide6", "shiboken6", "qasync"}:
            raise ImportError(f"{name} is not on this machine")
sys.meta_path.insert(0, Refuse())
"""


@asynchronous
async def test_the_gateway_starts_and_draws_a_widget_on_a_machine_without_qt(tmp_path):
    async with child("--state-dir", str(tmp_path), prelude=NO_QT) as gateway:
        async with httpx.AsyncClient(trust_env=False) as http:
            assert (await http.get(gateway.ready["http_url"] + "/health")).json()["ok"] is True
        async with raw_client(gateway.ws_url) as client:
            await client.connect(caps=[WIDGETS])
            assert (await client.ask("widget"))["content"][1]["type"] == "canvas"
        assert await gateway.stop() == 0
