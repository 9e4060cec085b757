from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import dev
import dev_system
import pytest
from dev_console import Problem

PACKAGING = Path(__file__).parents[2] / "packaging"


class Prepared:
    """An environment that stands: its programs are noted by `started`, not run."""

    root = dev.ROOT
    python = Path("python")
    scripts = Path("bin")

    def ensure(self) -> None:
        pass

    def variables(self, *, offscreen: bool) -> dict[str, str]:
        return {"QT_QPA_PLATFORM": "offscreen"} if offscreen else {}


@pytest.fixture
def started(monkeypatch):
    """Programs that a command starts, with their exit codes; all succeed unless the test says otherwise."""
    commands: list[list[str]] = []
    codes: dict[str, int] = {}

    def run(command, *, cwd, env=None):
        words = [str(part) for part in command]
        commands.append(words)
        Started.env = env
        return next((code for word, code in codes.items() if word in words), 0)

    monkeypatch.setattr(dev, "run", run)
    monkeypatch.setattr(dev_system, "ensure", lambda extra=(), *, on_a_display: None)
    Started.commands, Started.codes = commands, codes
    return Started


class Started:
    commands: list[list[str]]
    codes: dict[str, int]
    env: dict[str, str] | None = None


def call(*arguments: str) -> int:
    options = dev.parse(arguments)
    return options.action(Prepared(), options)


def test_run_opens_the_app_where_there_is_a_display(started, monkeypatch):
    monkeypatch.setattr(dev_system, "has_display", lambda: True)
    assert call("run", "--profile", "p") == 0
    assert started.commands == [["python", "-m", "companion", "--profile", "p"]]
    assert started.env == {}


def test_run_demonstrates_offscreen_where_there_is_none_and_gives_its_exit_code(started, monkeypatch):
    monkeypatch.setattr(dev_system, "has_display", lambda: False)
    started.codes["demo"] = 3
    assert call("run") == 3
    assert started.commands == [["python", "-m", "companion", "demo", "--out", "demo-output", "--json"]]
    assert started.env == {"QT_QPA_PLATFORM": "offscreen"}


def test_run_hands_on_a_named_command_unchanged(started, monkeypatch):
    monkeypatch.setattr(dev_system, "has_display", lambda: False)
    call("run", "gateway", "--json")
    assert started.commands == [["python", "-m", "companion", "gateway", "--json"]]


def test_the_tests_run_on_two_workers_in_groups_and_take_arguments_for_pytest(started):
    started.codes["pytest"] = 1
    assert call("test", "tests/companion", "-k", "widget", "-x") == 1
    (command,) = started.commands
    assert command[:7] == ["python", "-m", "pytest", "--numprocesses", "2", "--dist", "loadgroup"]
    assert command[7:9] == ["--max-worker-restart", "0"]
    assert command[9:] == ["tests/companion", "-k", "widget", "-x"]


def test_lint_checks_format_lint_types_and_contracts_in_this_order(started):
    assert call("lint") == 0
    assert [Path(words[0]).name for words in started.commands] == ["ruff", "ruff", "mypy", "lint-imports"]
    assert started.commands[0][1:3] == ["format", "--check"]


def test_lint_stops_at_the_first_failure_and_says_what_to_do(started):
    started.codes["check"] = 1
    with pytest.raises(Problem, match=r"lint failed\. Fix what is listed above") as caught:
        call("lint")
    assert caught.value.code == 1
    assert len(started.commands) == 2


def test_check_lints_and_then_tests(started):
    assert call("check") == 0
    assert "lint-imports" in started.commands[-2][0]
    assert "pytest" in started.commands[-1]


def test_a_fast_check_leaves_out_the_stories(started):
    call("check", "--fast")
    assert started.commands[-1][-2:] == ["--ignore", "tests/e2e"]


def test_a_check_against_a_real_gateway_runs_those_tests_last_and_names_its_folder(started, tmp_path):
    assert call("check", "--interop", str(tmp_path)) == 0
    assert started.commands[-1][-1] == "tests/interop"
    assert started.env["COMPANION_OPENCLAW_DIR"] == str(tmp_path.resolve())


def test_a_check_against_a_gateway_that_is_not_there_does_not_start(started, tmp_path):
    with pytest.raises(Problem, match="is none"):
        call("check", "--interop", str(tmp_path / "none"))
    assert started.commands == []


def test_bench_hands_on_its_choices(started):
    call("bench", "--json", "--only", "x")
    assert started.commands[0][-3:] == ["--json", "--only", "x"]


def test_an_unknown_argument_is_a_sentence_and_exit_code_2(capsys):
    assert dev.main(["lint", "--frobnicate"]) == 2
    assert "does not know --frobnicate" in capsys.readouterr().err


def test_a_python_that_does_not_exist_is_a_sentence_and_exit_code_2(capsys, tmp_path):
    assert dev.main(["--python", str(tmp_path / "none"), "lint"]) == 2
    assert dev.main(["lint", "--python", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("there is no Python at") == 2


def test_every_command_is_explained_and_the_help_works_from_any_folder(tmp_path):
    shown = subprocess.run(
        [sys.executable, str(PACKAGING / "dev.py"), "--help"],
        check=True,
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    ).stdout
    for command in ("run", "test", "lint", "check", "bench", "build", "lock"):
        assert f"\n    {command} " in shown


def test_an_older_python_reads_the_file_far_enough_to_be_told():
    ast.parse((PACKAGING / "dev.py").read_text(encoding="utf-8"), feature_version=(3, 8))


def test_the_developer_commands_use_nothing_but_the_standard_library():
    own = {path.stem for path in PACKAGING.glob("*.py")}
    for path in PACKAGING.glob("dev*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] in sys.stdlib_module_names | own, f"{path.name} imports {name}"
