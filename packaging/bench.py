#!/usr/bin/env python3
"""The benchmarks. Run by: python3 packaging/dev.py bench [--json] [--only NAME]

Each measures one promise about what a person feels, compares it with a peer where there is one, and says in
words what the numbers mean. A row without a peer has null for `peer` and `ratio`, and its detail says why.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.domain.transcript import Message


@dataclass(frozen=True)
class Result:
    """One row: what we take, what the peer takes, and how much the runs differ.

    `spread` is the distance between the quarters of the runs as a part of their median.
    """

    name: str
    ours: float
    peer: float | None
    ratio: float | None
    unit: str
    runs: int
    spread: float
    detail: str


def summary(samples: Sequence[float]) -> tuple[float, float]:
    """Median and spread of the samples.

    Args:
        samples: At least four measured values, in any unit.
    """
    median = statistics.median(samples)
    lower, _, upper = statistics.quantiles(samples, n=4)
    return median, (upper - lower) / median if median else 0.0


def alternate(
    first: Callable[[], object], second: Callable[[], object], runs: int
) -> tuple[list[float], list[float]]:
    """Time two actions by turns, in microseconds, so that a busy machine disturbs both alike."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for action, into in ((first, times[0]), (second, times[1])):
            started = time.perf_counter_ns()
            action()
            into.append((time.perf_counter_ns() - started) / 1000)
    return times


def conversation(length: int) -> tuple[Message, ...]:
    """Messages as people and agents write them: short questions, answers of a few lines."""
    from companion.domain.transcript import Message
    from gateway_client.protocol.blocks import TextBlock

    answer = "The answer has **several** words, a `term` and a list:\n\n- one\n- two\n\nAnd an end."
    return tuple(
        Message(
            key=f"m{index}",
            role="assistant" if index % 2 else "user",
            parts=(TextBlock(text=answer if index % 2 else f"Question number {index}?"),),
            state="complete",
        )
        for index in range(length)
    )


class OpenTranscript:
    """A transcript on screen with some messages; each call of `append` shows one more."""

    def __init__(self, length: int) -> None:
        from companion.views.theme import LIGHT
        from companion.views.transcript import TranscriptView

        self._messages = conversation(length)
        self._more = iter(conversation(length + 100_000)[length:])
        self._view = TranscriptView(LIGHT)
        self._view.resize(760, 640)
        self._view.show()
        self.append()
        self._height_at_first = self._height()

    def _height(self) -> int:
        return self._view.verticalScrollBar().maximum()

    def close(self) -> None:
        """End the view.

        Raises:
            RuntimeError: If what was appended did not make the transcript longer: then nothing was measured.
        """
        grown = self._height() > self._height_at_first
        self._view.shut_down()
        self._view.close()
        if not grown:
            raise RuntimeError("the transcript did not grow; look at companion/views/transcript.py")

    def append(self) -> None:
        """Show one more message and let the window paint it."""
        from PySide6.QtCore import QCoreApplication

        self._messages = (*self._messages, next(self._more))
        self._view.set_messages(self._messages)
        QCoreApplication.processEvents()


def transcript_append() -> Result:
    """Showing one more message must not get slower as a conversation grows."""
    from PySide6.QtWidgets import QApplication  # noqa: TID251 - measures a view

    application = QApplication.instance() or QApplication(["bench"])
    runs = 60
    long, short = OpenTranscript(10_000), OpenTranscript(100)
    many, few = alternate(long.append, short.append, runs)
    long.close()
    short.close()
    del application
    ours, spread = summary(many)
    peer, _ = summary(few)
    detail = (
        "One more message shown and painted at 10000 messages (ours) against the same at 100 (peer): "
        f"the peer is our own view, and the aim is a ratio of at most 1.2. Medians of {runs} by turns."
    )
    return Result(
        "transcript-append",
        round(ours, 1),
        round(peer, 1),
        round(ours / peer, 3),
        "us",
        runs,
        round(spread, 3),
        detail,
    )


BENCHES: dict[str, Callable[[], Result]] = {"transcript-append": transcript_append}


def table(results: Sequence[Result]) -> str:
    """The results for people."""
    lines = []
    for row in results:
        against = "" if row.ratio is None else f", peer {row.peer} {row.unit}, ratio {row.ratio}"
        lines.append(
            f"{row.name}: {row.ours} {row.unit}{against} (spread {row.spread:.0%} of {row.runs} runs)"
        )
        lines.append(f"    {row.detail}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Run the benchmarks that are asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py bench")
    parser.add_argument("--json", action="store_true", help="print a list of results as JSON")
    parser.add_argument("--only", metavar="NAME", help="run one benchmark")
    options = parser.parse_args(arguments)
    if options.only is not None and options.only not in BENCHES:
        print(f"there is no benchmark {options.only!r}. Known: {', '.join(BENCHES)}.", file=sys.stderr)
        return 2
    results = []
    for name, measure in BENCHES.items():
        if options.only in (None, name):
            print(f"==> {name}", file=sys.stderr, flush=True)
            results.append(measure())
    print(json.dumps([asdict(row) for row in results]) if options.json else table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
