"""A picture that came with its bytes: read off the drawing thread, within bounds.

Only formats of pixels are read, and only the one the message names, so a
picture cannot reach a reader it was not meant for. A picture keeps its room
while it is read.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPainterPath, QPen

from companion.domain.outline import Outline, of_part
from companion.views.renderer import Drawing, FixedDrawing, Mark, PartPlace, Piece, Scene
from companion.views.theme import RADIUS_PX
from gateway_client.protocol.blocks import ImageBlock

FORMATS = {
    "image/png": b"png",
    "image/jpeg": b"jpeg",
    "image/gif": b"gif",
    "image/webp": b"webp",
    "image/bmp": b"bmp",
}
MAX_BASE64_CHARACTERS = 28_000_000
MAX_PIXELS = 50_000_000
MAX_HEIGHT_PX = 480
SHOWN_SIDE_PX = 2000
WAITING_HEIGHT_PX = 200
UNREADABLE = "This picture cannot be shown. Ask for it as PNG, JPEG, GIF or WebP, below 20 MB."


def read_image(data: str, mime_type: str) -> QImage | None:
    """Return the picture, made smaller if it is huge; None if it is not one we read."""
    format_ = FORMATS.get(mime_type.lower())
    if format_ is None or len(data) > MAX_BASE64_CHARACTERS:
        return None
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    buffer = QBuffer()
    buffer.setData(QByteArray(raw))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(format_))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    if not reader.canRead():
        return None
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MAX_PIXELS:
        return None
    if max(size.width(), size.height()) > SHOWN_SIDE_PX:
        size.scale(SHOWN_SIDE_PX, SHOWN_SIDE_PX, Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(size)
    image = reader.read()
    return None if image.isNull() else image


class ImagePiece(Piece):
    """A picture in a thin frame, at most as wide as the column."""

    def __init__(self, scene: Scene, outline: Outline, part: ImageBlock) -> None:
        super().__init__(scene, outline)
        self._image: QImage | None = None
        self._is_read = False
        self._is_asked = False
        self._part = part

    def estimate(self, width_px: int) -> int:
        """Return the room that is kept while it is read."""
        return self.scene.style.px(WAITING_HEIGHT_PX)

    def measure(self, width_px: int) -> None:
        """Ask for the picture once, and take its size when it is there."""
        if not self._is_asked:
            self._is_asked = True
            data, mime_type = self._part.data, self._part.mime_type
            self.scene.jobs.submit(lambda: read_image(data, mime_type), self._take)
        self.is_measured = True
        if self._image is not None:
            self.size = self._fitted(self._image, width_px)
        elif self._is_read:
            self.size = QSize(width_px, self.scene.style.px(60))
        else:
            self.size = QSize(width_px, self.estimate(width_px))

    def _fitted(self, image: QImage, width_px: int) -> QSize:
        bound = QSize(width_px, self.scene.style.px(MAX_HEIGHT_PX))
        wanted = image.size() * self.scene.style.zoom
        if wanted.width() > bound.width() or wanted.height() > bound.height():
            wanted.scale(bound, Qt.AspectRatioMode.KeepAspectRatio)
        return wanted.expandedTo(QSize(1, 1))

    def _take(self, image: QImage | None) -> None:
        self._image = image
        self._is_read = True
        self.is_measured = False

    def paint(self, painter: QPainter, marks: Sequence[Mark], clip: QRect) -> None:
        """Draw the picture with round corners, or the words that stand for it."""
        style, theme = self.scene.style, self.scene.style.theme
        painter.save()
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            half = theme.border_px / 2
            frame = QRectF(QPointF(0, 0), self.size.toSizeF()).adjusted(half, half, -half, -half)
            path = QPainterPath()
            path.addRoundedRect(frame, style.px(RADIUS_PX), style.px(RADIUS_PX))
            if self._image is None:
                self._paint_words(painter, frame)
            else:
                painter.setClipPath(path)
                painter.drawImage(frame, self._image)
                painter.setClipping(False)
            if marks:
                veil = theme.color("accent")
                veil.setAlpha(110)
                painter.fillPath(path, veil)
            painter.setPen(QPen(theme.color("line"), theme.border_px))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
        finally:
            painter.restore()

    def _paint_words(self, painter: QPainter, frame: QRectF) -> None:
        style = self.scene.style
        painter.setFont(style.body(13))
        painter.setPen(style.theme.color("muted"))
        words = UNREADABLE if self._is_read else "Reading the picture"
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(frame.adjusted(12, 0, -12, 0), flags.value, words)


def draw_image(scene: Scene, part: ImageBlock, place: PartPlace) -> Drawing:
    """Draw a picture."""
    (outline,) = of_part(part)
    return FixedDrawing(ImagePiece(scene, outline, part))
