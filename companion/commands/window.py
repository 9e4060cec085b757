"""`companion` without a subcommand: the window."""

from __future__ import annotations

import argparse
import logging

from companion import config
from companion.app import CannotStart, CompanionApp, Target, make_application
from companion.commands.arguments import WRONG_INPUT, WrongInput, complain, read_token
from companion.loop import run as run_loop


def run(arguments: argparse.Namespace) -> int:
    """Open the window and return the exit code when it is closed."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        target = Target(arguments.gateway or "", read_token(arguments.token_file))
        settings = config.load()
        application = make_application()
    except (WrongInput, config.ConfigError, CannotStart) as error:
        return complain("companion", str(error), WRONG_INPUT)

    async def main() -> int:
        try:
            app = CompanionApp(config.profile_dir(), target, settings)
        except CannotStart as error:
            return complain("companion", str(error), WRONG_INPUT)
        return await app.run_until_closed()

    return run_loop(application, main)
