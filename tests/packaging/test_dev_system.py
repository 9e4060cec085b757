from __future__ import annotations

import sys

import dev_system
import pytest
from dev_console import Problem
from dev_system import Need

PAINTING = Need("libnever-paints.so.1", "libpaints1")
WINDOWS = Need("libnever-windows.so.1", "libwindows1", only_on_a_display=True)


@pytest.fixture
def lacking(monkeypatch):
    """A Debian-like system that lacks what the test says, and notes what is installed on it."""
    installed: list[list[str]] = []
    needs: list[Need] = []

    def install(packages):
        installed.append(list(packages))
        needs[:] = [need for need in needs if need.package not in packages]
        return ""

    monkeypatch.setattr(dev_system, "missing", lambda extra=(): list(needs))
    monkeypatch.setattr(dev_system, "apt_install", install)
    monkeypatch.setattr(dev_system, "may_install", lambda: False)
    monkeypatch.setattr(dev_system, "package_names", list)
    monkeypatch.setattr(dev_system.shutil, "which", lambda name: f"/usr/bin/{name}")
    needs.append(PAINTING)
    needs.append(WINDOWS)
    return needs, installed


@pytest.mark.parametrize("name", ["libc.so.6"] if sys.platform == "linux" else [])
def test_the_loader_finds_what_is_there_and_names_what_is_not(name):
    assert dev_system.absent_libraries([name, "libnever-heard-of.so.9"]) == {"libnever-heard-of.so.9"}


def test_a_font_is_found_by_its_file(tmp_path):
    assert not dev_system.any_font([str(tmp_path), str(tmp_path / "absent")])
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "Sans.ttf").write_bytes(b"")
    assert dev_system.any_font([str(tmp_path)])


def test_a_program_that_is_missing_is_listed_with_its_package():
    unknown = Need("no-such-program-here", "some-package")
    found = dev_system.missing([unknown])
    assert (unknown in found) == (sys.platform == "linux")


def test_a_complete_system_is_left_alone(lacking):
    needs, installed = lacking
    needs.clear()
    dev_system.ensure(on_a_display=True)
    assert installed == []


def test_root_installs_only_what_is_missing(lacking, monkeypatch):
    needs, installed = lacking
    monkeypatch.setattr(dev_system, "may_install", lambda: True)
    dev_system.ensure(on_a_display=True)
    assert installed == [["libpaints1", "libwindows1"]]
    assert needs == []


def test_others_are_told_the_one_command(lacking):
    with pytest.raises(Problem, match="Run: sudo apt-get install -y libpaints1 libwindows1") as caught:
        dev_system.ensure(on_a_display=False)
    assert caught.value.code == 2


def test_what_only_windows_need_does_not_stop_work_without_a_display(lacking, capsys):
    needs, _ = lacking
    needs[:] = [WINDOWS]
    dev_system.ensure(on_a_display=False)
    assert "sudo apt-get install -y libwindows1" in capsys.readouterr().err
    with pytest.raises(Problem):
        dev_system.ensure(on_a_display=True)


def test_a_failed_installation_is_reported_with_its_own_words_and_the_command(lacking, monkeypatch):
    monkeypatch.setattr(dev_system, "may_install", lambda: True)
    monkeypatch.setattr(dev_system, "apt_install", lambda packages: "E: no route to the mirror")
    with pytest.raises(Problem, match=r"(?s)no route to the mirror.*sudo apt-get install") as caught:
        dev_system.ensure(on_a_display=False)
    assert caught.value.code == 3


def test_a_system_without_apt_hears_what_to_look_for(monkeypatch):
    monkeypatch.setattr(dev_system.shutil, "which", lambda name: None)
    assert dev_system.advice([PAINTING]) == (
        "The system lacks libnever-paints.so.1. "
        "Install the packages of your system that bring them (in Debian: libpaints1)."
    )


def test_every_need_names_its_package_once():
    needs = (*dev_system.LIBRARIES, dev_system.FONTS, dev_system.DISPLAY, dev_system.BINUTILS)
    assert len({need.package for need in needs}) == len({need.name for need in needs}) == len(needs)


def test_the_interpreter_that_runs_the_tests_can_make_environments():
    dev_system.ensure_venv_module(sys.executable, sys.version_info[:2])
