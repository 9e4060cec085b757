"""How the developer commands speak: progress on standard error, problems as sentences, programs as steps."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

FALLS_SHORT = 1
WRONG_INPUT = 2
SERVICE_FAILED = 3


class Problem(Exception):
    """What stops a command: a sentence with a next step, and the exit code that goes with it."""

    def __init__(self, sentence: str, code: int = WRONG_INPUT) -> None:
        super().__init__(sentence)
        self.code = code


def say(text: str) -> None:
    """Show progress. Standard output stays free for results."""
    print(f"==> {text}", file=sys.stderr, flush=True)


def run(command: Sequence[object], *, cwd: Path, env: Mapping[str, str] | None = None) -> int:
    """Run a program that writes to our own terminal; return its exit code.

    Raises:
        Problem: If the program cannot be started.
    """
    try:
        return subprocess.run([str(part) for part in command], cwd=cwd, env=env, check=False).returncode
    except OSError as error:
        raise Problem(f"{command[0]} could not be started ({error}). Delete .venv and try again.") from error


def run_shown(
    command: Sequence[object],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    shown: Callable[[str], str | None],
) -> tuple[int, str]:
    """Run a program of many lines and show the few that `shown` turns into a text.

    Returns:
        The exit code, and the last 25 lines of output, for the case that it failed.
    """
    tail: deque[str] = deque(maxlen=25)
    with subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            tail.append(line.rstrip())
            text = shown(line.strip())
            if text:
                print(f"    {text}", file=sys.stderr, flush=True)
    return process.returncode, "\n".join(tail)


def clean_environment(base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our environment without what would lead another interpreter to foreign modules."""
    source = os.environ if base is None else base
    leading_astray = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONSTARTUP", "__PYVENV_LAUNCHER__")
    return {name: value for name, value in source.items() if name not in leading_astray}
