"""The virtual environment `.venv`: made, filled from the lock with hashes, and left alone while it fits."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import dev_system
from dev_console import SERVICE_FAILED, Problem, clean_environment, run_shown, say

OLDEST = (3, 11)
STAMP = "companion-stamp.json"
LOCK_TOOL = "uv==0.13.9"


class Environment:
    """The virtual environment of one checkout.

    Args:
        root: The checkout.
        interpreter: Python to make it with; its minor version decides whether an existing one fits.
    """

    def __init__(self, root: Path, interpreter: Path) -> None:
        self.root = root
        self.interpreter = interpreter
        self.folder = root / ".venv"
        self.scripts = self.folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.scripts / ("python.exe" if os.name == "nt" else "python")
        self.lock = root / "packaging" / "constraints.txt"
        self.stamp = self.folder / STAMP

    def variables(self, *, offscreen: bool) -> dict[str, str]:
        """Environment variables for programs that run in it."""
        env = clean_environment()
        env["PATH"] = os.pathsep.join([str(self.scripts), env.get("PATH", os.defpath)])
        env["VIRTUAL_ENV"] = str(self.folder)
        if offscreen:
            env["QT_QPA_PLATFORM"] = "offscreen"
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            # Chromium's sandbox cannot be set up by root. Only here and in the tests, never in the app.
            env["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
        return env

    def ensure(self) -> None:
        """Make it fit: the interpreter's version, the locked packages, this checkout.

        Nothing is asked of any network while the stamp matches.

        Raises:
            Problem: If the interpreter is too old or lacks `venv`, or packages could not be installed.
        """
        wanted = version_of(self.interpreter)
        if wanted < OLDEST:
            raise Problem(
                f"Companion needs Python {OLDEST[0]}.{OLDEST[1]} or newer, and {self.interpreter} is "
                f"{wanted[0]}.{wanted[1]}. Name a newer one with --python PATH."
            )
        if not self._holds(wanted):
            self._make(wanted)
        fingerprint = fingerprint_of(self.root)
        if self._read_stamp() != fingerprint:
            self._install()
            self.stamp.write_text(json.dumps({"fingerprint": fingerprint}), encoding="utf-8")

    def _holds(self, wanted: tuple[int, int]) -> bool:
        if not self.folder.exists():
            return False
        settings = self.folder / "pyvenv.cfg"
        if not settings.exists():
            raise Problem(f"{self.folder} exists but is no virtual environment. Move it away and try again.")
        if version_in(settings.read_text(encoding="utf-8")) != wanted:
            return False
        try:
            return version_of(self.python) == wanted
        except Problem:
            return False  # its base interpreter is gone

    def _make(self, wanted: tuple[int, int]) -> None:
        say(f"making .venv with Python {wanted[0]}.{wanted[1]} ({self.interpreter})")
        dev_system.ensure_venv_module(self.interpreter, wanted)
        if self.folder.exists():
            shutil.rmtree(self.folder)
        made = subprocess.run(
            [str(self.interpreter), "-m", "venv", str(self.folder)],
            env=clean_environment(),
            check=False,
            capture_output=True,
            encoding="utf-8",
        )
        if made.returncode != 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise Problem(f"{self.interpreter} could not make .venv: {(made.stdout + made.stderr).strip()}")

    def _read_stamp(self) -> str | None:
        try:
            value = json.loads(self.stamp.read_text(encoding="utf-8"))["fingerprint"]
        except (OSError, ValueError, KeyError, TypeError):
            return None  # a stamp that cannot be read is no stamp: install again, which harms nothing
        return value if isinstance(value, str) else None

    def _install(self) -> None:
        say("installing the locked packages (once; about 300 MB the first time)")
        started = time.monotonic()
        self.stamp.unlink(missing_ok=True)
        self._pip("--require-hashes", "--requirement", str(self.lock))
        self._pip("--no-deps", "--no-build-isolation", "--editable", str(self.root))
        say(f"installed in {time.monotonic() - started:.0f} s")

    def _pip(self, *arguments: str) -> None:
        command = [self.python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        code, tail = run_shown(
            [*command, "--progress-bar", "off", *arguments],
            cwd=self.root,
            env=self.variables(offscreen=False),
            shown=pip_progress,
        )
        if code != 0:
            raise Problem(
                f"{tail}\nThe packages could not be installed (the lines above are pip's). Check the network "
                "and the proxy settings, then run the same command again: it goes on where it stopped.",
                SERVICE_FAILED,
            )


def pip_progress(line: str) -> str | None:
    """The lines of pip worth showing: what is fetched, and that all of it is put in place."""
    if line.startswith("Downloading "):
        name, _, size = line.removeprefix("Downloading ").partition(" ")
        return f"fetched {name.rpartition('/')[2]} {size}".rstrip()
    if line.startswith(("Installing collected packages", "Building ")):
        return line.partition(":")[0]
    return None


def chosen_interpreter(named: str | None) -> Path:
    """The Python to make `.venv` with: the named one, `COMPANION_PYTHON`, or the one that runs this.

    Raises:
        Problem: If a named one does not exist.
    """
    name = named or os.environ.get("COMPANION_PYTHON")
    if name:
        found = shutil.which(name)
        if found is None:
            raise Problem(f"there is no Python at {name!r}. Give --python the path of python3.11 or newer.")
        return Path(found)
    # Inside .venv, the base interpreter: .venv cannot be remade by itself.
    return Path(getattr(sys, "_base_executable", None) or sys.executable)


def version_of(interpreter: Path) -> tuple[int, int]:
    """Ask an interpreter for its version.

    Raises:
        Problem: If it cannot be started.
    """
    try:
        answer = subprocess.run(
            [str(interpreter), "-I", "-c", "import sys; print(*sys.version_info[:2])"],
            check=True,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        ).stdout
        major, minor = answer.split()
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise Problem(f"{interpreter} does not start as a Python ({error}). Name another one.") from error


def version_in(settings: str) -> tuple[int, int] | None:
    """The version that a `pyvenv.cfg` names."""
    match = re.search(r"(?m)^version(?:_info)?\s*=\s*(\d+)\.(\d+)", settings)
    return (int(match[1]), int(match[2])) if match else None


def fingerprint_of(root: Path) -> str:
    """A hash of all that decides what is installed: the lock, the project's tables, and where it lies."""
    import tomllib  # here, so that an older Python gets as far as being told

    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    parts = [
        settings.get("build-system"),
        settings.get("project"),
        settings.get("tool", {}).get("hatch"),
        str(root),
    ]
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode())
    digest.update((root / "packaging" / "constraints.txt").read_bytes())
    return digest.hexdigest()


