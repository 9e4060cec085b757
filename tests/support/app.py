"""The whole app in this process, with its own gateway as a child, for stories."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import tests.support.engine  # noqa: F401 - before the application object
from companion.app import CompanionApp, Target
from companion.commands.driver import Driver
from companion.config import Settings


@asynccontextmanager
async def running(profile: Path, target: Target | None = None) -> AsyncIterator[Driver]:
    """Start the app and its gateway; take both down at the end."""
    app = CompanionApp(profile, target or Target(), Settings())
    driver = Driver(app, lambda _: None)
    try:
        await driver.connect()
        yield driver
    finally:
        await app.stop()
