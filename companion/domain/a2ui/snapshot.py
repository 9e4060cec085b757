"""What a surface tells an agent about itself: snapshots, and its values. Pure."""

from __future__ import annotations

from typing import Any, Final

from companion.domain.a2ui import strict_json
from companion.domain.a2ui.nodes import Node
from companion.domain.a2ui.surface import Surface

MAX_FRAMES: Final = 100
MAX_TEXT_CHARS: Final = 1024
MAX_BYTES: Final = 131_072

_DROPPED_IN_ORDER: Final = (("components",), ("dataModel", "dataModelJson"), ("values",), ("frames",))
_EMPTY: Final[dict[str, Any]] = {"components": [], "values": {}, "frames": []}


def snapshot(
    surface: Surface | None,
    surface_id: str,
    *,
    is_visible: bool,
    is_active: bool,
    html_text: str | None = None,
) -> str:
    """Return the JSON of a snapshot, at most `MAX_BYTES` long; without a surface an empty one."""
    taken: dict[str, Any] = {
        "type": "canvas_snapshot",
        "surfaceId": surface_id,
        "catalogId": None,
        "title": None,
        "protocolVersion": None,
        "visible": is_visible,
        "active": is_active,
        "frameCount": 0,
        "returnedFrameCount": 0,
        "truncated": False,
        "components": [],
        "frames": [],
        "values": {},
        "dataModel": None,
        "dataModelJson": None,
        "diagnostics": ["there is no such surface"],
        "diagnosticCodes": ["unknown_surface"],
        "localHtmlText": None if html_text is None else _short(html_text),
    }
    if surface is not None:
        taken |= _content(surface)
    return _bounded(taken)


def _content(surface: Surface) -> dict[str, Any]:
    nodes: dict[str, Node] = {}
    for node in surface.picture.all():
        nodes.setdefault(node.id, node)
    shown = surface.components[:MAX_FRAMES]
    frames = [_frame(str(one.get("id")), one.get("type"), nodes.get(str(one.get("id")))) for one in shown]
    found = surface.diagnostics
    is_cut = any(len(nodes[str(one["id"])].text) > MAX_TEXT_CHARS for one in frames if one["id"] in nodes)
    return {
        "surfaceId": surface.id,
        "catalogId": surface.catalog_id,
        "title": surface.title,
        "protocolVersion": surface.protocol,
        "frameCount": len(surface.components),
        "returnedFrameCount": len(frames),
        "truncated": len(frames) < len(surface.components) or is_cut,
        "components": [dict(one) for one in surface.components],
        "frames": frames,
        "values": values(surface),
        "dataModel": surface.model,
        "dataModelJson": None if surface.model is None else strict_json.dump(surface.model),
        "diagnostics": [one.text for one in found],
        "diagnosticCodes": sorted({one.code for one in found}),
    }


def _frame(component_id: str, kind: object, node: Node | None) -> dict[str, Any]:
    if node is None:
        return {"id": component_id, "type": kind, "visible": False, "enabled": False}
    value = _short(node.value) if isinstance(node.value, str) else node.value
    return {
        "id": component_id,
        "type": node.type,
        "title": _short(node.title),
        "label": _short(node.label),
        "text": _short(node.text),
        "value": value,
        "visible": node.is_visible,
        "enabled": node.is_enabled,
    }


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT_CHARS else text[:MAX_TEXT_CHARS] + "..."


def _bounded(taken: dict[str, Any]) -> str:
    text = strict_json.dump(taken)
    for names in _DROPPED_IN_ORDER:
        if strict_json.size(text) <= MAX_BYTES:
            return text
        for name in names:
            taken[name] = _EMPTY.get(name)
        if "frames" in names:
            taken["returnedFrameCount"] = 0
        taken["truncated"] = True
        taken["diagnostics"] = [
            *taken["diagnostics"][:100],
            f"{names[0]} were left out: the snapshot was too large",
        ]
        taken["diagnosticCodes"] = sorted({*taken["diagnosticCodes"], "snapshot_cut"})
        text = strict_json.dump(taken)
    return text


def values(surface: Surface | None, component_id: str | None = None) -> dict[str, Any]:
    """Return the value of every input, by component id, or of one."""
    found = [] if surface is None else surface.inputs()
    return {node.id: node.value for node in found if component_id in (None, node.id)}


def synced(surface: Surface | None, surface_id: str, mode: str | None, component_id: str | None) -> Any:
    """Return what a sync answers: everything, the values, or the data with the unbound values in it.

    Args:
        mode: `full`, `values` or `pull`, `data` or `merge`; anything else is `full`.
        component_id: Restricts the values to one.
    """
    held = values(surface, component_id)
    model = None if surface is None else surface.model
    if mode in ("values", "pull"):
        return held
    if mode in ("data", "merge"):
        bound = {
            node.id for node in ([] if surface is None else surface.inputs()) if node.binding is not None
        }
        free = {name: value for name, value in held.items() if name not in bound}
        return {**free, **(model or {})}
    return {"surfaceId": surface_id if surface is None else surface.id, "dataModel": model, "values": held}
