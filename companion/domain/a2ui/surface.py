"""One surface: its components, data model and edited values. A change makes a new one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from companion.domain.a2ui import bindings
from companion.domain.a2ui.drawing import draw
from companion.domain.a2ui.nodes import INPUT_KINDS, Diagnostic, Node, Picture
from companion.domain.a2ui.strict_json import same

Protocol: TypeAlias = Literal["v0_8", "v0_9"]
MAX_NOTES: Final = 50

Component = Mapping[str, Any]


@dataclass(frozen=True)
class Surface:
    """A surface as it stands.

    Args:
        id: As it was spelled first; ids are compared without case.
        model: None if there is none.
        values: What was edited, by the component's id.
        notes: Diagnostics beside those of the picture.
        is_earlier: Whether it comes from an earlier connection and was not touched since.
    """

    id: str
    catalog_id: str
    title: str
    protocol: Protocol
    components: tuple[Component, ...] = ()
    model: dict[str, Any] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Diagnostic, ...] = ()
    is_earlier: bool = False

    @cached_property
    def picture(self) -> Picture:
        """The tree that is drawn."""
        return draw(self.components, self.model, self.values)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that is not as it was meant."""
        return (*self.notes, *self.picture.diagnostics)

    def inputs(self) -> list[Node]:
        """Return every input that has a value, the first one of each id."""
        found: dict[str, Node] = {}
        for node in self.picture.all():
            if node.kind in INPUT_KINDS and node.has_value and node.id:
                found.setdefault(node.id, node)
        return list(found.values())

    def with_components(self, components: Sequence[Component]) -> Surface:
        """Return the surface with another list of components; edits of those that stay are kept."""
        unique = tuple({str(one.get("id")): one for one in components}.values())
        values = _surviving(self.values, self.components, unique)
        return replace(self, components=unique, values=values, is_earlier=False)

    def with_model(self, model: dict[str, Any]) -> Surface:
        """Return the surface with another data model."""
        return replace(self, model=model, is_earlier=False)

    def with_note(self, code: str, text: str, component_id: str = "") -> Surface:
        """Return the surface with one more diagnostic."""
        note = Diagnostic(code, text, component_id)
        kept = tuple(one for one in self.notes if one != note)
        return replace(self, notes=(*kept, note)[-MAX_NOTES:])

    def edited(self, node: Node, value: Any) -> Surface:
        """Return the surface after a person gave an input a value."""
        changed = replace(self, values={**self.values, node.id: value})
        if node.binding is None:
            return changed
        model = bindings.write(self.model, node.binding, value)
        if model is None:
            text = f"there is no place {node.binding[:100]!r} in the data"
            return changed.with_note("write_ignored", text, node.id)
        return replace(changed, model=model)


def _surviving(
    values: Mapping[str, Any], before: Iterable[Component], after: Iterable[Component]
) -> dict[str, Any]:
    if not values:
        return {}
    old, new = _by_id(before), _by_id(after)
    return {
        name: value for name, value in values.items() if name in new and _says_same(old.get(name), new[name])
    }


def _says_same(old: Component | None, new: Component) -> bool:
    if old is None or old.get("type") != new.get("type"):
        return False
    is_same = all(same(old.get(name), new.get(name)) for name in ("value", "checked"))
    return is_same and _selected(old) == _selected(new)


def _selected(component: Component) -> list[str]:
    options = component.get("options")
    entries = options if isinstance(options, list) else []
    chosen = [one for one in entries if isinstance(one, Mapping) and one.get("selected") is True]
    return [repr(one.get("value", one.get("label"))) for one in chosen]


def _by_id(components: Iterable[Component]) -> dict[str, Component]:
    """Return components and everything inside them, by id."""
    found: dict[str, Component] = {}
    waiting: list[Any] = list(components)
    while waiting:
        one = waiting.pop(0)
        if not isinstance(one, Mapping):
            continue
        if isinstance(one.get("id"), str):
            found.setdefault(one["id"], one)
        for name in ("components", "children", "items", "slides", "tabs"):
            inner = one.get(name)
            waiting += inner if isinstance(inner, list) else []
    return found
