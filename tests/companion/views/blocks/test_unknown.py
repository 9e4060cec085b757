from __future__ import annotations

from companion.views.blocks.unknown import draw_unknown
from gateway_client.protocol.blocks import UnknownBlock, WidgetBlock
from tests.support.transcripts import PLACE, scene


def test_the_words_of_a_part_stand_for_it(qapp):
    (unknown,) = draw_unknown(scene(), UnknownBlock("hologram", "A cat"), PLACE).pieces
    (widget,) = draw_unknown(scene(), WidgetBlock("1", "/x", "Pipeline"), PLACE).pieces
    assert unknown.prose.document.toPlainText() == "A cat"
    assert widget.prose.document.toPlainText() == "[widget: Pipeline]"
