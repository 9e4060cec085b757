from __future__ import annotations

import importlib.metadata
import importlib.util
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


def test_each_resource_goes_where_a_frozen_program_looks_for_it():
    places = dict(frozen_parts.resources(ROOT))
    files = {str(path) for path in (ROOT / "resources").rglob("*") if path.is_file()}
    assert set(places) == files
    record = str(ROOT / "resources/docs/decisions/0003-pyside6-markers.md")
    assert places[record] == "companion/_resources/docs/decisions"
