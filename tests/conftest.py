"""What every test stands on: an environment without a screen, a profile of its own, groups for two workers.

The environment is set here, before any test file can import Qt. Nothing of it is set by the app itself.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
SCREEN = ("companion/sandbox", "companion/views", "e2e")
"""Folders whose tests paint or browse. They share one worker, for two engines at once starve each other."""

os.environ["QT_QPA_PLATFORM"] = os.environ.get("COMPANION_TEST_PLATFORM", "offscreen")
os.environ["QT_API"] = "pyside6"
os.environ.setdefault("QT_LOGGING_RULES", "qt.qpa.*.debug=false")
if sys.platform == "linux" and os.geteuid() == 0:
    os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"

# Stories with a real OpenClaw gateway need one on this machine: `dev.py check --interop DIR` names it.
collect_ignore = [] if os.environ.get("COMPANION_OPENCLAW_DIR") else ["interop"]

# No test asserts a time, and on a busy machine making an example may take a while.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

_own_profile: list[Path] = []


def pytest_configure(config: pytest.Config) -> None:
    """Give this process a profile folder that nothing else uses; a worker has one inside that of its run."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        folder = Path(os.environ["COMPANION_PROFILE_DIR"]) / worker
        folder.mkdir(exist_ok=True)
    else:
        folder = Path(tempfile.mkdtemp(prefix="companion-test-"))
        _own_profile.append(folder)
    os.environ["COMPANION_PROFILE_DIR"] = str(folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the profile folder of this run, with those of its workers."""
    while _own_profile:
        shutil.rmtree(_own_profile.pop(), ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that need a screen on one worker."""
    for item in items:
        place = item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else ""
        if place.startswith(tuple(f"{folder}/" for folder in SCREEN)):
            item.add_marker(pytest.mark.xdist_group("screen"))
