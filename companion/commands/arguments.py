"""What subcommands share: exit codes, wrong input as a sentence, and reading a token's file."""

from __future__ import annotations

import sys
from pathlib import Path

DONE, FALLS_SHORT, WRONG_INPUT, PEER_FAILED = 0, 1, 2, 3
"""Exit codes: done; what was to be judged falls short; wrong input or setting; a peer or service failed."""


class WrongInput(Exception):
    """An argument can not be used; the message says why and what would do."""


def read_token(path: str | None) -> str | None:
    """Return the token in the file *path*, or None if no file is named.

    Raises:
        WrongInput: If the file cannot be read or is empty.
    """
    if path is None:
        return None
    try:
        token = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise WrongInput(f"the token file {path!r} can not be read ({error}). Name a text file") from error
    if not token:
        raise WrongInput(f"the token file {path!r} is empty. Put the gateway's token into it")
    return token


def complain(command: str, sentence: str, code: int) -> int:
    """Print *sentence* on standard error and return *code*."""
    print(f"{command}: {sentence}", file=sys.stderr)
    return code
