"""A model's reasoning: closed, because it is no part of the answer."""

from __future__ import annotations

from companion.domain.outline import of_part
from companion.views.fold_piece import FoldPiece
from companion.views.renderer import Drawing, FixedDrawing, PartPlace, Scene
from gateway_client.protocol.blocks import ThinkingBlock


class ThinkingPiece(FoldPiece):
    """The word "Thinking", and the reasoning as plain text when open."""

    is_code = False


def draw_thinking(scene: Scene, part: ThinkingBlock, place: PartPlace) -> Drawing:
    """Draw reasoning; an empty one is not drawn."""
    pieces = (ThinkingPiece(scene, outline, f"thinking:{place.key}") for outline in of_part(part))
    return FixedDrawing(*pieces)
