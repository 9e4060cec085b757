from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPixmap

from companion.commands.driver import FellShort, _is_one_colour
from tests.support.app import running
from tests.support.qt_loop import drive

pytestmark = pytest.mark.xdist_group("screen")


def picture(ratio=1.0):
    pixmap = QPixmap(round(100 * ratio), round(80 * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.white)
    painter = QPainter(pixmap)
    try:
        painter.fillRect(QRect(60, 50, 10, 10), Qt.GlobalColor.red)
    finally:
        painter.end()
    return pixmap


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_place_with_one_colour_is_told_from_one_with_something_in_it(qapp, ratio):
    assert _is_one_colour(picture(ratio), QRect(0, 0, 50, 40))
    assert not _is_one_colour(picture(ratio), QRect(40, 40, 50, 30))


def test_what_does_not_happen_in_time_is_told_with_its_name(qapp, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            with pytest.raises(FellShort, match="the moon"):
                await driver.until(lambda: False, 0.05, "the moon")

    drive(qapp, story(), 120)


def test_steps_are_timed_in_order(qapp, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            await driver.ask("hello")
            assert [step.name for step in driver.steps] == [
                "open the window",
                "connect to the gateway",
                "ask: hello",
            ]
            assert all(step.ms >= 0 for step in driver.steps)

    drive(qapp, story(), 120)


def test_a_picture_that_can_not_be_written_falls_short(qapp, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")

    async def story():
        async with running(tmp_path / "profile") as driver:
            with pytest.raises((FellShort, OSError)):
                await driver.picture("light", tmp_path / "file" / "x.png")

    drive(qapp, story(), 120)
