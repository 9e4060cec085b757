from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from companion.viewmodels.link import LinkModel
from companion.views.status_chip import StatusChip
from companion.views.theme import LIGHT
from gateway_client.status import LinkState, LinkStatus


@pytest.fixture
def link(qapp):
    return LinkModel("Embedded gateway")


@pytest.fixture
def chip(link, qtbot):
    chip = StatusChip(link)
    qtbot.addWidget(chip)
    chip.set_theme(LIGHT)
    chip.resize(220, 20)
    chip.show()
    return chip


def dot(chip):
    return chip.grab().toImage().pixelColor(5, 10).name()


def test_the_state_is_told_by_colour_and_by_words(chip, link):
    link.show_status(LinkStatus(LinkState.READY, round_trip_ms=4))
    assert chip.text() == "Embedded gateway · 4 ms"
    assert dot(chip) == LIGHT.ok
    link.show_status(LinkStatus(LinkState.REFUSED, reason="the token is wrong"))
    assert "refused" in chip.text()
    assert dot(chip) == LIGHT.danger


def test_why_is_in_the_tool_tip_and_for_a_screen_reader(chip, link):
    link.show_status(LinkStatus(LinkState.WAITING, reason="the gateway went away", retry_in_s=2))
    assert "The gateway went away" in chip.toolTip()
    assert chip.accessibleDescription() == chip.toolTip()
    assert chip.accessibleName().startswith("Connection: ")


def test_a_click_asks_to_try_again(chip, qtbot):
    with qtbot.waitSignal(chip.clicked):
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
