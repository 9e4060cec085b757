"""The tools of this program, written out by hand. Plugins add theirs by `companion.gateway.plugins`."""

from __future__ import annotations

from companion.gateway.tool import Tool
from companion.gateway.tools import a2ui, canvas, show_widget

TOOLS: tuple[Tool, ...] = (show_widget.TOOL, *canvas.TOOLS, *a2ui.TOOLS)
