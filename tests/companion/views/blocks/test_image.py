from __future__ import annotations

import base64

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage

from companion.views.blocks.image import (
    MAX_HEIGHT_PX,
    SHOWN_SIDE_PX,
    WAITING_HEIGHT_PX,
    draw_image,
    read_image,
)
from gateway_client.protocol.blocks import ImageBlock
from tests.support.transcripts import PLACE, LaterJobs, scene


def picture(width=40, height=20, kind="PNG"):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, kind)
    return base64.b64encode(bytes(buffer.data())).decode()


def test_a_picture_is_read_by_the_format_it_names(qapp):
    image = read_image(picture(), "image/png")
    assert (image.width(), image.height()) == (40, 20)
    assert image.pixelColor(5, 5) == QColor("red")


@pytest.mark.parametrize(
    ("data", "mime_type"),
    [
        (picture, "image/jpeg"),
        (picture, "image/svg+xml"),
        (lambda: base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode(), "image/png"),
        (lambda: "not base64!", "image/png"),
        (lambda: "", "image/png"),
        (lambda: base64.b64encode(b"text").decode(), "image/png"),
    ],
)
def test_what_is_no_picture_of_that_format_is_refused(qapp, data, mime_type):
    assert read_image(data(), mime_type) is None


def test_a_huge_picture_is_read_smaller(qapp):
    assert read_image(picture(SHOWN_SIDE_PX * 2, 100), "image/png").width() == SHOWN_SIDE_PX


def test_a_picture_keeps_its_room_until_it_is_read(qapp):
    jobs = LaterJobs()
    (piece,) = draw_image(scene(jobs=jobs), ImageBlock(picture(400, 1200), "image/png"), PLACE).pieces
    piece.measure_for(300)
    piece.measure_for(300)
    assert piece.size.height() == WAITING_HEIGHT_PX
    assert len(jobs.waiting) == 1
    jobs.run()
    piece.measure_for(300)
    assert (piece.size.width(), piece.size.height()) == (160, MAX_HEIGHT_PX)


def test_a_picture_that_cannot_be_read_says_what_to_do(qapp):
    (piece,) = draw_image(scene(), ImageBlock("zzz", "image/png"), PLACE).pieces
    piece.measure_for(300)
    piece.measure_for(300)
    assert piece._image is None
    assert 0 < piece.size.height() < WAITING_HEIGHT_PX
