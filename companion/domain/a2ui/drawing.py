"""From the components of a surface to the tree that is drawn. Pure.

Whatever an agent writes gives a tree of bounded size: references into
themselves, depths and numbers beyond the bounds become placeholders with a
diagnostic, never an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from companion.domain.a2ui import catalogs
from companion.domain.a2ui.bindings import text_of
from companion.domain.a2ui.leaves import LEAVES
from companion.domain.a2ui.nodes import Diagnostic, Node, Picture
from companion.domain.a2ui.reading import Reading

MAX_NODES: Final = 1000
MAX_DEPTH: Final = 32
MAX_DIAGNOSTICS: Final = 200

CHILDREN: Final = ("components", "children", "items")
_BOXES: Final[Mapping[str, str]] = {"Row": "row", "Column": "column", "Card": "card", "Modal": "modal"}

Component = Mapping[str, Any]


def draw(components: Sequence[Component], model: Any, values: Mapping[str, Any]) -> Picture:
    """Return the picture of a surface.

    Args:
        model: The data model; None if there is none.
        values: What was edited, by the component's id.
    """
    return _Drawing(components, model, values).picture()


def children_of(component: Component) -> list[Any]:
    """Return the children as they are written: components, or ids of others."""
    return _first_list(component, *CHILDREN)


def tabs_of(component: Component) -> list[Component]:
    """Return the pages of tabs as they are written."""
    return [page for page in _first_list(component, "tabs", "items") if isinstance(page, Mapping)]


def referenced(components: Iterable[Component]) -> set[str]:
    """Return the ids that stand as children of other components."""
    found: set[str] = set()
    waiting: list[Any] = list(components)
    while waiting:
        one = waiting.pop()
        if not isinstance(one, Mapping):
            continue
        kind = catalogs.resolve(str(one.get("type")))
        inner: list[Any] = []
        if kind in _BOXES:
            inner = children_of(one)
        elif kind == "Tabs":
            inner = [child for page in tabs_of(one) for child in children_of(page)]
        elif kind in ("List", "Carousel"):
            inner = _first_list(one, *CHILDREN[:2])
            waiting += _first_list(one, "items", "slides")
        found.update(child for child in inner if isinstance(child, str))
        waiting += inner
    return found


def _first_list(component: Component, *names: str) -> list[Any]:
    found = (component.get(name) for name in names)
    return next((list(one) for one in found if isinstance(one, list)), [])


class _Drawing:
    """One pass over a surface."""

    def __init__(self, components: Sequence[Component], model: Any, values: Mapping[str, Any]) -> None:
        self._components = components
        self._by_id = {str(one.get("id")): one for one in components}
        self._model = model
        self._values = values
        self._count = 0
        self._diagnostics: dict[tuple[str, str, str], Diagnostic] = {}

    def picture(self) -> Picture:
        nodes = (self._draw(component, 1, ()) for component in self._tops())
        return Picture(tuple(node for node in nodes if node is not None), tuple(self._diagnostics.values()))

    def _tops(self) -> Iterable[Component]:
        children = {str(one.get("id")): referenced([one]) for one in self._components}
        inner = set().union(*children.values())
        reached: set[str] = set()
        # A ring of references has no top: it is shown from its first component.
        ordered = sorted(self._components, key=lambda one: one.get("id") in inner)
        for component in ordered:
            if str(component.get("id")) not in reached:
                _reach(str(component.get("id")), children, reached)
                yield component

    def _note(self, code: str, text: str, component_id: str = "") -> None:
        if len(self._diagnostics) < MAX_DIAGNOSTICS:
            self._diagnostics.setdefault((code, text, component_id), Diagnostic(code, text, component_id))

    def _has_room(self) -> bool:
        if self._count >= MAX_NODES:
            self._note("too_many_components", f"only the first {MAX_NODES} components are shown")
            return False
        self._count += 1
        return True

    def _draw(self, component: Component, depth: int, above: tuple[str, ...]) -> Node | None:
        if not self._has_room():
            return None
        given = component.get("id")
        component_id = given if isinstance(given, str) else ""
        if depth > MAX_DEPTH:
            self._note("too_deep", f"components deeper than {MAX_DEPTH} levels are not shown", component_id)
            return Node(component_id, "", "placeholder")
        name = component.get("type")
        kind = catalogs.resolve(name) if isinstance(name, str) else None
        if kind is None:
            shown = name[:100] if isinstance(name, str) else "?"
            self._note("unsupported_component", f"there is no component {shown!r}", component_id)
            return Node(component_id, shown, "unsupported", text=shown)

        def note(code: str, text: str) -> None:
            self._note(code, text, component_id)

        reading = Reading(component, kind, self._model, self._values, note)
        leaf = LEAVES.get(kind)
        if leaf is not None:
            return leaf(reading)
        return self._container(reading, depth, (*above, component_id))

    def _container(self, reading: Reading, depth: int, above: tuple[str, ...]) -> Node:
        component = reading.component
        if reading.type in _BOXES:
            children = self._children(children_of(component), depth, above)
            has_body = reading.type in ("Card", "Modal")
            text = reading.text("body", "text") if has_body else ""
            return reading.node(_BOXES[reading.type], text=text, children=children)
        if reading.type == "Tabs":
            return self._tabs(reading, depth, above)
        names = ("items", "slides") if reading.type == "Carousel" else ("items",)
        entries = reading.items(*names)
        children = self._listed(entries, depth, above)
        if not entries:
            children = self._children(_first_list(component, *CHILDREN[:2]), depth, above)
        kind = "carousel" if reading.type == "Carousel" else "list"
        return reading.node(kind, children=children, is_ordered=component.get("ordered") is True)

    def _tabs(self, reading: Reading, depth: int, above: tuple[str, ...]) -> Node:
        titles: list[str] = []
        pages: list[Node] = []
        for place, page in enumerate(tabs_of(reading.component)):
            if not self._has_room():
                break
            title = next((page[name] for name in ("title", "label") if page.get(name) is not None), None)
            titles.append(f"Tab {place + 1}" if title is None else reading.shown(title))
            children = self._children(children_of(page), depth, above)
            pages.append(Node(f"{reading.id}#{place}", "Column", "column", children=children))
        return reading.node("tabs", tabs=tuple(titles), children=tuple(pages))

    def _children(self, children: Iterable[Any], depth: int, above: tuple[str, ...]) -> tuple[Node, ...]:
        found: list[Node] = []
        for child in children:
            if self._count >= MAX_NODES:
                self._has_room()
                break
            node = self._child(child, depth + 1, above)
            if node is not None:
                found.append(node)
        return tuple(found)

    def _child(self, child: object, depth: int, above: tuple[str, ...]) -> Node | None:
        if isinstance(child, Mapping):
            return self._draw(child, depth, above)
        if not isinstance(child, str):
            return None
        target = self._by_id.get(child)
        if target is not None and child not in above:
            return self._draw(target, depth, above)
        if target is None:
            self._note("missing_child", f"there is no component {child[:100]!r}", child)
        else:
            self._note("cycle", f"component {child[:100]!r} contains itself", child)
        return Node(child, "", "placeholder") if self._has_room() else None

    def _listed(self, entries: Iterable[Any], depth: int, above: tuple[str, ...]) -> tuple[Node, ...]:
        found: list[Node] = []
        for entry in entries:
            if isinstance(entry, Mapping) and isinstance(entry.get("type"), str):
                node = self._draw(entry, depth + 1, above)
            else:
                node = Node("", "Text", "label", text=_entry_text(entry)) if self._has_room() else None
            if node is None:
                break
            found.append(node)
        return tuple(found)


def _reach(start: str, children: Mapping[str, set[str]], reached: set[str]) -> None:
    waiting = [start]
    while waiting:
        one = waiting.pop()
        if one not in reached:
            reached.add(one)
            waiting += children.get(one, ())


def _entry_text(entry: object) -> str:
    if isinstance(entry, Mapping):
        named = (entry.get(name) for name in ("text", "label", "title", "name"))
        entry = next((one for one in named if one is not None), dict(entry))
    return text_of(entry)
