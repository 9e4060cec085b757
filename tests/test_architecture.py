"""What the import contracts cannot say: sizes, mirrored tests, one exec(), pure rooms, no foreign hosts."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from companion.domain.transcript import Part
from companion.views.blocks import RENDERERS

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "gateway_client")
PURE = ("companion/domain/", "gateway_client/protocol/")
DOCUMENTED = ("companion/domain/", "gateway_client/")
"""Rooms that other people's programs or every other room read: all that is public there is explained."""

MAY_START_THE_LOOP = ("companion/loop.py", "companion/app.py")
NO_OWN_TEST: dict[str, str] = {
    "companion/__main__.py": "hands its arguments to companion.cli, which is tested",
}
"""Modules with code but without a test file of their own, and why that is right."""

TEXT = frozenset(
    {".cfg", ".css", ".html", ".js", ".json", ".jsonl", ".md", ".py", ".qss", ".spec", ".svg", ".toml"}
)
TEXT |= {".txt", ".yml", ".yaml", "", ".csv", ".sh"}
# Written in halves, so that this file names none of them either.
REGISTRIES = re.compile("|".join(("py" r"pi\.org", "python" r"hosted\.", "npm" r"js\.", "crates" r"\.io")))
MACHINE_PATHS = re.compile(
    r"(?<![\w./:-])(?:/root/\w|/work/\w|/home/[a-z]+/|/Users/\w|/opt/(?:wheels|py)|C:\\Users\\\w)"
)


def sources(*roots: str) -> list[str]:
    return [
        path.relative_to(ROOT).as_posix()
        for root in roots
        for path in sorted((ROOT / root).rglob("*.py"))
        if "__pycache__" not in path.parts
    ]


@cache
def tree(name: str) -> ast.Module:
    return ast.parse((ROOT / name).read_text(encoding="utf-8"), filename=name)


def calls(name: str) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree(name)) if isinstance(node, ast.Call))


def in_rooms(rooms: tuple[str, ...]) -> list[str]:
    return [name for name in sources(*PACKAGES) if name.startswith(rooms)]


# Sizes


@pytest.mark.parametrize(
    ("roots", "ceiling"), [((*PACKAGES, "packaging"), 500), (("tests",), 800)], ids=["sources", "tests"]
)
def test_no_file_is_longer_than_its_ceiling(roots, ceiling):
    lengths = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in sources(*roots)}
    assert {name: length for name, length in lengths.items() if length > ceiling} == {}


def test_no_class_is_longer_than_250_lines():
    long = {
        f"{name}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for name in sources(*PACKAGES, "packaging")
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ClassDef) and (node.end_lineno or 0) - node.lineno >= 250
    }
    assert long == {}


def own_imports(name: str) -> set[str]:
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {module for module in found if module.split(".")[0] in PACKAGES}


def test_no_module_but_the_composition_root_imports_more_than_15_of_ours():
    counts = {name: len(own_imports(name)) for name in sources(*PACKAGES) if name != "companion/app.py"}
    assert {name: count for name, count in counts.items() if count > 15} == {}


# Tests mirror sources


