"""From the arguments of a tool to the command that leaves for the client, or the reason why not. Pure.

Checks come in a fixed order, before anybody looks at the connection: an agent
can learn about its mistakes without a client.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.domain.a2ui import catalogs, components, frames, strict_json
from companion.domain.a2ui.policy import CanvasPolicy
from companion.domain.a2ui.refusal import A2uiError
from gateway_client.protocol.canvas import Envelope, serialise

MAIN: Final = "main"
PUSH_TYPE: Final = "application/x-a2ui+jsonl;version=0.8"
BLANK: Final = "about:blank"
ARTIFACT: Final = "openclaw-canvas://"

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a command is prepared for.

    Args:
        advertised: Catalogs that the client draws; nothing stands for all.
        locked: The catalog that a surface is bound to, by its id.
    """

    policy: CanvasPolicy = field(default_factory=CanvasPolicy)
    advertised: Sequence[str] = ()
    locked: Callable[[str], str | None] = lambda _surface_id: None


def prepare(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    """Return the command of a tool, without the ids that the broker adds.

    Raises:
        A2uiError: With the first thing that is wrong.
    """
    return _TOOLS[tool](tool, arguments, setting)


def _text(arguments: Arguments, name: str) -> str | None:
    value = arguments.get(name)
    return value if isinstance(value, str) else None


def _needed(arguments: Arguments, name: str) -> str:
    value = _text(arguments, name)
    if not value:
        raise A2uiError("missing_argument", f"{name} is missing; give a text.")
    return value


def _surface(arguments: Arguments) -> str:
    value = _text(arguments, "surfaceId")
    return value if value and value.strip() else MAIN


def _needed_surface(arguments: Arguments) -> str:
    value = _needed(arguments, "surfaceId")
    if not value.strip():
        raise A2uiError("missing_surface_id", "surfaceId is blank; name the surface.")
    return value


def _plain(tool: str, arguments: Arguments, _setting: Setting) -> Envelope:
    return {"type": tool, "surfaceId": _surface(arguments)}


def _snapshot(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    return {
        **_plain(tool, arguments, setting),
        "snapshotMode": _text(arguments, "snapshotMode") or "state",
    }


def _navigate(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    page, url = _text(arguments, "html"), _text(arguments, "url")
    has_page, has_url = bool(page and page.strip()), bool(url and url.strip())
    if not has_page and not has_url:
        raise A2uiError("html_or_url_required", "give html, or the url about:blank.")
    if has_page and not setting.policy.has_local_html:
        raise A2uiError("local_html_disabled", "local HTML is switched off here; use A2UI components.")
    if url and has_url and not (url.lower() == BLANK or url.lower().startswith(ARTIFACT)):
        raise A2uiError(
            "url_not_allowed", "a Canvas is no browser: only about:blank can be opened. Use a browser tool."
        )
    command: Envelope = {
        "type": tool,
        "surfaceId": _surface(arguments),
        "contentType": _text(arguments, "contentType") or "text/html",
    }
    if has_page:
        command["html"] = page
    if has_url:
        command["url"] = url
    return command


def _eval(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    if not setting.policy.has_eval:
        raise A2uiError("eval_disabled", "scripts are switched off here; use A2UI components.")
    script = _needed(arguments, "script")
    size = strict_json.size(script)
    if size > setting.policy.command_bytes:
        raise A2uiError(
            "script_too_large", f"script is {size} bytes; the limit is {setting.policy.command_bytes}."
        )
    return {**_plain(tool, arguments, setting), "script": script}


def _push(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    text, policy = _needed(arguments, "frames"), setting.policy
    frames.parse(text, max_frames=policy.max_frames_per_push, max_bytes=policy.payload_bytes)
    return {**_plain(tool, arguments, setting), "contentType": PUSH_TYPE, "frames": text}


def _components(arguments: Arguments) -> list[str] | None:
    value = arguments.get("components")
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise A2uiError(
            "components_not_string_array",
            "components must be a list of strings, each the JSON text of an object with 'type' and 'id'.",
        )
    return value


def _create(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    surface_id = _needed_surface(arguments)
    metadata = _text(arguments, "metadata")
    components.metadata(metadata)
    texts, model = _components(arguments), _text(arguments, "dataModelJson")
    catalog = catalogs.choose(_text(arguments, "catalogId"), setting.advertised)
    if texts is not None:
        if not texts:
            raise A2uiError("missing_components", "components is an empty list; leave it out or fill it.")
        components.parse(texts, catalog)
    components.data_model(model)
    command: Envelope = {"type": tool, "operation": "createSurface", "surfaceId": surface_id}
    command["catalogId"] = catalog
    optional = {
        "surfaceTitle": _text(arguments, "title"),
        "parametersJson": metadata,
        "components": texts,
        "dataModelJson": model,
    }
    return _bounded({**command, **{name: one for name, one in optional.items() if one is not None}}, setting)


def _update_components(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    surface_id = _needed_surface(arguments)
    texts = _components(arguments)
    if not texts:
        raise A2uiError("missing_argument", "components is missing; give a list of strings.")
    catalog = catalogs.choose(setting.locked(surface_id), setting.advertised)
    components.parse(texts, catalog)
    about: Envelope = {"type": tool, "operation": "updateComponents", "surfaceId": surface_id}
    return _bounded({**about, "catalogId": catalog, "components": texts}, setting)


def _update_data(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    surface_id, model = _needed_surface(arguments), _needed(arguments, "dataModelJson")
    catalog = catalogs.choose(setting.locked(surface_id), setting.advertised)
    components.data_model(model, is_required=True)
    about: Envelope = {"type": tool, "operation": "updateDataModel", "surfaceId": surface_id}
    return _bounded({**about, "catalogId": catalog, "dataModelJson": model}, setting)


def _delete(tool: str, arguments: Arguments, _setting: Setting) -> Envelope:
    return {"type": tool, "operation": "deleteSurface", "surfaceId": _needed_surface(arguments)}


def _sync(tool: str, arguments: Arguments, setting: Setting) -> Envelope:
    command: Envelope = {"type": tool, "operation": "syncUIToData", "surfaceId": _needed_surface(arguments)}
    for name in ("componentId", "syncMode"):
        value = _text(arguments, name)
        if value is not None:
            command[name] = value
    return _bounded(command, setting)


def _bounded(command: Envelope, setting: Setting) -> Envelope:
    size, bound = strict_json.size(serialise(command)), setting.policy.payload_bytes
    if size > bound:
        raise A2uiError("payload_too_large", f"the command is {size} bytes; the limit is {bound}. Send less.")
    return command


_TOOLS: Final[Mapping[str, Callable[[str, Arguments, Setting], Envelope]]] = {
    "canvas_present": _plain,
    "canvas_hide": _plain,
    "canvas_navigate": _navigate,
    "canvas_snapshot": _snapshot,
    "a2ui_push": _push,
    "a2ui_reset": _plain,
    "a2ui_eval": _eval,
    "a2ui_create_surface": _create,
    "a2ui_update_components": _update_components,
    "a2ui_update_data_model": _update_data,
    "a2ui_delete_surface": _delete,
    "a2ui_sync_ui_to_data": _sync,
}
