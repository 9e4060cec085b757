from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("screen")


def children_of(pid):
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(words[1]) == pid:
            child = int(status.parent.name)
            found += [child, *children_of(child)]
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_for(is_so, what):
    end = time.monotonic() + 40
    while time.monotonic() < end:
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError(f"{what} did not come true")


def gateways(pid):
    return [
        child for child in children_of(pid) if b"--token-stdin" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


@pytest.fixture
def window(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "--profile", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_when_the_app_is_killed_no_process_is_left(window, how):
    wait_for(lambda: gateways(window.pid), "the gateway's start")
    everybody = children_of(window.pid)
    window.send_signal(how)
    window.wait(30)
    wait_for(lambda: not any(is_alive(pid) for pid in everybody), "the end of every process")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop_the_window_cleans_up_and_ends_with_0(window, how):
    wait_for(lambda: gateways(window.pid), "the gateway's start")
    window.send_signal(how)
    assert window.wait(30) == 0, window.stderr.read()


def test_an_address_without_a_token_file_that_exists_is_wrong_input(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "companion",
            "--gateway",
            "ws://127.0.0.1:9",
            "--token-file",
            str(tmp_path / "no"),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COMPANION_PROFILE_DIR": str(tmp_path)},
        check=False,
    )
    assert done.returncode == 2
    assert "token file" in done.stderr
