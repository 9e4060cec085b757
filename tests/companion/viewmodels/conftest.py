from __future__ import annotations

import pytest

from tests.support.qt_loop import drive


@pytest.fixture
def run(qapp):
    """Run a coroutine with Qt's events going on."""
    return lambda work: drive(qapp, work)
