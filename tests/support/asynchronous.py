"""Runs a test that is a coroutine, on a fresh plain loop and with a bound."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

BOUND_S = 20.0
P = ParamSpec("P")


def asynchronous(
    test: Callable[P, Coroutine[Any, Any, None]], *, bound_s: float = BOUND_S
) -> Callable[P, None]:
    """Make an `async def` a test; tasks that it leaves behind fail it."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(_bounded(test(*args, **kwargs), bound_s))

    return run


async def _bounded(work: Coroutine[Any, Any, None], bound_s: float) -> None:
    loop = asyncio.get_running_loop()
    troubles: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: troubles.append(context))
    async with asyncio.timeout(bound_s):
        await work
    await asyncio.sleep(0)  # what was cancelled just now gets its turn to end
    left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert left == [], f"tasks without an owner: {left}"
    assert troubles == []


async def until(condition: Callable[[], Any]) -> None:
    """Let everything else run until *condition* holds; the test's bound ends a wait for nothing."""
    while not condition():  # noqa: ASYNC110 - any condition, not only one that an event tells
        await asyncio.sleep(0.001)
