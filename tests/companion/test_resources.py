from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.resources import ResourceMissing, read_text, resource_path

ROOT = Path(__file__).resolve().parents[2]
RECORD = "docs/decisions/0003-pyside6-markers.md"


def test_a_source_checkout_reads_its_own_resources_folder():
    assert resource_path(RECORD) == ROOT / "resources" / RECORD
    assert read_text(RECORD).startswith("# 0003")


def test_a_folder_of_resources_is_found_like_a_file():
    assert resource_path("docs/decisions").is_dir()


@pytest.mark.parametrize("name", ["", ".", "../pyproject.toml", "docs/../../x", "/etc/passwd", "docs\\x"])
def test_a_name_that_leads_outside_is_refused_with_the_rule(name):
    with pytest.raises(ResourceMissing, match="forward slashes"):
        resource_path(name)


def test_a_missing_file_is_named_with_the_places_and_the_next_step():
    with pytest.raises(ResourceMissing, match=r"'styles/none.qss'.*Install the program again.*resources"):
        read_text("styles/none.qss")


def test_a_frozen_program_reads_only_from_its_own_folder(tmp_path, monkeypatch):
    inside = tmp_path / "companion" / "_resources" / "docs" / "only-here.md"
    inside.parent.mkdir(parents=True)
    inside.write_text("frozen", encoding="utf-8")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert read_text("docs/only-here.md") == "frozen"
    with pytest.raises(ResourceMissing):
        resource_path(RECORD)


def test_the_wheel_carries_the_resources_and_reads_them(tmp_path):
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    subprocess.run([*build, "--wheel-dir", str(tmp_path), str(ROOT)], check=True, timeout=100)
    (wheel,) = tmp_path.glob("gateway_companion-*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    program = (
        "import companion.resources as r, sys;"
        f"sys.stdout.write(str(r.resource_path({RECORD!r})) + '\\n' + r.read_text({RECORD!r}))"
    )
    # -S and -E: neither the checkout's editable install nor the environment may help.
    found = subprocess.run(
        [sys.executable, "-E", "-S", "-c", "import sys; sys.path[0:1] = [sys.argv[1]];" + program, str(site)],
        check=True,
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        timeout=60,
    ).stdout
    place, _, text = found.partition("\n")
    assert Path(place).is_relative_to(site)
    assert text == read_text(RECORD)
