from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager

import pytest

from companion.supervisor import GatewayFailed, Supervisor, child_environment, gateway_command
from gateway_client.client import connect
from tests.support.asynchronous import asynchronous, until


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@asynccontextmanager
async def supervised(command):
    endpoints, lost = [], []
    supervisor = Supervisor(command, on_endpoint=endpoints.append, on_lost=lost.append)
    try:
        yield supervisor, endpoints, lost
    finally:
        await supervisor.stop()


@asynchronous
async def test_the_embedded_gateway_starts_answers_and_ends_with_its_supervisor(tmp_path):
    async with supervised(gateway_command(profile_dir=tmp_path)) as (supervisor, endpoints, lost):
        endpoint = await supervisor.start()
        assert endpoints == [endpoint]
        async with connect(endpoint.ws_url, token=endpoint.token) as client:
            assert client.status.hello.protocol == 4
    assert not is_alive(endpoint.pid)
    assert lost == []


@asynchronous
async def test_a_killed_gateway_is_told_and_started_again_at_a_new_address(tmp_path):
    async with supervised(gateway_command(profile_dir=tmp_path)) as (supervisor, endpoints, lost):
        first = await supervisor.start()
        os.kill(first.pid, signal.SIGKILL)
        await until(lambda: len(endpoints) == 2)
        assert "ended" in lost[0]
        second = endpoints[1]
        assert second.pid != first.pid
        assert second.token != first.token
        async with connect(second.ws_url, token=second.token) as client:
            assert client.status.hello.protocol == 4


@asynchronous
async def test_the_token_is_in_no_argument_and_in_no_environment(tmp_path):
    async with supervised(gateway_command(profile_dir=tmp_path)) as (supervisor, _, _lost):
        endpoint = await supervisor.start()
        for name in ("cmdline", "environ"):
            with open(f"/proc/{endpoint.pid}/{name}", "rb") as seen:  # noqa: ASYNC230
                assert endpoint.token.encode() not in seen.read()


@asynchronous
async def test_a_gateway_that_does_not_start_says_why_with_its_last_words():
    command = [sys.executable, "-c", "import sys; sys.exit('the state folder is not writable')"]
    async with supervised(command) as (supervisor, endpoints, _):
        with pytest.raises(GatewayFailed, match="did not start"):
            await supervisor.start()
        await until(lambda: supervisor.log_lines)
        assert endpoints == []


@asynchronous
async def test_a_program_that_says_nonsense_is_no_gateway():
    command = [sys.executable, "-c", "import sys; sys.stdin.readline(); print('hello')"]
    async with supervised(command) as (supervisor, _, _lost):
        with pytest.raises(GatewayFailed):
            await supervisor.start()


@asynchronous
async def test_the_gateway_ends_when_its_parent_is_killed(tmp_path):
    program = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from companion.supervisor import Supervisor, gateway_command\n"
        "async def main():\n"
        "    s = Supervisor(gateway_command(profile_dir=Path(sys.argv[1])), on_endpoint=id, on_lost=id)\n"
        "    print('PID', (await s.start()).pid, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    async for line in parent.stdout:
        if line.startswith(b"PID"):
            child = int(line.split()[1])
            break
    parent.kill()
    await parent.wait()
    await until(lambda: not is_alive(child))


def test_a_childs_environment_is_the_one_that_was_there_before_freezing():
    env = child_environment(
        {
            "LD_LIBRARY_PATH": "/frozen",
            "LD_LIBRARY_PATH_ORIG": "/usr/lib",
            "QTWEBENGINE_CHROMIUM_FLAGS": "--x",
            "A": "1",
        }
    )
    assert env == {"LD_LIBRARY_PATH": "/usr/lib", "A": "1"}