def has_logic(name: str) -> bool:
    """Whether a function of the module does more than stand for its signature."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = [part for part in node.body if not is_bare(part)]
            if body:
                return True
    return False


def is_bare(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def stems_of(source: str) -> tuple[str, ...]:
    """Stems that a source's test file may have: of `__init__.py` its own, or its folder's."""
    stem = Path(source).stem.strip("_")
    return (stem, Path(source).parent.name) if Path(source).name == "__init__.py" else (stem,)


def own_tests(source: str) -> list[Path]:
    folder = ROOT / "tests" / Path(source).parent
    return [
        path
        for stem in stems_of(source)
        for path in [*folder.glob(f"test_{stem}.py"), *folder.glob(f"test_{stem}_*.py")]
    ]


def test_every_module_with_logic_has_its_test_file():
    untested = [
        name
        for name in sources(*PACKAGES, "packaging")
        if has_logic(name) and not own_tests(name) and name not in NO_OWN_TEST
    ]
    assert not untested, "\n".join(untested)


def test_every_test_file_has_its_source():
    mirrored = [f"tests/{root}" for root in (*PACKAGES, "packaging")]
    known = {path for source in sources(*PACKAGES, "packaging") for path in own_tests(source)}
    orphans = [
        name
        for name in sources(*mirrored)
        if Path(name).name.startswith("test_") and ROOT / name not in known
    ]
    assert not orphans, "\n".join(orphans)


def test_every_exception_from_mirrored_tests_is_still_needed():
    assert [name for name in NO_OWN_TEST if not (ROOT / name).exists() or own_tests(name)] == []


# Qt: one exec(), none nested


def test_only_the_loop_is_ever_executed_and_only_once():
    """A second `exec()` after a web page was shown, or one inside a coroutine, ends the process."""
    places = [
        name
        for name in sources(*PACKAGES)
        for call in calls(name)
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"exec", "exec_"}
    ]
    assert [name for name in places if name not in MAY_START_THE_LOOP] == []
    assert len(places) <= 1


NESTING = {
    "QMessageBox": re.compile("question|information|warning|critical|about"),
    "QFileDialog": re.compile("get"),
    "QInputDialog": re.compile("get"),
    "QColorDialog": re.compile("get"),
    "QFontDialog": re.compile("get"),
}


def test_no_dialog_is_opened_by_a_static_function_that_waits():
    nesting = [
        f"{name}:{call.lineno}"
        for name in sources(*PACKAGES)
        for call in calls(name)
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id in NESTING
        and NESTING[call.func.value.id].match(call.func.attr)
    ]
    assert nesting == []


# Pure rooms


def contract(name: str) -> dict[str, list[str]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return next(c for c in settings["tool"]["importlinter"]["contracts"] if c["name"] == name)


def test_the_pure_rooms_of_the_contract_are_the_ones_checked_here():
    rooms = contract("Pure rooms do no I/O and read no clock")["source_modules"]
    assert sorted(rooms) == sorted(room.strip("/").replace("/", ".") for room in PURE)
    headless = contract("Headless rooms never import Qt")["source_modules"]
    assert all(any(room == h or room.startswith(f"{h}.") for h in headless) for room in rooms)


READS_OR_WRITES = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "now", "utcnow", "today"}


def test_pure_rooms_open_no_file_and_read_no_clock():
    impure = [
        f"{name}:{call.lineno}"
        for name in in_rooms(PURE)
        for call in calls(name)
        if (isinstance(call.func, ast.Name) and call.func.id == "open")
        or (isinstance(call.func, ast.Attribute) and call.func.attr in READS_OR_WRITES)
    ]
    assert impure == []


# Blocks


def test_every_part_that_a_message_may_hold_has_a_renderer():
    assert set(get_args(Part)) == set(RENDERERS)


# Words


def test_every_module_says_what_is_in_it():
    assert [name for name in sources(*PACKAGES, "packaging") if not ast.get_docstring(tree(name))] == []


def public_functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield f"{prefix}{node.name}", node
            yield from public_functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield f"{prefix}{node.name}", node


def test_all_that_is_public_in_the_library_and_the_rules_is_explained():
    silent = [
        f"{name}:{label}"
        for name in in_rooms(DOCUMENTED)
        for label, node in public_functions(tree(name).body)
        if not ast.get_docstring(node)  # type: ignore[arg-type]
    ]
    assert not silent, "\n".join(silent)


def tracked_texts() -> Iterator[tuple[str, str]]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, encoding="utf-8", timeout=30
    ).stdout
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path.suffix in TEXT and path.is_file():
            yield name, path.read_text(encoding="utf-8")


def test_no_file_names_a_package_registry_or_a_path_of_some_machine():
    found = [
        f"{name}: {match.group()}"
        for name, text in tracked_texts()
        for pattern in (REGISTRIES, MACHINE_PATHS)
        for match in [pattern.search(text)]
        if match
    ]
    assert not found, "\n".join(found)
