from __future__ import annotations

import base64
import json
import os
import sys
from datetime import UTC, datetime

import pytest

from companion.domain.rich_output.problem import Refused
from companion.domain.rich_output.replay import replay
from companion.domain.rich_output.validator import validate
from companion.gateway.stores import chart_sources
from companion.gateway.stores.chart_sources import resolve
from companion.gateway.stores.workspace import PLATFORM, Folder, Workspace
from tests.support.rich_output import VECTORS, case_id, cases, expand

NOW = datetime(2026, 8, 14, 10, 32, tzinfo=UTC)
# A person who may read everything is refused nothing.
BY_PERMISSION = {"pa-063"} if hasattr(os, "geteuid") and os.geteuid() == 0 else set()
PATHS = [
    case
    for case in cases("paths")
    if "workspace" in case and case.get("platform", PLATFORM) == PLATFORM and case["id"] not in BY_PERMISSION
]


def build(base, name):
    """Make the folders of a case side by side, and return them as a workspace."""
    told = expand(json.loads((VECTORS / "paths.json").read_text("utf-8"))["workspaces"][name])
    outside = base / "outside"
    outside.mkdir()
    for path, text in told.get("outside", {}).items():
        (outside / path).write_text(text, "utf-8")
    folders = []
    for root in told["roots"]:
        folder = base / root["name"]
        folders.append(Folder(root["name"], folder))
        for path, content in root.get("files", {}).items():
            put(folder / path, content, outside)
        if not root.get("deleted"):
            folder.mkdir(exist_ok=True)
    return Workspace(folders)


def put(place, content, outside):
    place.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        place.write_bytes(content.encode())
    elif "text" in content:
        place.write_text(content["text"], "utf-8")
        place.chmod(int(content["mode"], 8))
    elif sys.platform != "win32":
        if "symlink" in content:
            place.symlink_to(content["symlink"].replace("$OUTSIDE", str(outside)))
        else:
            os.mkfifo(place)


def judge(case, workspace):
    """Compare the outcome of a whole call with what the case expects."""
    expected = case["expect"]
    try:
        resolved = resolve(validate(case["args"], PLATFORM), workspace, NOW)
    except Refused as refused:
        found = {name: getattr(refused.first, name) for name in expected if name != "ok"}
        assert found == {name: value for name, value in expected.items() if name != "ok"}
        return None
    assert expected["ok"]
    assert resolved.snapshot == expected["snapshot"]
    return resolved


@pytest.mark.parametrize("case", PATHS, ids=case_id)
def test_only_files_inside_the_folders_are_read(case, tmp_path):
    judge(case, build(tmp_path, case["workspace"]))


@pytest.mark.parametrize("case", cases("csv"), ids=case_id)
def test_a_file_becomes_the_snapshot_that_is_written_down(case, tmp_path, monkeypatch):
    opened = []
    read = chart_sources.read_file
    monkeypatch.setattr(chart_sources, "read_file", lambda *about: opened.append(about) or read(*about))
    file = case["file"]
    content = file.encode() if isinstance(file, str) else base64.b64decode(file["base64"])
    (tmp_path / "data.csv").write_bytes(content)
    judge(case, Workspace([Folder("main", tmp_path)]))
    assert len(opened) == case.get("reads", 1)


def chart(**source):
    csv = {"path": "data.csv", "x_column": "day", "series": [{"column": "v"}], **source}
    block = {"type": "chart", "chart_type": "line", "title": "C", "summary": "S", "csv": csv}
    return {"version": 1, "title": "T", "blocks": [block, {"type": "file", "path": "later.txt"}]}


@pytest.mark.parametrize("fate", ["deleted", "changed", "replaced by a link"])
def test_an_old_chart_is_the_same_whatever_becomes_of_its_file(fate, tmp_path):
    file = tmp_path / "data.csv"
    file.write_text("day,v\na,1\nb,\n", "utf-8")
    resolved = resolve(validate(chart()), Workspace([Folder("main", tmp_path)]), NOW)
    file.unlink()
    if fate == "changed":
        file.write_text("day,v\nz,9\n", "utf-8")
    elif fate == "replaced by a link":
        file.symlink_to("/dev/zero")
    shown = replay("complete", chart(), resolved.snapshot)
    assert shown.presentation == resolved.presentation


def test_what_was_read_is_told_with_its_place_and_its_sum(tmp_path):
    (tmp_path / "data.csv").write_bytes(b"day;v\na;1\n")
    resolved = resolve(validate(chart()), Workspace([Folder("main", tmp_path)]), NOW)
    (source,) = resolved.sources
    assert (source["path"], source["rows"], source["delimiter"], source["bytes"]) == ("data.csv", 1, ";", 10)
    assert source["read_at"] == "2026-08-14T10:32:00+00:00"
    assert len(source["sha256"]) == 64
    assert resolved.missing_files == {"later.txt"}
