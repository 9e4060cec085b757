from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import frozen_parts
import pytest

from companion import cli

ROOT = Path(__file__).parents[2]


def test_every_module_of_ours_is_named_for_the_freezer():
    named = set(frozen_parts.hidden_imports(ROOT))
    assert {"companion", "companion.__main__", "companion.resources", "gateway_client.errors"} <= named
    commands = {f"companion.commands.{path.stem}" for path in (ROOT / "companion/commands").glob("[a-z]*.py")}
    assert commands
    assert commands <= named


@pytest.mark.parametrize("name", frozen_parts.LOADED_BY_NAME)
def test_each_foreign_module_that_is_loaded_by_name_exists(name):
    assert importlib.util.find_spec(name) is not None


@pytest.mark.parametrize("name", frozen_parts.METADATA)
def test_each_distribution_whose_metadata_is_read_is_installed(name):
    assert importlib.metadata.version(name)


def test_every_module_that_the_command_line_imports_by_name_is_among_them():
    assert set(cli.hidden_modules()) <= set(frozen_parts.hidden_imports(ROOT))


def test_nothing_we_need_is_excluded():
    needed = frozen_parts.hidden_imports(ROOT)
    assert [name for name in needed if name.split(".")[0] in frozen_parts.EXCLUDED] == []


WITHOUT = """
import importlib, json, sys
names, excluded = json.loads(sys.stdin.read())
class Excluded:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in excluded:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
for name in [loaded for loaded in sys.modules if loaded.split(".")[0] in excluded]:
    del sys.modules[name]
sys.meta_path.insert(0, Excluded())
for name in names:
    importlib.import_module(name)
"""


def test_every_module_can_be_imported_without_those_that_are_excluded():
    names = frozen_parts.hidden_imports(ROOT)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        input=json.dumps([names, frozen_parts.EXCLUDED]),
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=100,
    )
    assert done.returncode == 0, done.stderr


def test_each_resource_goes_where_a_frozen_program_looks_for_it():
    places = dict(frozen_parts.resources(ROOT))
    files = {str(path) for path in (ROOT / "resources").rglob("*") if path.is_file()}
    assert set(places) == files
    record = str(ROOT / "resources/docs/decisions/0003-pyside6-markers.md")
    assert places[record] == "companion/_resources/docs/decisions"
