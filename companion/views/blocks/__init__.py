"""One renderer per kind of part, and the table that finds it.

Parts that an embed factory handles never come here; without one, their words do.
"""

from __future__ import annotations

from companion.domain.transcript import Notice, Part, ToolActivity
from companion.views.blocks.image import draw_image
from companion.views.blocks.markdown import draw_markdown
from companion.views.blocks.notice import draw_notice, status_of
from companion.views.blocks.thinking import draw_thinking
from companion.views.blocks.tool import draw_tool
from companion.views.blocks.unknown import draw_unknown
from companion.views.renderer import Drawing, PartPlace, Renderer, Scene
from gateway_client.protocol.blocks import ImageBlock, TextBlock, ThinkingBlock, UnknownBlock, WidgetBlock

RENDERERS: dict[type, Renderer] = {
    TextBlock: draw_markdown,
    ThinkingBlock: draw_thinking,
    ToolActivity: draw_tool,
    ImageBlock: draw_image,
    WidgetBlock: draw_unknown,
    UnknownBlock: draw_unknown,
    Notice: draw_notice,
}


def draw_part(scene: Scene, part: Part, place: PartPlace) -> Drawing:
    """Return the drawing of *part*; of a kind without a renderer, its words."""
    return RENDERERS.get(type(part), draw_unknown)(scene, part, place)


__all__ = ["RENDERERS", "draw_part", "status_of"]
