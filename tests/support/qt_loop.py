"""Drives coroutines on the one qasync loop of a test process, with Qt's events running.

A second `exec()` of the application crashes once a web page existed, so the loop
counts as running all the time, and each coroutine is driven by a local Qt loop.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtCore import QEventLoop as LocalLoop
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

T = TypeVar("T")
BOUND_S = 60.0
_loops: list[QEventLoop] = []


def drive(application: QApplication, work: Coroutine[Any, Any, T], bound_s: float = BOUND_S) -> T:
    """Run *work* to its end and return its result; more than *bound_s* seconds fail the test."""
    if not _loops:
        _loops.append(QEventLoop(application, already_running=True))
    loop = _loops[0]
    asyncio.set_event_loop(loop)
    # Between two coroutines no loop runs here, so that tests without Qt may run a plain one.
    asyncio._set_running_loop(loop)

    async def bounded() -> T:
        async with asyncio.timeout(bound_s):
            return await work

    task = loop.create_task(bounded())
    local = LocalLoop()
    task.add_done_callback(lambda _: local.quit())
    try:
        if not task.done():
            local.exec()
        return task.result()
    finally:
        asyncio._set_running_loop(None)


async def until(is_so: Callable[[], Any], what: str = "the condition") -> None:
    """Let Qt and everything else work until *is_so*; ten seconds at most."""
    try:
        async with asyncio.timeout(10):
            while not is_so():  # noqa: ASYNC110 - any condition, not only one that an event tells
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"{what} did not come true") from None
