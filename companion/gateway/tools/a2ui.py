"""The tools that put native components on a surface of the Canvas."""

from __future__ import annotations

from typing import Any

from companion.domain.a2ui.catalogs import AGENUI, OPENCLAW_V08
from companion.gateway.canvas_tool import SURFACE, canvas_tool

_NEEDED_SURFACE = {"type": "string", "description": "Id of the surface."}
_COMPONENTS: dict[str, Any] = {
    "type": "array",
    "items": {"type": "string"},
    "description": (
        "A list of JSON STRINGS, each an object with 'type' and 'id', for example "
        '["{\\"type\\":\\"Text\\",\\"id\\":\\"t\\",\\"text\\":\\"Hello {name}\\"}"].'
    ),
}
_MODEL = {
    "type": "string",
    "description": 'A STRING that holds a JSON object, for example "{\\"name\\":\\"Ada\\"}".',
}

TOOLS = (
    canvas_tool(
        "a2ui_push",
        "Add simple components to the surface 'main', one JSON object a line, for example "
        '{"type":"text","id":"a","text":"Hi"}. Types: text, markdown, card, button, input, select, '
        "checklist, table, image, progress, chart.",
        {"surfaceId": SURFACE, "frames": {"type": "string", "description": "One JSON object a line."}},
        ("frames",),
    ),
    canvas_tool("a2ui_reset", "Remove every surface of this conversation.", {"surfaceId": SURFACE}),
    canvas_tool(
        "a2ui_eval",
        "Run a script in the Canvas of a client that allows it.",
        {"surfaceId": SURFACE, "script": {"type": "string"}},
        ("script",),
    ),
    canvas_tool(
        "a2ui_create_surface",
        "Create a surface with components, or replace one. components is a list of JSON strings and "
        'dataModelJson is a string, for example {"surfaceId":"s","components":'
        '["{\\"type\\":\\"Button\\",\\"id\\":\\"b\\",\\"label\\":\\"OK\\"}"]}. '
        "Texts take {path} from the data; valueBinding names a path for an input.",
        {
            "surfaceId": _NEEDED_SURFACE,
            "catalogId": {"type": "string", "description": f"{AGENUI} or {OPENCLAW_V08}."},
            "title": {"type": "string"},
            "metadata": {"type": "string", "description": "A string that holds a JSON object."},
            "components": _COMPONENTS,
            "dataModelJson": _MODEL,
        },
        ("surfaceId",),
    ),
    canvas_tool(
        "a2ui_update_components",
        "Replace all components of a surface; its data stays. components is a list of JSON strings.",
        {"surfaceId": _NEEDED_SURFACE, "components": _COMPONENTS},
        ("surfaceId", "components"),
    ),
    canvas_tool(
        "a2ui_update_data_model",
        "Replace the whole data of a surface; its components stay. dataModelJson is a string.",
        {"surfaceId": _NEEDED_SURFACE, "dataModelJson": _MODEL},
        ("surfaceId", "dataModelJson"),
    ),
    canvas_tool("a2ui_delete_surface", "Remove a surface.", {"surfaceId": _NEEDED_SURFACE}, ("surfaceId",)),
    canvas_tool(
        "a2ui_sync_ui_to_data",
        "Read what the person entered on a surface, without changing it.",
        {
            "surfaceId": _NEEDED_SURFACE,
            "componentId": {"type": "string", "description": "Only this component."},
            "syncMode": {"type": "string", "description": "'full', 'values' or 'data'."},
        },
        ("surfaceId",),
    ),
)
