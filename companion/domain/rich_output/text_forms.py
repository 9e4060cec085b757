"""A presentation as text: for reading where nothing is drawn, for the model, and as CSV."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator

from companion.domain.rich_output.model import Chart, ChartData, FileCard, Metrics, Presentation, Series
from companion.domain.rich_output.numbers import shortest
from companion.domain.rich_output.problem import counted
from companion.domain.rich_output.texts import shown

MAX_DIGEST_CHARS = 2_000
UNAVAILABLE = "Data unavailable"
_MAX_ROWS = 30
_HEAD, _TAIL = 20, 5
_RISKY = ("=", "+", "-", "@", "\t", "\r")
_PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def plain_text(presentation: Presentation) -> str:
    """Return the whole presentation as text, its charts as tables with tabs."""
    head = [shown(presentation.title)]
    if description := shown(presentation.description):
        head.append(description)
    blocks = ["\n".join(_block_lines(block)) for block in presentation.blocks]
    return "\n\n".join(["\n".join(head), *blocks])


def _block_lines(block: Metrics | FileCard | Chart) -> Iterator[str]:
    match block:
        case Metrics():
            for item in block.items:
                detail = f" ({shown(item.detail)})" if shown(item.detail) else ""
                yield f"- {shown(item.label)}: {shown(item.value)}{detail}"
        case FileCard():
            where = f"{block.repo}:{block.path}" if block.repo else block.path
            title = f" — {shown(block.title)}" if shown(block.title) else ""
            yield f"File: {where}{title}"
            if caption := shown(block.caption):
                yield caption
        case Chart():
            yield f"{shown(block.title)} ({block.kind} chart)"
            yield shown(block.summary)
            yield from _table_lines(block) if block.data else [UNAVAILABLE]


def x_header(chart: Chart) -> str:
    """Return the heading of the labels."""
    return chart.csv.x_column.strip() if chart.csv else "Label"


def _table_lines(chart: Chart) -> Iterator[str]:
    assert chart.data is not None
    data = chart.data
    yield "\t".join([shown(x_header(chart)), *(shown(series.label) for series in data.series)])
    rows = ["\t".join([shown(label), *cells]) for label, cells in _rows(data)]
    if len(rows) <= _MAX_ROWS:
        yield from rows
        return
    yield from rows[:_HEAD]
    yield f"… {len(rows) - _HEAD - _TAIL} more …"
    yield from rows[-_TAIL:]


def _rows(data: ChartData) -> Iterator[tuple[str, list[str]]]:
    for index, label in enumerate(data.labels):
        values = (series.values[index] for series in data.series)
        yield label, ["" if value is None else shortest(value) for value in values]


def digest(presentation: Presentation, missing_files: Collection[str] = ()) -> str:
    """Return what the model reads of its accepted call, at most 2000 characters."""
    title = json.dumps(shown(presentation.title), ensure_ascii=False)
    lines = [f"Shown: {title}, {counted(len(presentation.blocks), 'block')}"]
    for number, block in enumerate(presentation.blocks, start=1):
        lines.append(f"{number}. {_digest_line(block, missing_files)}")
    text = "\n".join(lines)
    return text if len(text) <= MAX_DIGEST_CHARS else f"{text[: MAX_DIGEST_CHARS - 1]}…"


def _digest_line(block: Metrics | FileCard | Chart, missing_files: Collection[str]) -> str:
    match block:
        case Metrics():
            return f"metrics, {counted(len(block.items), 'item')}"
        case FileCard():
            return f"file {block.path}{' (no such file yet)' if block.path in missing_files else ''}"
    title = json.dumps(shown(block.title), ensure_ascii=False)
    data = block.data or ChartData((), ())
    source = f" from {block.csv.path}" if block.csv else ""
    points = f"{block.kind} chart {title}, {counted(len(data.labels), 'point')}{source}"
    return "; ".join([points, *(_range(series) for series in data.series)])


def _range(series: Series) -> str:
    values = [value for value in series.values if value is not None]
    if not values:
        return f"{shown(series.label)}: no values"
    low, high, last = (shortest(value) for value in (min(values), max(values), values[-1]))
    missing = len(series.values) - len(values)
    gaps = f", {missing} missing" if missing else ""
    return f"{shown(series.label)}: min {low}, max {high}, last {last}{gaps}"


def export_csv(data: ChartData, header: str) -> str:
    """Return the data as CSV with full precision, in which no text runs as a formula."""
    rows = [[header, *(series.label for series in data.series)]]
    rows += [[label] for label in data.labels]
    texts = [[_cell(text) for text in row] for row in rows]
    lines = [texts[0], *([*row, *cells] for row, (_, cells) in zip(texts[1:], _rows(data), strict=True))]
    return "".join(",".join(line) + "\r\n" for line in lines)


def _cell(text: str) -> str:
    if text.startswith(_RISKY) and not _PLAIN_NUMBER.fullmatch(text):
        text = f"'{text}"
    if text != text.strip() or any(character in text for character in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text
