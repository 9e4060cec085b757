from __future__ import annotations

import sys
from pathlib import Path

import dev_console
import pytest

HERE = Path(__file__).parent


def test_progress_goes_to_standard_error_and_leaves_standard_output_free(capsys):
    dev_console.say("half way")
    assert capsys.readouterr() == ("", "==> half way\n")


def test_a_programs_exit_code_comes_back():
    assert dev_console.run([sys.executable, "-c", "raise SystemExit(7)"], cwd=HERE) == 7


def test_a_program_that_is_not_there_is_a_problem_in_words():
    with pytest.raises(dev_console.Problem, match="could not be started"):
        dev_console.run([HERE / "nothing-here"], cwd=HERE)


def test_of_a_talkative_program_only_chosen_lines_are_shown_and_the_last_are_kept(capsys):
    program = "import sys\nfor i in range(100): print('line', i)\nprint('oops', file=sys.stderr)\nsys.exit(3)"
    code, tail = dev_console.run_shown(
        [sys.executable, "-c", program],
        cwd=HERE,
        shown=lambda line: line.upper() if line == "line 50" else None,
    )
    assert code == 3
    assert capsys.readouterr().err == "    LINE 50\n"
    assert len(tail.splitlines()) == 25
    assert {"oops", "line 99"} <= set(tail.splitlines())


def test_variables_that_lead_another_python_astray_are_taken_away():
    left = dev_console.clean_environment(
        {"PATH": "p", "PYTHONPATH": "x", "PYTHONHOME": "y", "VIRTUAL_ENV": "z"}
    )
    assert left == {"PATH": "p"}
