"""The tool `show_widget`: a drawing or a small page, shown in the answer.

It checks the input, hosts the document and hands back the handle by which a
client reads it. Offered only to clients that draw such pages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion import resources
from companion.domain import markup
from companion.gateway.tool import Tool, ToolContext, ToolError, ToolResult
from gateway_client.protocol import handles
from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.caps import INLINE_WIDGETS

MIN_HEIGHT_PX = 48
MAX_HEIGHT_PX = 8000

# Lengths are not in the schema: `markup` refuses them with a sentence that says what to do,
# where a schema error would repeat a quarter of a million characters.
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "Short title, 1 to 120 characters."},
        "widget_code": {
            "type": "string",
            "description": (
                "An <svg> drawing, or a fragment of HTML with inline <style> and <script>; "
                f"up to {markup.MAX_MARKUP_CHARS:,} characters. No document shell, no network."
            ),
        },
        "preferred_height": {
            "type": "integer",
            "minimum": MIN_HEIGHT_PX,
            "maximum": MAX_HEIGHT_PX,
            "description": "Height in pixels before the page has reported its own; leave out if unsure.",
        },
    },
    "required": ["title", "widget_code"],
    "additionalProperties": False,
}

SUMMARY = (
    "Show a widget in the conversation: an SVG drawing or a small interactive HTML page. Use it where a "
    "picture says more than text. Take colours from the CSS variables --text, --muted, --card, --border, "
    "--accent, --ok, --warn, --danger; keep the background transparent; fit any width. "
    "sendPrompt(text), called on a click, offers text to the person's composer."
)


async def run(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    """Host the widget and return its handle.

    Raises:
        ToolError: If the title or the markup is refused.
    """
    try:
        title = markup.check_title(arguments["title"])
        code = markup.check_markup(arguments["widget_code"])
    except markup.MarkupError as error:
        raise ToolError(str(error)) from None
    html = markup.build_document(
        title,
        code,
        shim=resources.read_text("widget/shim.js"),
        style=resources.read_text("widget/style.css"),
    )
    view_id = await context.host.store_document(title=title, html=html)
    return _result(view_id, title, arguments.get("preferred_height"))


def _result(view_id: str, title: str, height_px: int | None) -> ToolResult:
    url = handles.mint(view_id)
    presentation: dict[str, Any] = {"target": "assistant_message", "title": title, "sandbox": "scripts"}
    if height_px is not None:
        presentation["preferredHeight"] = height_px
    details = {
        "kind": "canvas",
        "presentation": presentation,
        "view": {"id": view_id, "url": url},
        "text": f"Widget hosted at {url}",
    }
    block = WidgetBlock(view_id, url, title, preferred_height_px=height_px)
    return ToolResult(json.dumps(details, indent=2, ensure_ascii=False), details, (block,))


TOOL = Tool("show_widget", SUMMARY, PARAMETERS, run, requires=frozenset({INLINE_WIDGETS}))
