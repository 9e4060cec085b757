"""Work off the drawing thread: parsing long texts, colouring code, reading pictures."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Work(QObject):
    """One worker thread, begun when it is first needed; results come back on this object's thread.

    It has no parent: it must outlive the view until it is closed, because the
    worker speaks to it.
    """

    finished = Signal()
    """A result was handed over: what is drawn may have changed."""
    _done = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._is_open = True
        self._pool: ThreadPoolExecutor | None = None
        self._waiting = 0
        self._done.connect(self._hand_over, Qt.ConnectionType.QueuedConnection)

    @property
    def is_idle(self) -> bool:
        """Whether every result was handed over."""
        return self._waiting == 0

    def submit(self, job: Callable[[], T], take: Callable[[T], None]) -> None:
        """Run *job* on the worker and hand its result to *take*; a job that fails is logged."""
        if not self._is_open:
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="transcript")
        self._waiting += 1
        self._pool.submit(job).add_done_callback(lambda future: self._report(future, take))

    def close(self) -> None:
        """Take no more work and hand nothing over any more; closing twice is no error."""
        with self._lock:
            if not self._is_open:
                return
            self._is_open = False
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self.deleteLater()

    def _report(self, future: Future[Any], take: Callable[[Any], None]) -> None:
        # The lock keeps the object from being closed and deleted while it emits.
        with self._lock:
            if self._is_open:
                self._done.emit(future, take)

    def _hand_over(self, future: Future[Any], take: Callable[[Any], None]) -> None:
        self._waiting -= 1
        error = future.exception()
        if error is not None:
            _log.error("work for the transcript failed", exc_info=error)
            return
        take(future.result())
        self.finished.emit()
