"""Real environments are made here, without a network: from a tiny wheel and a project of its own."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import dev_environment
import pytest
from dev_console import SERVICE_FAILED, WRONG_INPUT, Problem
from dev_environment import Environment

RUNNING = sys.version_info[:2]
WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
METADATA = "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n"
BACKEND = f"""
import zipfile
def build_editable(folder, settings=None, metadata=None):
    name = "sample-1.0-py3-none-any.whl"
    with zipfile.ZipFile(folder + "/" + name, "w") as wheel:
        wheel.writestr("sample-1.0.dist-info/METADATA", {METADATA.replace("tiny", "sample")!r})
        wheel.writestr("sample-1.0.dist-info/WHEEL", {WHEEL!r})
        wheel.writestr("sample-1.0.dist-info/RECORD", "")
    return name
"""


def base_interpreter() -> Path:
    return Path(getattr(sys, "_base_executable", None) or sys.executable)


def tiny_wheel(folder: Path) -> str:
    """Write a package named tiny; return its hash."""
    path = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("tiny.py", "ANSWER = 42\n")
        wheel.writestr("tiny-1.0.dist-info/METADATA", METADATA)
        wheel.writestr(
            "tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr("tiny-1.0.dist-info/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with one locked package, and pip told to know no index."""
    root = tmp_path / "checkout"
    (root / "packaging").mkdir(parents=True)
    (root / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "sample"\nversion = "1.0"\n',
        encoding="utf-8",
    )
    (root / "backend.py").write_text(BACKEND, encoding="utf-8")
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    lock(root, tiny_wheel(wheels))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    return root


def lock(root: Path, digest: str) -> None:
    text = f"tiny==1.0 --hash=sha256:{digest}\n"
    (root / "packaging" / "constraints.txt").write_text(text, encoding="utf-8")


def test_a_fresh_checkout_gets_its_locked_packages_and_then_asks_nobody(
    checkout, tmp_path, monkeypatch, capsys
):
    environment = Environment(checkout, base_interpreter())
    environment.ensure()
    answer = subprocess.run(
        [environment.python, "-c", "import tiny; print(tiny.ANSWER)"],
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert answer.stdout == "42\n"
    assert "installing the locked packages" in capsys.readouterr().err

    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "gone"))
    environment.ensure()
    assert capsys.readouterr().err == ""


def test_a_package_with_another_hash_is_refused_and_leaves_no_stamp(checkout):
    lock(checkout, "0" * 64)
    environment = Environment(checkout, base_interpreter())
    with pytest.raises(Problem, match=r"(?s)HASH.*run the same command again") as caught:
        environment.ensure()
    assert caught.value.code == SERVICE_FAILED
    assert not environment.stamp.exists()


