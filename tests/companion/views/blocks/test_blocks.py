from __future__ import annotations

from typing import get_args

from companion.domain.transcript import Notice, Part, ToolActivity
from companion.views.blocks import RENDERERS, draw_part
from gateway_client.protocol.blocks import TextBlock, WidgetBlock
from tests.support.transcripts import PLACE, scene


def test_every_kind_of_part_has_a_renderer():
    assert set(RENDERERS) == set(get_args(Part))


def test_each_part_is_drawn_with_its_own_words(qapp):
    for part, words in (
        (TextBlock("**Hello**"), "Hello"),
        (ToolActivity("1", "browse", "running"), "browse · running"),
        (Notice("Done.", "info"), "Note: Done."),
        (WidgetBlock("1", "/x", "Cat"), "[widget: Cat]"),
    ):
        (piece,) = draw_part(scene(), part, PLACE).pieces
        assert piece.prose.document.toPlainText() == words
