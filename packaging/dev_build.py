"""The build: freeze the program, say what is in it, and let it test itself without any Python around."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dev_console import FALLS_SHORT, Problem, run_shown, say
from dev_environment import Environment

SELFTEST_TIMEOUT_S = 180
VERSIONS = """
import importlib.metadata as m, json, platform
from PySide6.QtWebEngineCore import qWebEngineChromiumVersion, qWebEngineVersion
print(json.dumps({
    "python": platform.python_version(),
    "qt": qWebEngineVersion(),
    "chromium": qWebEngineChromiumVersion(),
    "pyinstaller": m.version("pyinstaller"),
    "version": m.version("gateway-companion"),
    "system": f"{platform.system()} {platform.machine()}".lower(),
}))
"""


def build(environment: Environment, *, selftest: bool) -> None:
    """Freeze into `dist/companion`, write its BUILD-INFO.json, print its size, run its self-test.

    Raises:
        Problem: If freezing or the self-test fails.
    """
    root = environment.root
    started = time.monotonic()
    freeze(environment)
    folder = root / "dist" / "companion"
    size, count = write_build_info(environment, folder)
    say(f"built dist/companion: {size / 1e6:.0f} MB, {count} files, in {time.monotonic() - started:.0f} s")
    if selftest:
        run_selftest(folder / program_name())
        say("the built program passed its self-test")


def program_name() -> str:
    """The executable that can print."""
    return "companion-cli.exe" if os.name == "nt" else "companion"


def freeze(environment: Environment) -> None:
    """Run PyInstaller on the spec.

    Raises:
        Problem: With PyInstaller's last words and the usual cause.
    """
    say("freezing the program (one to three minutes)")
    root = environment.root
    env = environment.variables(offscreen=True)
    # Equal input gives equal output, byte by byte.
    env |= {"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": commit_field(root, "%ct") or "1700000000"}
    command = [environment.python, "-m", "PyInstaller", "--noconfirm", "--log-level", "INFO"]
    command += ["--distpath", root / "dist", "--workpath", root / "build" / "pyinstaller"]
    code, tail = run_shown([*command, root / "packaging" / "companion.spec"], cwd=root, env=env, shown=stage)
    if code != 0:
        raise Problem(
            f"{tail}\nFreezing failed (the lines above are PyInstaller's). It needs a Python with a shared "
            "libpython; name another with --python PATH if that is what is missing.",
            FALLS_SHORT,
        )


def stage(line: str) -> str | None:
    """The lines of PyInstaller that tell how far it is."""
    if line.startswith("Qt filter:"):
        return line
    words = line.partition("INFO: ")[2]
    starts = ("Analyzing ", "Performing ", "Looking for dynamic", "Building ", "Build complete")
    return words if words.startswith(starts) and "hidden import" not in words else None


def commit_field(root: Path, field: str) -> str:
    """One field of the checked-out commit, or nothing outside a repository."""
    try:
        done = subprocess.run(
            ["git", "log", "-1", f"--format={field}"],
            cwd=root,
            check=False,
            capture_output=True,
            encoding="utf-8",
        )
    except OSError:
        return ""  # no git here: the build is told apart by its version alone
    return done.stdout.strip() if done.returncode == 0 else ""


def write_build_info(environment: Environment, folder: Path) -> tuple[int, int]:
    """Write BUILD-INFO.json into the program's folder; return its size in bytes and its number of files."""
    answer = subprocess.run(
        [str(environment.python), "-c", VERSIONS],
        cwd=environment.root,
        env=environment.variables(offscreen=True),
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    hashes = hashes_of(folder)
    size = sum((folder / name).stat().st_size for name in hashes)
    facts = json.loads(answer) | {"commit": commit_field(environment.root, "%H"), "size_bytes": size}
    text = json.dumps(facts | {"files": hashes}, indent=1, sort_keys=True)
    (folder / "BUILD-INFO.json").write_text(text + "\n", encoding="utf-8")
    return size, len(hashes)


def hashes_of(folder: Path) -> dict[str, str]:
    """SHA-256 of every file that is no link, by its name in the folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.name != "BUILD-INFO.json"
    }


def bare_environment(home: Path) -> dict[str, str]:
    """What a person's session has and nothing of ours: no Python, no environment, a home of its own."""
    keep = ("LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "WINDIR", "COMSPEC")
    env = {name: os.environ[name] for name in keep if name in os.environ}
    env["PATH"] = os.defpath if os.name != "nt" else os.environ.get("PATH", os.defpath)
    env |= {"HOME": str(home), "USERPROFILE": str(home), "COMPANION_PROFILE_DIR": str(home / "profile")}
    env["QT_QPA_PLATFORM"] = "offscreen"
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        env["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    return env


def run_selftest(program: Path) -> None:
    """Start the built program's self-test and judge its JSON.

    Raises:
        Problem: If it fails, does not end, or prints something else; names the failed checks.
    """
    say("self-test of the built program")
    home = Path(tempfile.mkdtemp(prefix="companion-selftest-"))
    try:
        done = subprocess.run(
            [str(program), "--selftest", "--json"],
            cwd=home,
            env=bare_environment(home),
            check=False,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SELFTEST_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as error:
        raise Problem(
            f"the self-test of {program} did not end in {SELFTEST_TIMEOUT_S} s. Start it by hand to see why.",
            FALLS_SHORT,
        ) from error
    finally:
        shutil.rmtree(home, ignore_errors=True)
    for line in judge_selftest(done.returncode, done.stdout, done.stderr):
        print(f"    {line}", file=sys.stderr)


def judge_selftest(code: int, output: str, errors: str) -> list[str]:
    """Read what the self-test printed; return one line a check.

    Raises:
        Problem: If any check failed, none ran, or the output is no JSON of the agreed shape.
    """
    try:
        report = json.loads(output.strip().splitlines()[-1])
        lines = [f"{'ok' if c['ok'] else 'FAILED'}  {c['name']}: {c['detail']}" for c in report["checks"]]
        passed = code == 0 and report["ok"] is True and bool(lines) and all(c["ok"] for c in report["checks"])
    except (IndexError, ValueError, KeyError, TypeError) as error:
        raise Problem(
            f"{output}{errors}\nThe self-test ended with exit code {code} and printed no report. "
            "Start dist/companion/companion --selftest --json by hand to see more.",
            FALLS_SHORT,
        ) from error
    if not passed:
        raise Problem("\n".join([*lines, errors, "The self-test of the built program failed."]), FALLS_SHORT)
    return lines
