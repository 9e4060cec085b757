from __future__ import annotations

import json
import subprocess
import sys

import pytest

from companion.commands.selftest import Check, _checked, _database, _tell
from companion.resources import ResourceMissing

pytestmark = pytest.mark.xdist_group("screen")


def test_this_installation_paints_starts_its_gateway_and_draws_a_widget():
    done = subprocess.run(
        [sys.executable, "-m", "companion", "--selftest", "--json"],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    report = json.loads(done.stdout)
    assert {check["name"]: check["ok"] for check in report["checks"]} == {
        "versions": True,
        "resources": True,
        "database": True,
        "gateway": True,
        "native pixels": True,
        "web pixels": True,
    }
    assert report["ok"]
    assert done.returncode == 0


def test_the_database_of_this_machine_can_do_what_is_needed(tmp_path):
    assert "full-text search" in _database(tmp_path / "probe.sqlite3")


def test_what_is_missing_is_a_failed_check_and_not_a_crash():
    def look():
        raise ResourceMissing("the folder 'docs' is missing. Install the program again")

    check = _checked("resources", look)
    assert (check.ok, check.detail) == (False, "the folder 'docs' is missing. Install the program again")


def test_one_failed_check_fails_the_whole(capsys):
    assert _tell([Check("a", True, "fine"), Check("b", False, "broken")], is_json=False) == 1
    assert "FAIL b: broken" in capsys.readouterr().out
    assert _tell([Check("a", True, "fine")], is_json=True) == 0
    assert json.loads(capsys.readouterr().out) == {
        "ok": True,
        "checks": [{"name": "a", "ok": True, "detail": "fine"}],
    }
