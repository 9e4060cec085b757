from __future__ import annotations

import os
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.domain.rich_output.paths import PathRefused
from companion.gateway.stores import workspace as module
from companion.gateway.stores.workspace import Folder, Workspace, WorkspaceRefused, read_file

LIMIT = 1000
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")


@pytest.fixture
def inside(tmp_path):
    """A folder with one file, beside a folder with a secret."""
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"open")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.txt").write_bytes(b"secret")
    return folder


def place(inside):
    return Workspace([Folder("main", inside)])


def refusal(call, *about):
    with pytest.raises(WorkspaceRefused) as refused:
        call(*about)
    return refused.value.code


def test_a_file_is_read_with_its_date(inside):
    read = read_file(place(inside).locate("", "a.txt"), LIMIT)
    assert read.data == b"open"
    assert read.modified_at_s == pytest.approx((inside / "a.txt").stat().st_mtime)


def test_a_file_above_the_limit_is_refused(inside):
    assert refusal(read_file, place(inside).locate("", "a.txt"), 3) == "file_too_large"


@posix_only
def test_a_file_that_becomes_a_link_after_it_was_judged_is_not_followed(inside):
    located = place(inside).locate("", "a.txt")
    (inside / "a.txt").unlink()
    (inside / "a.txt").symlink_to(inside.parent / "outside" / "a.txt")
    assert refusal(read_file, located, LIMIT) == "file_not_regular"


@posix_only
def test_a_folder_that_becomes_a_link_after_it_was_judged_is_not_followed(inside):
    (inside / "deep").mkdir()
    (inside / "deep" / "a.txt").write_bytes(b"open")
    located = place(inside).locate("", "deep/a.txt")
    (inside / "deep").rename(inside / "gone")
    (inside / "deep").symlink_to(inside.parent / "outside")
    assert refusal(read_file, located, LIMIT) == "file_missing"


@posix_only
def test_a_file_that_becomes_a_device_is_not_opened(inside):
    located = place(inside).locate("", "a.txt")
    (inside / "a.txt").unlink()
    os.mkfifo(inside / "a.txt")
    assert refusal(read_file, located, LIMIT) == "file_not_regular"


@posix_only
def test_a_file_of_another_file_system_is_outside(inside):
    located = module.Located(inside, ("a.txt",))
    device = inside.stat().st_dev
    assert refusal(module._check_kind, (inside / "a.txt").stat(), device + 1) == "path_outside"
    assert read_file(located, LIMIT).data == b"open"


@pytest.mark.parametrize("can_walk", [True, False])
def test_both_ways_to_open_read_the_same(inside, can_walk, monkeypatch):
    monkeypatch.setattr(module, "_CAN_WALK", can_walk and module._CAN_WALK)
    assert read_file(place(inside).locate("main", "./a.txt"), LIMIT).data == b"open"


def test_a_file_that_never_rests_is_refused(inside, monkeypatch):
    read = module._read

    def grows(descriptor, most):
        data = read(descriptor, most)
        with (inside / "a.txt").open("ab") as file:
            file.write(b"x")
        return data

    located = place(inside).locate("", "a.txt")
    monkeypatch.setattr(module, "_read", grows)
    assert refusal(read_file, located, LIMIT) == "file_unreadable"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    path=st.lists(
        st.sampled_from(["a.txt", "link", "..", ".", "~", "outside", "C:", "", "inside", "\\"]), max_size=5
    ).map("/".join),
    repo=st.sampled_from(["", "main", "link", "inside"]),
)
def test_no_path_reads_the_secret(inside, path, repo):
    if sys.platform != "win32" and not (inside / "link").is_symlink():
        (inside / "link").symlink_to(inside.parent / "outside")
    try:
        data = read_file(place(inside).locate(repo, path), LIMIT).data
    except (PathRefused, WorkspaceRefused):
        return
    assert data == b"open"
