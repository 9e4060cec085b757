"""The card of a tool call: one quiet line, with arguments and result inside."""

from __future__ import annotations

from companion.domain.outline import of_part
from companion.domain.transcript import ToolActivity
from companion.views.fold_piece import FoldPiece
from companion.views.markdown_document import ProseWriter, char_format
from companion.views.renderer import Drawing, FixedDrawing, PartPlace, Scene
from companion.views.theme import SMALL_PX


class ToolPiece(FoldPiece):
    """A tool call; a failed one says so in colour and in its word."""

    labels = frozenset({"Arguments", "No arguments", "Result", "No result yet"})

    def __init__(self, scene: Scene, tool: ToolActivity, place: PartPlace) -> None:
        (outline,) = of_part(tool)
        super().__init__(scene, outline, f"tool:{tool.call_id or place.key}")
        self._tool = tool

    def write_title(self, writer: ProseWriter) -> None:
        """Write the title; the state of a failed call stands out."""
        if self._tool.state != "failed":
            super().write_title(writer)
            return
        style = self.scene.style
        writer.line(self.outline.plain, char_format(style, "danger", style.body(SMALL_PX)), line_px=20)


def draw_tool(scene: Scene, part: ToolActivity, place: PartPlace) -> Drawing:
    """Draw a tool call."""
    return FixedDrawing(ToolPiece(scene, part, place))
