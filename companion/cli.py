"""The command line: which subcommands there are, and what happens without one.

Every subcommand is a module with `add_arguments(parser)` and `run(arguments)`.
They are imported when they are called, so that the gateway and the headless
client start where there is no Qt.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from companion import __version__

EXIT_WRONG_INPUT = 2


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: where it lives, and what it does in one line."""

    module: str
    summary: str


COMMANDS: dict[str, Command] = {
    "demo": Command(
        "companion.commands.demo", "show every kind of block without a person, and save pictures"
    ),
    "gateway": Command("companion.commands.gateway", "run the embedded gateway on its own"),
    "chat": Command("companion.commands.chat", "send one message without a window, and print the events"),
    "render": Command(
        "companion.commands.render", "draw an HTML or SVG file in the sandbox, as a picture and a report"
    ),
}
"""Subcommand to its module, in the order of the help."""

WINDOW = "companion.commands.window"
SELFTEST = "companion.commands.selftest"


def hidden_modules() -> list[str]:
    """Return the modules that are imported by name, for whoever freezes the program."""
    return [*(command.module for command in COMMANDS.values()), WINDOW, SELFTEST]


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    """Return the parser; only the *chosen* subcommand's module is imported for its arguments."""
    parser = argparse.ArgumentParser(
        prog="companion",
        description="Chat with agents, and see what they show. Without a command: the window.",
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    parser.add_argument(
        "--selftest", action="store_true", help="check this installation and say what was found"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON on standard output and nothing else there"
    )
    parser.add_argument("--profile", metavar="DIR", help="keep all data of this run in DIR")
    parser.add_argument(
        "--gateway", metavar="URL", help="connect to this gateway instead of the embedded one"
    )
    parser.add_argument("--token-file", metavar="F", help="read that gateway's token from F")
    commands = parser.add_subparsers(dest="command", metavar="command")
    for name, command in COMMANDS.items():
        subparser = commands.add_parser(name, help=command.summary, description=command.summary)
        subparser.add_argument("--profile", metavar="DIR", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        if name == chosen:
            importlib.import_module(command.module).add_arguments(subparser)
    return parser


def _chosen(words: Sequence[str]) -> str | None:
    """Return the subcommand in *words*; what follows an option with a value is no command."""
    takes_value = ("--profile", "--gateway", "--token-file")
    pairs = zip(["", *words], words, strict=False)
    return next((word for before, word in pairs if word in COMMANDS and before not in takes_value), None)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code: 0 done, 1 falls short, 2 wrong input, 3 a peer failed."""
    words = list(sys.argv[1:] if argv is None else argv)
    chosen = _chosen(words)
    try:
        arguments = build_parser(chosen).parse_args(words)
        if arguments.profile:
            os.environ["COMPANION_PROFILE_DIR"] = os.path.abspath(arguments.profile)
        name = COMMANDS[arguments.command].module if arguments.command else WINDOW
        if arguments.selftest:
            name = SELFTEST
        return int(importlib.import_module(name).run(arguments))
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("PySide6", "qasync", "shiboken6"):
            raise
        print(  # noqa: T201 - the command line speaks here
            "The window needs Qt, which is not installed. Run: pip install 'gateway-companion[app]'",
            file=sys.stderr,
        )
        return EXIT_WRONG_INPUT
