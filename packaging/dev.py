#!/usr/bin/env python3
"""The developer commands. They work in a fresh clone: each sets up what it needs and can be repeated.

    python3 packaging/dev.py run      open the app; without a display, the demonstration with pictures
    python3 packaging/dev.py test     every test
    python3 packaging/dev.py lint     format, lint, types, import contracts
    python3 packaging/dev.py check    lint, then test
    python3 packaging/dev.py bench    the benchmarks
    python3 packaging/dev.py build    the program as a folder, tried by its own self-test
    python3 packaging/dev.py lock     write the lock of all packages anew

Standard library only. Exit codes: 0 done, 1 something falls short, 2 wrong input, 3 a service failed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one shall be told
    sys.exit(
        f"Companion needs Python 3.11 or newer, and this is {sys.version_info[0]}.{sys.version_info[1]}. "
        "Run the same command with a newer one, for example python3.12 packaging/dev.py run."
    )

import dev_build
import dev_system
from dev_console import FALLS_SHORT, WRONG_INPUT, Problem, run, say
from dev_environment import Environment, chosen_interpreter, relock

ROOT = Path(__file__).resolve().parent.parent
WORKERS = "2"
"""Test processes. One of them has all tests with a screen; more than two web engines starve each other."""

LINT_STEPS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("format", ("ruff", "format", "--check", "."), "Run: .venv/bin/ruff format ."),
    (
        "lint",
        ("ruff", "check", "."),
        "Fix what is listed above; .venv/bin/ruff check --fix . does part of it.",
    ),
    ("types", ("mypy",), "Fix the types listed above."),
    (
        "import contracts",
        ("lint-imports",),
        "Move the import, or give the new file its place in pyproject.toml.",
    ),
)


def command_run(environment: Environment, options: argparse.Namespace) -> int:
    """Open the app; where no window can open, run the demonstration and leave its pictures."""
    display = dev_system.has_display()
    dev_system.ensure(on_a_display=display)
    environment.ensure()
    arguments = list(options.arguments)
    named_command = bool(arguments) and not arguments[0].startswith("-")
    if not display and not named_command:
        say("no display here: running the demonstration; its pictures go to demo-output/")
        arguments = ["demo", "--out", "demo-output", "--json", *arguments]
    env = environment.variables(offscreen=not display)
    return run([environment.python, "-m", "companion", *arguments], cwd=ROOT, env=env)


def command_test(environment: Environment, options: argparse.Namespace) -> int:
    """Run every test, or those that the arguments for pytest name."""
    prepare_for_tests(environment)
    return run_tests(environment, options.arguments)


def prepare_for_tests(environment: Environment) -> None:
    """Bring what tests need of the system, then the environment."""
    dev_system.ensure([dev_system.DISPLAY], on_a_display=False)
    environment.ensure()


def run_tests(environment: Environment, arguments: Sequence[str], openclaw: str | None = None) -> int:
    """Run pytest on two workers."""
    say("tests")
    env = environment.variables(offscreen=True)
    if openclaw:
        env["COMPANION_OPENCLAW_DIR"] = openclaw
    pytest = [environment.python, "-m", "pytest", "--numprocesses", WORKERS, "--dist", "loadgroup"]
    # A worker that died is not replaced: its group could wait for ever. The run ends and names the test.
    pytest += ["--max-worker-restart", "0"]
    return run([*pytest, *arguments], cwd=ROOT, env=env)


def command_lint(environment: Environment, options: argparse.Namespace) -> int:
    """Check format, lint, types and import contracts, in this order, up to the first that fails."""
    environment.ensure()
    env = environment.variables(offscreen=True)
    for name, command, advice in LINT_STEPS:
        say(name)
        if run([environment.scripts / command[0], *command[1:]], cwd=ROOT, env=env) != 0:
            raise Problem(f"{name} failed. {advice}", FALLS_SHORT)
    say("all checks passed")
    return 0


def command_check(environment: Environment, options: argparse.Namespace) -> int:
    """Lint, then test; with a real OpenClaw gateway too, if its folder is named."""
    if options.interop is not None and not Path(options.interop).is_dir():
        raise Problem(f"--interop needs the folder of an OpenClaw gateway, and {options.interop!r} is none.")
    code = command_lint(environment, options)
    prepare_for_tests(environment)
    code = code or run_tests(environment, ["--ignore", "tests/e2e"] if options.fast else [])
    if code == 0 and options.interop is not None:
        folder = str(Path(options.interop).resolve())
        code = run_tests(environment, ["tests/interop"], openclaw=folder)
    return code


def command_bench(environment: Environment, options: argparse.Namespace) -> int:
    """Run the benchmarks; the table goes to standard output."""
    dev_system.ensure(on_a_display=False)
    environment.ensure()
    flags = ["--json"] if options.json else []
    flags += ["--only", options.only] if options.only else []
    env = environment.variables(offscreen=True)
    return run([environment.python, ROOT / "packaging" / "bench.py", *flags], cwd=ROOT, env=env)


def command_build(environment: Environment, options: argparse.Namespace) -> int:
    """Freeze the program into dist/companion and let it test itself."""
    dev_system.ensure([dev_system.BINUTILS], on_a_display=False)
    environment.ensure()
    dev_build.build(environment, selftest=not options.no_selftest)
    return 0


def command_lock(environment: Environment, options: argparse.Namespace) -> int:
    """Write packaging/constraints.txt anew."""
    say("resolving every package for every supported system; this asks the network")
    relock(ROOT, environment.interpreter)
    say("packaging/constraints.txt is written; the next command installs from it")
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(
        prog="dev.py", description="Developer commands; each sets up what it needs.", allow_abbrev=False
    )
    top.add_argument("--python", metavar="PATH", help="make .venv with this Python (or COMPANION_PYTHON)")
    commands = top.add_subparsers(dest="command", required=True)

    def add(name: str, action: Callable[[Environment, argparse.Namespace], int]) -> argparse.ArgumentParser:
        words = (action.__doc__ or "").strip().splitlines()[0]
        sub = commands.add_parser(name, help=words, description=words, allow_abbrev=False)
        sub.add_argument("--python", metavar="PATH", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        sub.set_defaults(action=action)
        return sub

    add("run", command_run)
    add("test", command_test)
    add("lint", command_lint)
    check = add("check", command_check)
    check.add_argument("--fast", action="store_true", help="leave out the stories in tests/e2e")
    check.add_argument(
        "--interop", metavar="DIR", help="also test against the OpenClaw gateway of this folder"
    )
    bench = add("bench", command_bench)
    bench.add_argument("--json", action="store_true", help="print a list of results as JSON")
    bench.add_argument("--only", metavar="NAME", help="run one benchmark")
    build = add("build", command_build)
    build.add_argument("--no-selftest", action="store_true", help="do not start the built program")
    add("lock", command_lock)
    return top


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line; `run` and `test` pass on what they do not know."""
    options, rest = parser().parse_known_args(arguments)
    if rest and options.command not in {"run", "test"}:
        raise Problem(
            f"dev.py {options.command} does not know {' '.join(rest)}. See dev.py {options.command} --help."
        )
    options.arguments = rest[1:] if rest[:1] == ["--"] else rest
    return options


def main(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code."""
    try:
        options = parse(arguments)
        environment = Environment(ROOT, chosen_interpreter(options.python))
        return int(options.action(environment, options))
    except Problem as problem:
        print(f"dev.py: {problem}", file=sys.stderr)
        return problem.code
    except KeyboardInterrupt:
        print("dev.py: stopped. Run the same command again: it goes on where it was.", file=sys.stderr)
        return WRONG_INPUT if os.name == "nt" else 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
