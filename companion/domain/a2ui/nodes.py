"""What a surface looks like, as a tree that a renderer draws. Plain data. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """An entry that can be chosen; its value keeps its JSON type."""

    label: str
    value: Any
    is_selected: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """Points of a chart: a label and a number each."""

    name: str
    points: tuple[tuple[str, int | float], ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that is not shown as it was meant, and why."""

    code: str
    text: str
    component_id: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """One thing that is drawn. Fields that its kind does not know keep their defaults.

    Args:
        id: Of the component; empty for an entry of a list that is none.
        type: The canonical type, `TextField`.
        kind: How it is drawn, `text_field`.
        value: What an input holds now; None if nothing.
        has_value: Whether that was said by anybody, so that it belongs to snapshots.
        binding: The path that an edit writes.
        address: Of media that is not loaded, or of a picture inside the document.
        row_count: All rows of a table; `rows` holds the first ones.
    """

    id: str
    type: str
    kind: str
    title: str = ""
    text: str = ""
    label: str = ""
    value: Any = None
    has_value: bool = False
    is_visible: bool = True
    is_enabled: bool = True
    children: tuple[Node, ...] = ()
    binding: str | None = None
    placeholder: str = ""
    options: tuple[Option, ...] = ()
    is_multiple: bool = False
    is_multiline: bool = False
    max_length: int | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    row_count: int = 0
    series: tuple[Series, ...] = ()
    tabs: tuple[str, ...] = ()
    min: int | float | None = None
    max: int | float | None = None
    step: int | float | None = None
    mode: str = ""
    is_ordered: bool = False
    address: str = ""


INPUT_KINDS = frozenset(("text_field", "check", "check_group", "choice", "slider", "datetime"))
"""Kinds that hold a value which a person edits."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A surface as it is drawn: the tree, and what is not shown as it was meant."""

    nodes: tuple[Node, ...]
    diagnostics: tuple[Diagnostic, ...]

    def path_to(self, component_id: str) -> tuple[Node, ...]:
        """Return the nodes from the top to the first one of this id; empty if there is none."""
        waiting: list[tuple[Node, ...]] = [(node,) for node in reversed(self.nodes)]
        while waiting:
            path = waiting.pop()
            if path[-1].id == component_id:
                return path
            waiting += [(*path, child) for child in reversed(path[-1].children)]
        return ()

    def all(self) -> list[Node]:
        """Return every node, in tree order."""
        found: list[Node] = []
        waiting = list(reversed(self.nodes))
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += reversed(node.children)
        return found
