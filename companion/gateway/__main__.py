"""`python -m companion.gateway`: the gateway without anything else of the app."""

from __future__ import annotations

import argparse
import sys

from companion.gateway import launch


def main() -> int:
    """Run the gateway with the arguments of this process."""
    parser = argparse.ArgumentParser(prog="python -m companion.gateway")
    launch.add_arguments(parser)
    return launch.run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
