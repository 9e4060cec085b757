from __future__ import annotations

from companion.views.blocks.thinking import draw_thinking
from gateway_client.protocol.blocks import ThinkingBlock
from tests.support.transcripts import PLACE, scene


def test_reasoning_is_closed_until_it_is_opened(qapp):
    (piece,) = draw_thinking(scene(), ThinkingBlock("First this.\nThen that."), PLACE).pieces
    assert piece.prose.document.toPlainText() == "Thinking"
    piece.set_open(True)
    assert piece.prose.document.toPlainText() == "Thinking\nFirst this.\nThen that."


def test_empty_reasoning_is_not_drawn(qapp):
    assert list(draw_thinking(scene(), ThinkingBlock("  "), PLACE).pieces) == []
