"""From a stored call to what is shown; no file is touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.domain.rich_output.model import Chart, Presentation
from companion.domain.rich_output.numbers import is_number
from companion.domain.rich_output.problem import Refused
from companion.domain.rich_output.snapshot import SnapshotDamaged, joined, read_snapshot
from companion.domain.rich_output.validator import validate

ReplayState: TypeAlias = Literal[
    "pending", "failed", "cancelled", "newer_version", "damaged", "data_missing", "ready"
]
_STATES: dict[str, ReplayState] = {"error": "failed", "failed": "failed", "cancelled": "cancelled"}
_DONE = frozenset({"complete", "completed", "success"})


@dataclass(frozen=True, slots=True)
class Replay:
    """What a stored call shows; the presentation is there if the state is `ready`."""

    state: ReplayState
    presentation: Presentation | None = None


def replay(status: str, arguments: Any, output: Any = None) -> Replay:
    """Judge a stored call again, by the rules of POSIX paths; never raises."""
    if status not in _DONE:
        return Replay(_STATES.get(status, "pending"))
    try:
        presentation = validate(arguments)
    except Refused:
        return Replay("newer_version" if _is_newer(arguments) else "damaged")
    if not any(isinstance(block, Chart) and block.csv for block in presentation.blocks):
        return Replay("damaged") if _is_snapshot(output) else Replay("ready", presentation)
    if output is None:
        return Replay("data_missing")
    if _is_newer(output):
        return Replay("newer_version")
    try:
        return Replay("ready", joined(presentation, read_snapshot(output)))
    except SnapshotDamaged:
        return Replay("damaged")


def _is_newer(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    version = value.get("version")
    return is_number(version) and version > 1


def _is_snapshot(value: Any) -> bool:
    try:
        read_snapshot(value)
    except SnapshotDamaged:
        return False
    return True
