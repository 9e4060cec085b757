"""The Canvas of one conversation: applies commands one after another, each whole or not at all. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.domain.a2ui import catalogs, components, frames, html_text, snapshot, strict_json
from companion.domain.a2ui.commands import BLANK, MAIN
from companion.domain.a2ui.refusal import A2uiError
from companion.domain.a2ui.surface import Surface
from gateway_client.protocol.canvas import MAX_ERROR_CHARS, Envelope, reply_for, serialise

MAX_REPLY_BYTES: Final = 1024 * 1024

_SYNC_MODES: Final = (None, "full", "values", "pull", "data", "merge")


class Canvas:
    """The surfaces of one conversation.

    Args:
        shows_html: Whether there is a sandbox for local HTML.
    """

    def __init__(self, *, shows_html: bool = False) -> None:
        self._shows_html = shows_html
        self._surfaces: dict[str, Surface] = {}
        self._active: str | None = None
        self._is_picked = False
        self.is_visible = False
        self.html: str | None = None
        """The local page that is shown, if any."""

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """The surfaces, in the order in which they came."""
        return tuple(self._surfaces.values())

    @property
    def active(self) -> Surface | None:
        """The surface that is shown."""
        return None if self._active is None else self._surfaces[self._active]

    def surface(self, surface_id: str) -> Surface | None:
        """Return a surface; case does not count."""
        return self._surfaces.get(surface_id.casefold())

    def pick(self, surface_id: str) -> None:
        """The person chose a surface: updates of others do not come in front of it."""
        if surface_id.casefold() in self._surfaces:
            self._active, self._is_picked = surface_id.casefold(), True

    def replace(self, surface: Surface) -> None:
        """Put a changed surface in the place of the one with its id."""
        self._surfaces[surface.id.casefold()] = surface

    def mark_earlier(self) -> None:
        """The connection is a new one: every surface comes from an earlier one."""
        for surface in self.surfaces:
            self.replace(replace(surface, is_earlier=True))

    def apply(self, envelope: Mapping[str, Any]) -> Envelope:
        """Apply a command and return the reply; what is refused changes nothing."""
        kind = str(envelope.get("type"))
        handler = _HANDLERS.get(kind)
        try:
            if handler is None:
                raise A2uiError("unsupported_command", f"there is no command {kind[:100]!r}.")
            reply = {**self._head(envelope, kind), "success": True, **handler(self, envelope)}
        except A2uiError as error:
            return self._failure(envelope, kind, error)
        if strict_json.size(serialise(reply)) > MAX_REPLY_BYTES:
            reason = f"the answer is larger than {MAX_REPLY_BYTES} bytes."
            return self._failure(envelope, kind, A2uiError("result_too_large", reason))
        return reply

    @staticmethod
    def _head(envelope: Mapping[str, Any], kind: str) -> Envelope:
        named = {name: envelope.get(name) for name in ("requestId", "sessionId")}
        echoed = {name: value for name, value in named.items() if value is not None}
        return {"type": reply_for(kind), **echoed, "surfaceId": surface_id_of(envelope)}

    def _failure(self, envelope: Mapping[str, Any], kind: str, error: A2uiError) -> Envelope:
        text = str(error)[:MAX_ERROR_CHARS]
        return {
            **self._head(envelope, kind),
            "success": False,
            "error": text,
            "diagnosticCode": error.category,
        }

    def _show(self, surface: Surface, *, is_new: bool) -> None:
        self.replace(surface)
        if is_new:
            self._is_picked = False
        if not self._is_picked:
            self._active = surface.id.casefold()
        self.is_visible, self.html = True, None

    def _clear(self) -> None:
        self._surfaces.clear()
        self._active, self._is_picked, self.html = None, False, None

    def _known(self, envelope: Mapping[str, Any]) -> Surface:
        surface_id = surface_id_of(envelope)
        surface = self.surface(surface_id)
        if surface is None:
            raise A2uiError(
                "unknown_surface",
                f"there is no surface {surface_id[:100]!r}. Create it with a2ui_create_surface.",
            )
        return surface

    def _present(self, envelope: Mapping[str, Any]) -> Envelope:
        surface_id = surface_id_of(envelope)
        if self.surface(surface_id) is not None:
            self._active = surface_id.casefold()
        self.is_visible = True
        return {}

    def _hide(self, _envelope: Mapping[str, Any]) -> Envelope:
        self.is_visible = False
        return {}

    def _navigate(self, envelope: Mapping[str, Any]) -> Envelope:
        page, url = text_of_field(envelope, "html"), text_of_field(envelope, "url")
        if page is not None:
            if not self._shows_html:
                raise A2uiError("html_unsupported", "this client shows no local HTML; use A2UI components.")
            self.html, self.is_visible = page, True
        elif url is not None and url.lower() == BLANK:
            self._clear()
            self.is_visible = True
        else:
            raise A2uiError("url_unsupported", "this client opens about:blank only.")
        return {}

    def _push(self, envelope: Mapping[str, Any]) -> Envelope:
        text = envelope.get("frames")
        found = frames.parse(
            text if isinstance(text, str) else "",
            max_frames=frames.CLIENT_MAX_FRAMES,
            max_bytes=frames.CLIENT_MAX_BYTES,
        )
        before = self.surface(MAIN)
        surface = before
        if surface is None or surface.protocol != "v0_8":
            surface = Surface(MAIN, catalogs.OPENCLAW_V08, MAIN, "v0_8")
        if before is not None and before.protocol != "v0_8":
            surface = surface.with_note("protocol_changed", "the surface began anew in another dialect")
        self._show(surface.with_components([*surface.components, *found]), is_new=True)
        return {}

    def _reset(self, _envelope: Mapping[str, Any]) -> Envelope:
        self._clear()
        return {}

    def _create(self, envelope: Mapping[str, Any]) -> Envelope:
        surface_id = surface_id_of(envelope)
        catalog, title = text_of_field(envelope, "catalogId"), text_of_field(envelope, "surfaceTitle")
        parsed, model = _parsed(envelope, is_needed=False), _model(envelope)
        before = self.surface(surface_id)
        name = surface_id if before is None else before.id
        new = Surface(name, catalog or catalogs.AGENUI, title or name, "v0_9", model=model)
        self._show(new.with_components(parsed), is_new=True)
        return {}

    def _update_components(self, envelope: Mapping[str, Any]) -> Envelope:
        surface, parsed = self._known(envelope), _parsed(envelope, is_needed=True)
        self._show(replace(surface, notes=()).with_components(parsed), is_new=False)
        return {}

    def _update_data(self, envelope: Mapping[str, Any]) -> Envelope:
        surface, model = self._known(envelope), _model(envelope)
        if model is None:
            raise A2uiError("malformed", "dataModelJson is missing.")
        self._show(surface.with_model(model), is_new=False)
        return {}

    def _delete(self, envelope: Mapping[str, Any]) -> Envelope:
        key = surface_id_of(envelope).casefold()
        if self._surfaces.pop(key, None) is not None and self._active == key:
            self._active, self._is_picked = next(iter(self._surfaces), None), False
        self.is_visible = self.is_visible and bool(self._surfaces)
        return {}

    def _sync(self, envelope: Mapping[str, Any]) -> Envelope:
        surface_id, mode = surface_id_of(envelope), text_of_field(envelope, "syncMode")
        component_id, surface = text_of_field(envelope, "componentId"), self.surface(surface_id)
        if surface is not None and mode not in _SYNC_MODES:
            surface = surface.with_note("sync_mode", "the mode of a sync is not known; everything was sent")
            self.replace(surface)
        answer = {"componentId": component_id, "syncMode": mode}
        said: Envelope = {name: value for name, value in answer.items() if value is not None}
        said["valueJson"] = strict_json.dump(snapshot.synced(surface, surface_id, mode, component_id))
        if surface is not None and surface.model is not None:
            said["dataModelJson"] = strict_json.dump(surface.model)
        return said

    def _snapshot(self, envelope: Mapping[str, Any]) -> Envelope:
        surface_id = surface_id_of(envelope)
        text = snapshot.snapshot(
            self.surface(surface_id),
            surface_id,
            is_visible=self.is_visible,
            is_active=self._active == surface_id.casefold(),
            html_text=None if self.html is None else html_text.words(self.html),
        )
        return {"snapshotMode": text_of_field(envelope, "snapshotMode") or "state", "snapshotJson": text}

    def _eval(self, _envelope: Mapping[str, Any]) -> Envelope:
        raise A2uiError("eval_unsupported", "this client runs no scripts; use A2UI components.")


_HANDLERS: Final[Mapping[str, Callable[[Canvas, Mapping[str, Any]], Envelope]]] = {
    "canvas_present": Canvas._present,
    "canvas_hide": Canvas._hide,
    "canvas_navigate": Canvas._navigate,
    "canvas_snapshot": Canvas._snapshot,
    "a2ui_push": Canvas._push,
    "a2ui_reset": Canvas._reset,
    "a2ui_eval": Canvas._eval,
    "a2ui_create_surface": Canvas._create,
    "a2ui_update_components": Canvas._update_components,
    "a2ui_update_data_model": Canvas._update_data,
    "a2ui_delete_surface": Canvas._delete,
    "a2ui_sync_ui_to_data": Canvas._sync,
}


def surface_id_of(envelope: Mapping[str, Any]) -> str:
    """Return the surface that an envelope names; nothing means `main`."""
    return text_of_field(envelope, "surfaceId") or MAIN


def text_of_field(envelope: Mapping[str, Any], name: str) -> str | None:
    """Return a field that holds a text which is not blank, or None."""
    value = envelope.get(name)
    return value if isinstance(value, str) and value.strip() else None


def _parsed(envelope: Mapping[str, Any], *, is_needed: bool) -> list[dict[str, Any]]:
    texts = envelope.get("components")
    if texts is None and not is_needed:
        return []
    if not isinstance(texts, list) or not texts or not all(isinstance(one, str) for one in texts):
        raise A2uiError("malformed", "components must be a list of strings that is not empty.")
    try:
        return components.parse(texts, None)
    except A2uiError as error:
        raise A2uiError("malformed", str(error), frame=error.frame) from None


def _model(envelope: Mapping[str, Any]) -> dict[str, Any] | None:
    text = envelope.get("dataModelJson")
    try:
        return components.data_model(text if isinstance(text, str) else None)
    except A2uiError as error:
        raise A2uiError("malformed", str(error)) from None
