"""Reads one component against a data model and the values that were edited. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.domain.a2ui.bindings import MISSING, interpolate, is_true, read, text_of
from companion.domain.a2ui.nodes import Node, Option

MAX_TEXT_CHARS: Final = 65_536
MAX_OPTIONS: Final = 500

_CAN_BE_DISABLED: Final = frozenset(
    ("Button", "TextField", "ChoicePicker", "CheckBox", "DateTimeInput", "Slider")
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One component, as it stands now.

    Args:
        name: The type as it was written, in lower case: aliases differ from types.
        note: Takes the code and the text of a diagnostic.
    """

    component: Mapping[str, Any]
    type: str
    model: Any
    values: Mapping[str, Any]
    note: Callable[[str, str], None]

    @property
    def id(self) -> str:
        """The id, or nothing."""
        given = self.component.get("id")
        return given if isinstance(given, str) else ""

    @property
    def name(self) -> str:
        """The type as it was written, in lower case."""
        return str(self.component.get("type")).lower()

    def literal(self, *names: str) -> Any:
        """Return the first property that is there and not null."""
        found = (self.component.get(name) for name in names)
        return next((value for value in found if value is not None), None)

    def bound(self, name: str) -> Any:
        """Return what binding *name* leads to, or `MISSING`."""
        return read(self.model, self.component.get(name))

    def shown(self, value: object) -> str:
        """Return a literal as text, with `{path}` filled in, not longer than is shown."""
        if isinstance(value, str):
            value = interpolate(value, self.model)
        return self.cut(text_of(value))

    def cut(self, text: str) -> str:
        """Return *text*, not longer than is shown."""
        if len(text) <= MAX_TEXT_CHARS:
            return text
        self.note("text_cut", f"the text has {len(text)} characters; {MAX_TEXT_CHARS} are shown")
        return text[:MAX_TEXT_CHARS]

    def text(self, *names: str, default: str = "") -> str:
        """Return the text of the component: what is bound, else the first of *names*."""
        found = self.bound("textBinding")
        if found is not MISSING:
            return self.cut(text_of(found))
        value = self.literal(*names)
        return default if value is None else self.shown(value)

    def heading(self) -> str:
        """Return what stands above the component."""
        for name in ("titleBinding", "labelBinding"):
            found = self.bound(name)
            if found is not MISSING:
                return self.cut(text_of(found))
        title, label = self.component.get("title"), self.component.get("label")
        return self.shown(title if title not in (None, "") else label)

    def items(self, *names: str) -> list[Any]:
        """Return the entries: what is bound wins, also if it is no list (then there are none)."""
        found = self.bound("itemsBinding")
        value = self.literal(*names) if found is MISSING else found
        return value if isinstance(value, list) else []

    def options(self) -> tuple[Option, ...]:
        """Return what can be chosen, not more than is shown."""
        entries = self.items("options")
        if len(entries) > MAX_OPTIONS:
            self.note("too_many_options", f"there are {len(entries)} options; {MAX_OPTIONS} are shown")
        return tuple(_option(entry) for entry in entries[:MAX_OPTIONS])

    def value(self, *names: str) -> Any:
        """Return the value of an input, or `MISSING`: the model, then what was edited, then the literal."""
        found = self.bound("valueBinding")
        if found is not MISSING:
            return found
        if self.id and self.id in self.values:
            return self.values[self.id]
        literal = self.literal(*names)
        return MISSING if literal is None else literal

    def node(self, kind: str, **fields: Any) -> Node:
        """Return the node of this component with what all kinds have in common."""
        shown = self.bound("visibleBinding")
        is_hidden = shown is not MISSING and shown is not None and not is_true(shown)
        is_off = is_true(self.bound("disabledBinding")) or self.component.get("disabled") is True
        path = self.component.get("valueBinding")
        common: dict[str, Any] = {
            "title": "" if self.type == "Button" else self.heading(),
            "label": text_of(self.component.get("label")),
            "is_visible": not is_hidden and self.component.get("visible") is not False,
            "is_enabled": not (is_off and self.type in _CAN_BE_DISABLED),
            "binding": path if isinstance(path, str) and path else None,
        }
        return Node(self.id, self.type, kind, **{**common, **fields})


def _option(entry: object) -> Option:
    if not isinstance(entry, Mapping):
        return Option(text_of(entry), entry)
    label = _first(entry, "label", "text", "value")
    value = _first(entry, "value", "label", "text")
    return Option(text_of(label), value, entry.get("selected") is True)


def _first(entry: Mapping[str, Any], *names: str) -> Any:
    return next((entry[name] for name in names if entry.get(name) is not None), "option")
