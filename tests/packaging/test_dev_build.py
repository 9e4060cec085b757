from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from pathlib import Path

import dev_build
import pytest
from dev_console import Problem

PASSED = {"ok": True, "checks": [{"name": "paint", "ok": True, "detail": "a red pixel"}]}


def program(folder: Path, body: str) -> Path:
    """A small program that stands for a built one."""
    path = folder / "companion"
    path.write_text(f"#!{sys.executable} -I\nimport json, os, sys\n{body}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_a_self_test_that_passes_is_shown_check_by_check(tmp_path, capsys):
    dev_build.run_selftest(program(tmp_path, f"print('noise'); print(json.dumps({PASSED!r}))"))
    assert "ok  paint: a red pixel" in capsys.readouterr().err


def test_the_built_program_sees_nothing_of_our_python(tmp_path, monkeypatch):
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"):
        monkeypatch.setenv(name, "ours")
    body = (
        "seen = sorted(n for n in os.environ if n.startswith('PYTHON') or n == 'VIRTUAL_ENV')\n"
        "alone = not seen and os.environ['COMPANION_PROFILE_DIR'].startswith(os.environ['HOME'])\n"
        "checks = [{'name': 'alone', 'ok': alone, 'detail': str(seen)}]\n"
        "print(json.dumps({'ok': alone, 'checks': checks}))"
    )
    dev_build.run_selftest(program(tmp_path, body))


def test_a_program_that_dies_is_reported_with_its_last_words(tmp_path):
    with pytest.raises(Problem, match=r"(?s)no libQt.*exit code 9 and printed no report") as caught:
        dev_build.run_selftest(program(tmp_path, "sys.stderr.write('no libQt'); sys.exit(9)"))
    assert caught.value.code == 1


def test_a_program_that_hangs_is_ended_and_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(dev_build, "SELFTEST_TIMEOUT_S", 0.5)
    with pytest.raises(Problem, match="did not end in"):
        dev_build.run_selftest(
            program(tmp_path, "sys.stdin.read(); import threading; threading.Event().wait()")
        )


@pytest.mark.parametrize(
    ("code", "report"),
    [
        (1, PASSED),
        (0, {"ok": False, "checks": PASSED["checks"]}),
        (0, {"ok": True, "checks": []}),
        (0, {"ok": True, "checks": [{"name": "paint", "ok": False, "detail": "black"}]}),
    ],
    ids=["exit code", "not ok", "no checks", "a failed check"],
)
def test_a_self_test_passes_only_if_all_of_it_says_so(code, report):
    with pytest.raises(Problem, match="self-test of the built program failed"):
        dev_build.judge_selftest(code, json.dumps(report), "")


@pytest.mark.parametrize("output", ["", "ready\n", "[]", '{"ok": true}', '{"ok": true, "checks": [1]}'])
def test_output_of_another_shape_is_no_report(output):
    with pytest.raises(Problem, match="printed no report"):
        dev_build.judge_selftest(0, output, "")


def test_every_file_of_the_build_is_hashed_once_and_links_are_not(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.so").write_bytes(b"a")
    (tmp_path / "a.so").symlink_to(tmp_path / "lib" / "a.so")
    (tmp_path / "BUILD-INFO.json").write_text("{}", encoding="utf-8")
    assert dev_build.hashes_of(tmp_path) == {"lib/a.so": hashlib.sha256(b"a").hexdigest()}


def test_outside_a_repository_a_build_has_no_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert dev_build.commit_field(tmp_path, "%H") == ""
    assert len(dev_build.commit_field(Path(__file__).parent, "%H")) == 40


def test_of_the_freezers_lines_only_its_stages_are_shown():
    assert dev_build.stage("123 INFO: Building PYZ (ZlibArchive) x") == "Building PYZ (ZlibArchive) x"
    assert dev_build.stage("Qt filter: datas: 1 kept, 2 dropped") == "Qt filter: datas: 1 kept, 2 dropped"
    assert dev_build.stage("123 INFO: Processing standard module hook") is None
    assert dev_build.stage("123 INFO: Analyzing hidden import 'x'") is None


def test_the_program_that_can_print_has_its_systems_name():
    assert dev_build.program_name() == ("companion-cli.exe" if os.name == "nt" else "companion")
