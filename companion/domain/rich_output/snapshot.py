"""The snapshot: what was read of CSV files during a call, and all that is ever drawn of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.domain.rich_output.model import Chart, ChartData, Presentation, Series
from companion.domain.rich_output.numbers import is_finite, is_number, tidy
from companion.domain.rich_output.payload import compact_bytes
from companion.domain.rich_output.problem import Problem, Refused
from companion.domain.rich_output.texts import forbidden

MAX_SNAPSHOT_BYTES = 65_536
_MAX_POINTS = 100
_MAX_SERIES = 4
_MAX_CHARS = 120


class SnapshotDamaged(ValueError):
    """Stored data is not a snapshot, or not the one of its presentation."""


def to_snapshot(charts: Mapping[int, ChartData]) -> dict[str, Any] | None:
    """Return the snapshot of the CSV charts by block index, or None if there are none.

    Raises:
        Refused: If it is too large.
    """
    if not charts:
        return None
    resolved = [
        {
            "block_index": index,
            "labels": list(data.labels),
            "series": [{"label": series.label, "values": list(series.values)} for series in data.series],
        }
        for index, data in sorted(charts.items())
    ]
    snapshot = {"version": 1, "resolved_charts": resolved}
    size = compact_bytes(snapshot)
    if size > MAX_SNAPSHOT_BYTES:
        message = f"the data has {size} bytes; {MAX_SNAPSHOT_BYTES} are allowed."
        raise Refused(Problem("snapshot_too_large", "", message, "Use fewer rows or shorter labels."))
    return snapshot


def read_snapshot(value: Any) -> dict[int, ChartData]:
    """Return the data by block index.

    Raises:
        SnapshotDamaged: If it is no snapshot of version 1.
    """
    _need(_is_closed(value, "version", "resolved_charts"))
    _need(is_number(value["version"]) and value["version"] == 1)
    entries = value["resolved_charts"]
    _need(isinstance(entries, list) and 1 <= len(entries) <= 4)
    charts: dict[int, ChartData] = {}
    for entry in entries:
        _need(_is_closed(entry, "block_index", "labels", "series"))
        index = entry["block_index"]
        _need(type(index) is int and 0 <= index <= 3 and index not in charts)
        charts[index] = _data(entry)
    try:
        _need(compact_bytes(value) <= MAX_SNAPSHOT_BYTES)
    except (ValueError, TypeError, RecursionError):
        raise SnapshotDamaged from None
    return charts


def _data(entry: Mapping[str, Any]) -> ChartData:
    labels, entries = entry["labels"], entry["series"]
    _need(isinstance(labels, list) and 1 <= len(labels) <= _MAX_POINTS)
    _need(all(_is_text(label) for label in labels))
    _need(isinstance(entries, list) and 1 <= len(entries) <= _MAX_SERIES)
    return ChartData(tuple(labels), tuple(_series(series, len(labels)) for series in entries))


def _series(entry: Any, count: int) -> Series:
    _need(_is_closed(entry, "label", "values") and _is_text(entry["label"]))
    values = entry["values"]
    _need(isinstance(values, list) and len(values) == count)
    _need(all(value is None or (is_number(value) and is_finite(value)) for value in values))
    return Series(entry["label"], tuple(None if value is None else tidy(value) for value in values))


def _is_closed(value: Any, *names: str) -> bool:
    return isinstance(value, Mapping) and set(value) == set(names)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= _MAX_CHARS and forbidden(value) is None


def _need(fits: bool) -> None:
    if not fits:
        raise SnapshotDamaged("the stored data is damaged")


def joined(presentation: Presentation, charts: Mapping[int, ChartData]) -> Presentation:
    """Return the presentation with the data of its CSV charts.

    Raises:
        SnapshotDamaged: If the data is not exactly that of its charts.
    """
    expected = {
        index: tuple(series.label for series in block.csv.series)
        for index, block in enumerate(presentation.blocks)
        if isinstance(block, Chart) and block.csv is not None
    }
    found = {index: tuple(series.label for series in data.series) for index, data in charts.items()}
    _need(expected == found)
    blocks = tuple(
        replace(block, data=charts[index]) if isinstance(block, Chart) and index in charts else block
        for index, block in enumerate(presentation.blocks)
    )
    return replace(presentation, blocks=blocks)
