"""The app and its gateway die together, at any moment after a message was typed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.app import running
from tests.support.qt_loop import drive, until

DIES = """
import asyncio, os, signal, sys
from pathlib import Path
from companion.app import CompanionApp, Target, make_application
from companion.commands.driver import Driver
from companion.config import Settings
from companion.loop import run

application = make_application()

async def main():
    driver = Driver(CompanionApp(Path(sys.argv[1]), Target(), Settings()), lambda _: None)
    await driver.connect()
    driver.app.chat.send("once")
    await asyncio.sleep(float(sys.argv[2]))
    os.kill(driver.app.endpoint.pid, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)

run(application, main)
"""


@pytest.mark.parametrize("delay_s", ["0", "0.003", "0.01", "0.2"])
def test_what_was_sent_is_there_exactly_once_when_app_and_gateway_die_together(qapp, tmp_path, delay_s):
    died = subprocess.run(
        [sys.executable, "-c", DIES, str(tmp_path), delay_s], capture_output=True, timeout=60, check=False
    )
    assert died.returncode < 0, died.stderr

    async def story():
        async with running(tmp_path) as driver:
            chat = driver.app.chat

            async def told():
                history = await driver.app.client.history("main")
                return [m["content"] for m in history.messages if m["role"] == "user"]

            await until(
                lambda: [m.state for m in chat.messages if m.role == "user"] == ["accepted"], "the message"
            )
            assert await told() == ["once"]

    drive(qapp, story(), 60)