def relock(root: Path, interpreter: Path) -> None:
    """Write `packaging/constraints.txt` anew from `pyproject.toml`, for every Python and system we support.

    Raises:
        Problem: If the tool cannot be installed, or finds no set of versions.
    """
    folder = root / "build" / "lock-tool"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        subprocess.run([str(interpreter), "-m", "venv", str(folder)], check=True, env=clean_environment())
    install = [python, "-m", "pip", "install", "--disable-pip-version-check", LOCK_TOOL]
    command = [python, "-m", "uv", "pip", "compile", "--universal", "--python-version", "3.11", "--upgrade"]
    command += ["--generate-hashes", "--all-extras", "--no-annotate", "--no-header", "--no-emit-index-url"]
    command += ["--no-emit-find-links"]
    target = root / "packaging" / "constraints.txt"
    for step in (install, [*command, "--quiet", "pyproject.toml", "--output-file", target]):
        code, tail = run_shown(step, cwd=root, env=clean_environment(), shown=lambda line: None)
        if code != 0:
            raise Problem(
                f"{tail}\nThe lock could not be written. Check the network and pyproject.toml.",
                SERVICE_FAILED,
            )
    header = "# Every package with its hashes, for all extras. Written by: python3 packaging/dev.py lock\n"
    target.write_text(header + target.read_text(encoding="utf-8"), encoding="utf-8")
