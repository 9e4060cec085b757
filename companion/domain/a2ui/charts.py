"""The data of a chart, in each of the forms that agents write. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from companion.domain.a2ui.bindings import number_of, text_of
from companion.domain.a2ui.nodes import Series

MAX_SERIES: Final = 8
MAX_POINTS: Final = 500

Point = tuple[str, int | float]


def series(data: object) -> list[Series] | None:
    """Return the series of chart data, uncut; None if it cannot be read.

    Forms: a list of `{label or x, value or y}`; a list of numbers; an object of
    numbers; `{xAxis, series: [{name, data}]}`.
    """
    if isinstance(data, list):
        points = _points(data, [])
        return None if points is None else [Series("", points)]
    if not isinstance(data, dict):
        return None
    many = data.get("series")
    if isinstance(many, list):
        axis = data.get("xAxis")
        return _several(many, axis if isinstance(axis, list) else [])
    named = [(str(name), number_of(value)) for name, value in data.items()]
    points = _complete(named)
    return None if points is None or not points else [Series("", points)]


def _several(many: list[Any], axis: list[Any]) -> list[Series] | None:
    found: list[Series] = []
    for one in many:
        entries = one.get("data") if isinstance(one, dict) else None
        points = _points(entries, axis) if isinstance(entries, list) else None
        if points is None:
            return None
        found.append(Series(text_of(one.get("name")), points))
    return found


def _points(entries: list[Any], axis: list[Any]) -> tuple[Point, ...] | None:
    return _complete(_point(entry, place, axis) for place, entry in enumerate(entries))


def _point(entry: object, place: int, axis: list[Any]) -> tuple[str, int | float | None]:
    fallback = text_of(axis[place]) if place < len(axis) else str(place + 1)
    if not isinstance(entry, dict):
        return fallback, number_of(entry)
    label = _first(entry, "label", "x")
    number = number_of(_first(entry, "value", "y"))
    return (fallback if label is None else text_of(label)), number


def _first(entry: dict[str, Any], *names: str) -> Any:
    return next((entry[name] for name in names if entry.get(name) is not None), None)


def _complete(points: Iterable[tuple[str, int | float | None]]) -> tuple[Point, ...] | None:
    found: list[Point] = []
    for label, number in points:
        if number is None:
            return None
        found.append((label, number))
    return tuple(found)
