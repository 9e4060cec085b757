"""Import it before any application object: it closes the web engine's doors for this test process."""

from __future__ import annotations

import os

from companion.sandbox.setup import prepare

prepare(os.environ)
