"""One event loop for Qt and asyncio, tasks with owners, dialogs as futures.

Three platform rules live here and nowhere else (resources/docs/decisions/0002):

1. One `exec()` a process: after a web page existed, a second one crashes when it
   ends. So the loop is run once, and `main` itself cleans up before it returns.
2. Closing the last window must not end the loop; `main` decides when it is over.
3. Nothing nests: a dialog or menu is opened and awaited, never executed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtWidgets import QApplication, QDialog
from qasync import QEventLoop

log = logging.getLogger(__name__)

CLEANUP_LIMIT_S = 3.0


def run(application: QApplication, main: Callable[[], Awaitable[int]]) -> int:
    """Run *main* on the one loop of this process and return its exit code.

    Call it once. Tasks that *main* leaves behind are cancelled and awaited, for
    `CLEANUP_LIMIT_S` seconds at most.
    """
    application.setQuitOnLastWindowClosed(False)
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    loop.set_exception_handler(_report)
    with loop:
        return int(loop.run_until_complete(_main_and_cleanup(main)))


async def _main_and_cleanup(main: Callable[[], Awaitable[int]]) -> int:
    try:
        return await main()
    finally:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=CLEANUP_LIMIT_S)
        await asyncio.get_running_loop().shutdown_asyncgens()


def _report(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    log.error("%s", context.get("message", "unhandled error"), exc_info=context.get("exception"))


class Tasks:
    """The tasks of one owner; closing it cancels and awaits them.

    A task that fails is reported at once: to the log, and to *on_error* if given.
    """

    def __init__(self, on_error: Callable[[BaseException], None] | None = None) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._on_error = on_error
        self._is_closed = False

    def start(self, work: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None] | None:
        """Begin *work*; returns None, and drops it, if the owner is closed already."""
        if self._is_closed:
            work.close()
            return None
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            log.error("task %r failed", task.get_name(), exc_info=error)
            if self._on_error is not None:
                self._on_error(error)

    async def close(self) -> None:
        """Cancel every task and wait until all have ended."""
        self._is_closed = True
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def ask(dialog: QDialog) -> int:
    """Open *dialog* without nesting a loop and return its result code."""
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def settle(code: int) -> None:
        if not done.done():
            done.set_result(code)

    dialog.finished.connect(settle)
    dialog.open()
    return await done


def version_problem(python: tuple[int, ...], pyside: tuple[int, ...]) -> str | None:
    """Return why this pair of versions must not run, or None if it may.

    PySide6 6.12 releases references it does not own on Python 3.10 and 3.11; a
    program that only repaints dies within seconds.
    """
    if python[:2] < (3, 12) and pyside[:2] >= (6, 12):
        versions = ".".join(map(str, pyside[:3])), ".".join(map(str, python[:2]))
        return (
            f"PySide6 {versions[0]} corrupts memory on Python {versions[1]}. "
            "Use Python 3.12 or newer, or install 'pyside6>=6.11.3,<6.12'."
        )
    return None


@contextmanager
def ended_by_signals(end: Callable[[], None]) -> Iterator[None]:
    """Call *end* when the system or Ctrl+C asks this process to stop, so that it can clean up.

    Python runs a signal's handler only when it is awake; a pipe wakes the loop,
    which otherwise sleeps inside Qt.
    """
    wake, wakeup = socket.socketpair()
    for end_of_pair in (wake, wakeup):
        end_of_pair.setblocking(False)
    loop = asyncio.get_running_loop()
    loop.add_reader(wake.fileno(), lambda: wake.recv(4096))
    before = signal.set_wakeup_fd(wakeup.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, lambda *_: end()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before)
        loop.remove_reader(wake.fileno())
        wake.close()
        wakeup.close()
