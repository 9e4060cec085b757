from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from companion.sandbox.sandbox import Sandbox
from companion.sandbox.view import WAITING, PageDocument
from tests.companion.sandbox.conftest import LIGHT, Stage

ROOT = Path(__file__).parents[3]


@pytest.fixture
def sandbox(qapp):
    made = Sandbox(max_live=2)
    yield made
    made.close()


def test_beyond_its_places_the_page_longest_out_of_sight_becomes_a_picture_of_the_same_size(stage):
    released = []
    views = [stage.open("<body style='background:#0a0'>") for _ in range(2)]
    views[0].released.connect(lambda: released.append(0))
    size = views[0].size()
    views[0].hide()
    views[1].hide()
    third = stage.open("third")
    assert released == [0]
    assert not views[0].is_live
    assert views[0].size() == size
    assert not views[0].take_picture().isNull()
    assert set(stage.sandbox.live_ids) == {views[1].view_id, third.view_id}


def test_a_released_page_comes_back_when_it_is_loaded_again(stage):
    view, _other = stage.open("<script>console.log('here')</script>"), stage.open("x")
    view.hide()
    _third = stage.open("y")
    assert not view.is_live
    _other.hide()
    view.show()
    with stage.qtbot.waitSignal(view.painted, timeout=20_000):
        view.reload()
    stage.wait_for_line(view, "here")


def test_a_page_that_finds_all_places_on_screen_waits_and_says_so(stage):
    first, _second = stage.open("a"), stage.open("b")
    third = stage.open("c", wait=False)
    assert not third.is_live
    assert third.findChild(QWidget).text() == WAITING
    with stage.qtbot.waitSignal(third.painted, timeout=20_000):
        first.hide()
    assert not first.is_live


def test_every_view_has_an_address_of_its_own_that_nobody_can_guess(stage):
    first, second = stage.open("a"), stage.open("b")
    assert first.view_id != second.view_id
    assert len(first.view_id) == 32
    assert int(first.view_id, 16) >= 0


def test_refusals_are_told_with_the_view_they_came_from(stage):
    told = []
    stage.sandbox.refused.connect(lambda *refusal: told.append(refusal))
    view = stage.open("<script>onclick = 0; location = location.href + '?x'</script>", wait=False)
    stage.qtbot.waitUntil(lambda: bool(told), timeout=20_000)
    assert told[0][0] == view.view_id


def test_closing_twice_is_no_fault_and_nothing_opens_afterwards(qapp, qtbot):
    sandbox = Sandbox()
    stage = Stage(qtbot, sandbox)
    stage.open("x")
    sandbox.close()
    sandbox.close()
    with pytest.raises(RuntimeError, match="closed"):
        sandbox.open_page(PageDocument("d", b"", ""), LIGHT, stage.window)


ENDS = """
import os, sys
from companion.sandbox.setup import prepare
prepare(os.environ)
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from companion.sandbox.sandbox import Sandbox
from companion.sandbox.view import Appearance, PageDocument
app = QApplication([])
window = QWidget()
window.show()
sandbox = Sandbox()
view = sandbox.open_page(PageDocument("d", b"<!doctype html>x", "t"), Appearance(False, "#fff"), window)
view.show()
{end}
sys.exit(app.exec())
"""


@pytest.mark.parametrize(
    "end",
    [
        "view.painted.connect(lambda _: app.quit())",
        "QTimer.singleShot(0, app.quit)",
        "view.painted.connect(lambda _: (sandbox.close(), app.quit()))",
        "view.painted.connect(lambda _: (view.close_page(), app.quit()))",
        "view.painted.connect(lambda _: (view.reload(), app.quit()))",
    ],
    ids=["after the paint", "while it loads", "closed before", "page closed before", "while it loads again"],
)
def test_a_program_with_a_page_ends_without_a_crash(end):
    done = subprocess.run(
        check=False,
        args=[sys.executable, "-c", ENDS.replace("{end}", end)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "still not deleted" not in done.stderr
