"""The client that OpenClaw publishes, which this project did not write, against our gateway."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

from companion.gateway.providers.guide import Guide
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import TOKEN, text_of, widgets_of
from tests.support.gateway_on_loopback import serving

SCRIPT = Path(__file__).with_name("reference_client.mjs")


def installed() -> Path:
    return Path(os.environ["COMPANION_OPENCLAW_DIR"]).absolute() / "node_modules"


@asynchronous
async def test_the_reference_client_connects_chats_stops_and_reads_history():
    modules = installed()
    async with serving(Guide(pause_s=0.01)) as server:
        process = await asyncio.create_subprocess_exec(
            *[modules / ".bin" / "node", SCRIPT, modules, server.ws_url, TOKEN],
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await process.communicate()
    told = json.loads(output)
    assert told["protocol"] == 4
    assert told["first"] == {"runId": "r1", "status": "started"}
    assert text_of(told["final"])
    assert widgets_of(told["final"])[0]["preview"]["render"] == "url"
    assert told["stopped"] == {"ok": True, "aborted": True, "runIds": ["r2"]}
    assert told["roles"] == [
        "user",
        "assistant toolUse",
        "toolResult",
        "assistant stop",
        "user",
        "assistant aborted",
    ]
