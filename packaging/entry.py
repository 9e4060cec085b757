"""Where the frozen program starts. The same program is the app, the gateway and every command."""

from __future__ import annotations

import multiprocessing
import sys

from companion.__main__ import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