class Counted(Environment):
    """An environment that is not made, only counted."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, base_interpreter())
        self.made = self.installed = 0

    def _make(self, wanted: tuple[int, int]) -> None:
        self.made += 1
        self.scripts.mkdir(parents=True, exist_ok=True)
        (self.folder / "pyvenv.cfg").write_text(f"version = {wanted[0]}.{wanted[1]}.9\n", encoding="utf-8")
        if not self.python.exists():
            self.python.symlink_to(base_interpreter())

    def _install(self) -> None:
        self.installed += 1


def test_an_environment_of_another_python_is_made_anew(checkout):
    environment = Counted(checkout)
    environment.ensure()
    environment.ensure()
    assert (environment.made, environment.installed) == (1, 1)
    (environment.folder / "pyvenv.cfg").write_text("version = 3.5.1\n", encoding="utf-8")
    environment.ensure()
    assert environment.made == 2


def test_an_environment_whose_python_is_gone_is_made_anew(checkout):
    environment = Counted(checkout)
    environment.ensure()
    environment.python.unlink()
    environment.ensure()
    assert environment.made == 2


def test_a_new_lock_is_installed_once(checkout):
    environment = Counted(checkout)
    environment.ensure()
    lock(checkout, "1" * 64)
    environment.ensure()
    environment.ensure()
    assert environment.installed == 2


@pytest.mark.parametrize("stamp", ["", "{", "[]", '{"fingerprint": 3}'])
def test_a_stamp_that_cannot_be_read_counts_as_none(checkout, stamp):
    environment = Counted(checkout)
    environment.ensure()
    environment.stamp.write_text(stamp, encoding="utf-8")
    environment.ensure()
    assert environment.installed == 2
    assert json.loads(environment.stamp.read_text(encoding="utf-8"))["fingerprint"]


def test_a_folder_that_is_no_environment_is_never_deleted(checkout):
    precious = checkout / ".venv" / "thesis.txt"
    precious.parent.mkdir()
    precious.write_text("years of work", encoding="utf-8")
    with pytest.raises(Problem, match="Move it away"):
        Environment(checkout, base_interpreter()).ensure()
    assert precious.exists()


def test_lint_settings_do_not_change_what_is_installed_but_dependencies_do(checkout):
    before = dev_environment.fingerprint_of(checkout)
    settings = checkout / "pyproject.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text + "[tool.ruff]\nline-length = 99\n", encoding="utf-8")
    assert dev_environment.fingerprint_of(checkout) == before
    settings.write_text(text + 'dependencies = ["tiny"]\n', encoding="utf-8")
    assert dev_environment.fingerprint_of(checkout) != before


def test_an_old_python_is_refused_with_the_way_out(checkout, monkeypatch):
    monkeypatch.setattr(dev_environment, "version_of", lambda interpreter: (3, 9))
    with pytest.raises(Problem, match=r"3\.11 or newer.*is 3\.9.*--python PATH") as caught:
        Environment(checkout, Path("python3.9")).ensure()
    assert caught.value.code == WRONG_INPUT


def test_the_named_interpreter_wins_over_the_variable_and_the_variable_over_the_running_one(
    monkeypatch, tmp_path
):
    monkeypatch.delenv("COMPANION_PYTHON", raising=False)
    assert dev_environment.chosen_interpreter(None) == base_interpreter()
    other = tmp_path / "python-other"
    other.symlink_to(base_interpreter())
    monkeypatch.setenv("COMPANION_PYTHON", str(other))
    assert dev_environment.chosen_interpreter(None) == other
    assert dev_environment.chosen_interpreter(sys.executable) == Path(sys.executable)


def test_a_named_interpreter_that_does_not_exist_is_told(tmp_path):
    with pytest.raises(Problem, match="there is no Python at"):
        dev_environment.chosen_interpreter(str(tmp_path / "nothing"))


def test_a_program_that_is_no_python_is_told(tmp_path):
    with pytest.raises(Problem, match="does not start as a Python"):
        dev_environment.version_of(tmp_path / "nothing")
    assert dev_environment.version_of(Path(sys.executable)) == RUNNING


@pytest.mark.parametrize(
    ("settings", "version"),
    [
        ("home = /usr\nversion = 3.11.7\n", (3, 11)),
        ("version_info = 3.12.1.final.0\n", (3, 12)),
        ("home = /usr\n", None),
        ("prompt = version = 3.9\n", None),
    ],
)
def test_the_version_is_read_from_the_settings_of_either_maker(settings, version):
    assert dev_environment.version_in(settings) == version


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            "Downloading https://example.org/a/tiny-1.0-py3-none-any.whl (1.2 MB)",
            "fetched tiny-1.0-py3-none-any.whl (1.2 MB)",
        ),
        ("Installing collected packages: a, b", "Installing collected packages"),
        ("Requirement already satisfied: tiny", None),
    ],
)
def test_of_pips_lines_only_progress_is_shown(line, shown):
    assert dev_environment.pip_progress(line) == shown


def test_programs_find_the_environment_first_and_no_foreign_modules(checkout, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    environment = Environment(checkout, base_interpreter())
    env = environment.variables(offscreen=True)
    assert env["PATH"].split(os.pathsep)[0] == str(environment.scripts)
    assert env["QT_QPA_PLATFORM"] == "offscreen"
    assert "PYTHONPATH" not in env
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    monkeypatch.delenv("QTWEBENGINE_DISABLE_SANDBOX", raising=False)
    assert ("QTWEBENGINE_DISABLE_SANDBOX" in environment.variables(offscreen=True)) == as_root


def test_the_lock_of_this_repository_pins_and_hashes_every_package():
    text = (Path(__file__).parents[2] / "packaging" / "constraints.txt").read_text(encoding="utf-8")
    entries = [entry for entry in text.replace("\\\n", " ").splitlines() if not entry.startswith("#")]
    assert len(entries) > 50
    assert [
        entry for entry in entries if "==" not in entry.split(" ")[0] or "--hash=sha256:" not in entry
    ] == []
    names = {entry.split("==")[0] for entry in entries}
    assert {
        "pyside6-essentials",
        "pyside6-webengine",
        "pytest",
        "pyinstaller",
        "hatchling",
        "pywin32-ctypes",
    } <= names
