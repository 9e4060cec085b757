"""The tools of the Canvas as a place: show it, hide it, open something in it, look at it."""

from __future__ import annotations

from companion.gateway.canvas_tool import SURFACE, canvas_tool

TOOLS = (
    canvas_tool(
        "canvas_present",
        "Show the Canvas, the panel beside the conversation, and bring a surface to the front.",
        {"surfaceId": SURFACE},
    ),
    canvas_tool("canvas_hide", "Hide the Canvas; what it holds stays.", {"surfaceId": SURFACE}),
    canvas_tool(
        "canvas_navigate",
        "Empty the Canvas with url 'about:blank', or show a page of local HTML without scripts and network. "
        "It opens no web addresses.",
        {
            "surfaceId": SURFACE,
            "html": {"type": "string", "description": "A page of local HTML."},
            "url": {"type": "string", "description": "'about:blank'."},
            "contentType": {"type": "string", "description": "'text/html' if left out."},
        },
    ),
    canvas_tool(
        "canvas_snapshot",
        "Read what a surface shows now: its components, the values that the person entered, its data.",
        {"surfaceId": SURFACE, "snapshotMode": {"type": "string", "description": "'state'."}},
    ),
)
