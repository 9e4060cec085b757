"""`python -m companion`, the `companion` command, and the frozen program."""

from __future__ import annotations

import multiprocessing
import sys

from companion import cli


def main() -> int:
    """Run the command line."""
    return cli.main()


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
