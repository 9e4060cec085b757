"""From an accepted presentation to the data of its CSV charts, each file read once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NoReturn

from companion.domain.rich_output.csv_table import read_table
from companion.domain.rich_output.csv_text import MAX_CSV_BYTES, NotText, decode
from companion.domain.rich_output.model import Chart, ChartData, CsvSource, FileCard, Presentation
from companion.domain.rich_output.problem import Problem, Refused
from companion.domain.rich_output.snapshot import joined, to_snapshot
from companion.gateway.stores.workspace import FileRead, Located, Workspace, WorkspaceRefused, read_file


@dataclass(frozen=True, slots=True)
class Resolved:
    """All that is kept of an accepted call."""

    presentation: Presentation
    """With the data of its CSV charts."""
    snapshot: dict[str, Any] | None
    sources: tuple[dict[str, Any], ...]
    """What each CSV chart was read from, for people."""
    missing_files: frozenset[str]


@dataclass(slots=True)
class _Call:
    workspace: Workspace
    read_at: datetime
    files: dict[Located, FileRead] = field(default_factory=dict)


def resolve(presentation: Presentation, workspace: Workspace, read_at: datetime) -> Resolved:
    """Read the CSV files of a presentation; may block, so it runs in a worker thread.

    Raises:
        Refused: With the first source that cannot be taken.
    """
    call = _Call(workspace, read_at)
    charts: dict[int, ChartData] = {}
    sources: list[dict[str, Any]] = []
    for index, block in enumerate(presentation.blocks):
        if isinstance(block, Chart) and block.csv is not None:
            charts[index], told = _chart(call, index, block.csv)
            sources.append(told)
    snapshot = to_snapshot(charts)
    cards = (block for block in presentation.blocks if isinstance(block, FileCard))
    missing = frozenset(card.path for card in cards if _is_missing(workspace, card))
    return Resolved(joined(presentation, charts), snapshot, tuple(sources), missing)


def _chart(call: _Call, index: int, source: CsvSource) -> tuple[ChartData, dict[str, Any]]:
    pointer = f"/blocks/{index}/csv"
    file = _read(call, source, pointer)
    try:
        text, encoding = decode(file.data)
    except NotText:
        _refuse("csv_not_text", f"{pointer}/path", "the file is no UTF-8 text.", "Save it as UTF-8.")
    table = read_table(text, source, pointer)
    modified_at = datetime.fromtimestamp(file.modified_at_s, UTC)
    told = {
        "block_index": index,
        "path": source.path,
        "repo": source.repo,
        "bytes": len(file.data),
        "sha256": hashlib.sha256(file.data).hexdigest(),
        "modified_at": modified_at.isoformat(),
        "read_at": call.read_at.isoformat(),
        "rows": len(table.data.labels),
        "encoding": encoding,
        "delimiter": table.delimiter,
    }
    return table.data, told


def _read(call: _Call, source: CsvSource, pointer: str) -> FileRead:
    try:
        located = call.workspace.locate(source.repo, source.path)
        if located not in call.files:
            call.files[located] = read_file(located, MAX_CSV_BYTES)
        return call.files[located]
    except WorkspaceRefused as refused:
        place = "repo" if refused.code == "repo_unknown" else "path"
        code, advice = refused.code, ""
        if code == "file_too_large":
            code, advice = "csv_too_large", "Write a smaller, aggregated file."
        _refuse(code, f"{pointer}/{place}", str(refused), advice)


def _refuse(code: str, pointer: str, message: str, advice: str) -> NoReturn:
    raise Refused(Problem(code, pointer, message, advice))


def _is_missing(workspace: Workspace, card: FileCard) -> bool:
    try:
        workspace.locate(card.repo, card.path)
    except WorkspaceRefused as refused:
        return refused.code == "file_missing"
    return False
