from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from companion import __version__, cli


def companion(*words, **more):
    return subprocess.run(
        [sys.executable, "-m", "companion", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **more,
    )


def test_the_version_is_told_without_qt():
    done = companion("--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"companion {__version__}")


@pytest.mark.parametrize("name", list(cli.COMMANDS))
def test_every_subcommand_explains_itself(name):
    done = companion(name, "--help")
    assert done.returncode == 0
    assert "usage: companion" in done.stdout


def test_a_word_that_is_no_subcommand_is_wrong_input():
    done = companion("dance")
    assert done.returncode == 2
    assert "dance" in done.stderr


def test_every_module_that_is_loaded_by_name_exists():
    for module in cli.hidden_modules():
        assert hasattr(importlib.import_module(module), "run")


WITHOUT_QT = """
import importlib.abc, sys
class NoQt(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "qasync", "shiboken6"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, NoQt())
from companion.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_qt_the_window_says_what_to_install():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_QT], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "pip install" in done.stderr


def test_without_qt_the_headless_commands_still_explain_themselves():
    for name in ("gateway", "chat"):
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_QT, name, "--help"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_a_token_file_that_is_not_there_is_told_in_a_sentence(tmp_path):
    done = companion(
        "demo", "--out", str(tmp_path), "--gateway", "ws://127.0.0.1:9", "--token-file", "nowhere"
    )
    assert done.returncode == 2
    assert "token file" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_called_like_a_subcommand_is_still_a_folder(tmp_path):
    done = companion("--profile", "demo", "chat", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "--message" in done.stdout
