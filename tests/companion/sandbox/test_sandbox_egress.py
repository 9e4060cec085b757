"""Hostile pages in the whole sandbox: nothing may arrive, be asked, be stored or be left behind."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from companion.sandbox.sandbox import Sandbox
from tests.companion.sandbox.egress import attempts, claims, hostile_page, reached
from tests.support.listeners import Listeners

ANSWERED_WITHOUT_EFFECT = {"", "made", "called", "clicked", "done", "armed"}
HARMLESS = {
    # Queued in the page; the policy refuses it before anything leaves.
    "beacon",
    "gw-beacon",
    # What remains by design: our constant document around the page can be counted and named, and the
    # machine has fonts, a clock and a screen.
    "parent-count-frames",
    "ancestor-origins",
    "resource-timing",
    "local-font-face-local",
    "perm-network-info",
    "perm-fingerprint",
}
FAMILIES = ["fetch", "markup", "workers", "webrtc", "frames", "local", "gateway", "permissions"]


@pytest.fixture(scope="module")
def listeners():
    with Listeners() as made:
        yield made


@pytest.fixture
def sandbox(qapp):
    made = Sandbox(max_live=20)
    yield made
    made.close()


def click(view):
    QTest.mouseClick(view.web_view.focusProxy(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))


def assert_nothing_got_out(listeners, net_log, stage):
    # A page that is opened afterwards is on screen: by then those before it had their turn.
    stage.open("innocent").close_page()
    assert listeners.arrivals == []
    names, addresses = reached(net_log)
    assert names == set()
    assert addresses == set()
    assert QApplication.topLevelWidgets().count(stage.window) == 1
    assert [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()] == [stage.window]
    assert "hostile" not in QApplication.clipboard().text()


@pytest.mark.parametrize("family", FAMILIES)
def test_no_attempt_of_a_family_gets_out(family, stage, listeners, net_log, qtbot):
    free, by_click = attempts(family, by_click=False), attempts(family, by_click=True)
    view = stage.open(hostile_page(family, listeners), wait=False)
    page = view.live_page.page

    def has_settled(ids):
        said = claims(page.console)
        return all(name in said and said[name][0] != "info" for name in ids)

    qtbot.waitUntil(lambda: has_settled(free), timeout=20_000)
    if by_click:
        click(view)
        qtbot.waitUntil(lambda: has_settled(by_click), timeout=20_000)
    got = {
        name: detail
        for name, (state, detail) in claims(page.console).items()
        if state == "ok" and detail not in ANSWERED_WITHOUT_EFFECT and name not in HARMLESS
    }
    assert got == {}
    assert_nothing_got_out(listeners, net_log, stage)
    assert page.asked == [] or family in ("permissions", "local")


def test_nothing_of_a_page_is_left_for_another_one(stage, listeners, net_log, qtbot):
    for role in ("write", "read"):
        view = stage.open(hostile_page("storage", listeners, role=role), wait=False)
        page = view.live_page.page
        qtbot.waitUntil(
            lambda page=page: set(attempts("storage", by_click=False)) <= set(claims(page.console)),
            timeout=20_000,
        )
        qtbot.waitUntil(
            lambda page=page: all(state != "info" for state, _ in claims(page.console).values()),
            timeout=20_000,
        )
        assert {name for name, (state, _) in claims(page.console).items() if state == "ok"} == set()
    assert_nothing_got_out(listeners, net_log, stage)


def chunks(items, size):
    return [items[i : i + size] for i in range(0, len(items), size)]


WITHOUT_CLICK = chunks(attempts("nav", by_click=False), 12)
BY_CLICK = chunks(attempts("nav", by_click=True), 12)


class Leaver:
    """A page with one attempt to leave, and what became of it."""

    def __init__(self, stage, listeners, name):
        self.view = stage.open(hostile_page("nav", listeners, only=name), wait=False)
        self.page, self.name = self.view.live_page.page, name
        self.seen = []
        self.is_painted = False
        self.view.refused.connect(lambda *refusal: self.seen.append(refusal))
        self.view.failed.connect(self.seen.append)
        self.view.painted.connect(self.note_paint)

    def note_paint(self):
        self.is_painted = True

    def has_tried(self):
        return bool(self.seen) or self.name in claims(self.page.console)


@pytest.mark.parametrize("names", WITHOUT_CLICK, ids=lambda names: names[0])
def test_no_page_leaves_its_place_by_itself(names, stage, listeners, net_log, qtbot):
    pages = [Leaver(stage, listeners, name) for name in names]
    qtbot.waitUntil(lambda: all(page.has_tried() for page in pages), timeout=30_000)
    assert_nothing_got_out(listeners, net_log, stage)


@pytest.mark.parametrize("names", BY_CLICK, ids=lambda names: names[0])
def test_no_page_leaves_its_place_by_a_click_of_the_person(names, stage, listeners, net_log, qtbot):
    pages = [Leaver(stage, listeners, name) for name in names]
    for page in pages:
        qtbot.waitUntil(lambda page=page: page.is_painted, timeout=30_000)
        page.view.raise_()
        click(page.view)
        qtbot.waitUntil(page.has_tried, timeout=20_000)
    assert_nothing_got_out(listeners, net_log, stage)
