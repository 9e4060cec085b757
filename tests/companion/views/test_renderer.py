from __future__ import annotations

from companion.views.renderer import FixedDrawing, Piece, Style, estimate_text
from companion.views.theme import LIGHT
from gateway_client.protocol.blocks import TextBlock
from tests.support.transcripts import outline, scene


class CountingPiece(Piece):
    def __init__(self):
        super().__init__(scene(), outline("x"))
        self.measured = []

    def measure(self, width_px):
        self.measured.append(width_px)
        self.is_measured = True


def test_lengths_grow_with_the_zoom_and_never_vanish(qapp):
    assert Style(LIGHT, 2.0).px(21) == 42
    assert Style(LIGHT, 0.7).px(1) == 1
    assert Style(LIGHT, 0.7).px(0) == 0
    assert Style(LIGHT, 2.0).body().pixelSize() == 28


def test_a_piece_is_measured_once_for_each_width():
    piece = CountingPiece()
    for width_px in (100, 100, 200, 200):
        piece.measure_for(width_px)
    assert piece.measured == [100, 200]


def test_a_longer_text_is_estimated_higher():
    style = Style(LIGHT)
    assert estimate_text("a" * 2000, 400, style) > estimate_text("a" * 100, 400, style)
    assert estimate_text("a\nb\nc", 400, style) == 3 * style.px(21)
    assert estimate_text("a" * 500, 800, style) < estimate_text("a" * 500, 200, style)


def test_a_fixed_drawing_is_replaced_by_a_new_part():
    assert not FixedDrawing(CountingPiece()).update(TextBlock("new"))
