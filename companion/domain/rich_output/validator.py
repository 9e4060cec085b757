"""The one judge of presentations: for calls, and again for what was stored."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from companion.domain.rich_output import fields
from companion.domain.rich_output.fields import Checker, Field
from companion.domain.rich_output.model import (
    Chart,
    ChartData,
    CsvSeries,
    CsvSource,
    FileCard,
    Metric,
    Metrics,
    Presentation,
    RichBlock,
    Series,
)
from companion.domain.rich_output.numbers import is_finite, is_number, tidy
from companion.domain.rich_output.paths import Platform, canonical
from companion.domain.rich_output.payload import MAX_PAYLOAD_BYTES, compact_bytes
from companion.domain.rich_output.problem import EnoughProblems, Findings, Problem, Refused, counted

_LABEL = Field("label")


def validate(arguments: Any, platform: Platform = "posix") -> Presentation:
    """Judge the arguments of a call.

    Raises:
        Refused: With up to five problems in the order of the document.
    """
    if not isinstance(arguments, Mapping):
        raise Refused(Problem("payload_invalid", "", "the arguments are not an object."))
    try:
        size = compact_bytes(arguments)
    except (RecursionError, TypeError, ValueError):
        # Python writes no integer of more than 4300 digits, and no value that is not JSON.
        raise Refused(Problem("payload_invalid", "", "the arguments cannot be written as JSON.")) from None
    if size > MAX_PAYLOAD_BYTES:
        message = f"the arguments have {size} bytes; {MAX_PAYLOAD_BYTES} are allowed."
        raise Refused(Problem("payload_too_large", "", message, "Use csv for many rows."))
    findings = Findings()
    judge = _Judge(Checker(findings, platform))
    with suppress(EnoughProblems):
        judge.presentation(arguments)
    if findings.problems:
        raise Refused(*findings.problems)
    return _built(arguments)


class _Judge:
    """Walks through arguments in the order of the tables."""

    def __init__(self, check: Checker) -> None:
        self._check = check
        self._note = check.findings.add

    def presentation(self, value: Mapping[str, Any]) -> None:
        self._check.names(value, fields.PRESENTATION, "")
        if "version" in value:
            self._version(value["version"])
        self._texts(value, fields.PRESENTATION, "")
        blocks = fields.PRESENTATION[-1]
        if "blocks" in value and self._check.list(value["blocks"], blocks, "/blocks"):
            for index, block in enumerate(value["blocks"]):
                self._block(block, f"/blocks/{index}")

    def _version(self, value: Any) -> None:
        if not is_number(value):
            self._note("field_type", "/version", "this must be a number.")
        elif value != 1:
            self._note("version_unsupported", "/version", "this version is not known.", "Use 1.")

    def _texts(self, value: Mapping[str, Any], table: tuple[Field, ...], pointer: str) -> None:
        for field in table:
            is_text = field.kind not in ("version", "list", "object") and field.name != "chart_type"
            if is_text and field.name in value:
                self._check.text(value[field.name], field, f"{pointer}/{field.name}")

    def _block(self, value: Any, pointer: str) -> None:
        if not self._check.object(value, pointer):
            return
        place = f"{pointer}/type"
        if "type" not in value:
            self._check.missing(place)
            return
        kind = value["type"]
        if not isinstance(kind, str):
            self._note("field_type", place, "this must be a text.")
            return
        table = fields.BLOCKS.get(kind)
        if table is None:
            advice = "Use a Markdown table." if kind == "table" else "Use file, chart or metrics."
            self._note("block_type_unknown", place, "this kind of block is not known.", advice)
            return
        self._check.names(value, table, pointer, "type")
        if kind == "chart":
            self._chart(value, pointer)
            return
        self._texts(value, table, pointer)
        if kind == "metrics":
            self._entries(value, table[0], pointer, fields.METRIC)

    def _entries(
        self, value: Mapping[str, Any], field: Field, pointer: str, table: tuple[Field, ...]
    ) -> None:
        place = f"{pointer}/{field.name}"
        if field.name not in value or not self._check.list(value[field.name], field, place):
            return
        for index, entry in enumerate(value[field.name]):
            where = f"{place}/{index}"
            if self._check.object(entry, where):
                self._check.names(entry, table, where)
                self._texts(entry, table, where)

    def _chart(self, value: Mapping[str, Any], pointer: str) -> None:
        self._source(value, pointer)
        if "chart_type" in value:
            self._chart_type(value["chart_type"], f"{pointer}/chart_type")
        self._texts(value, fields.CHART, pointer)
        labels = self._labels(value, pointer)
        self._series(value, pointer, labels)
        if "csv" in value and self._check.object(value["csv"], f"{pointer}/csv"):
            self._csv(value["csv"], f"{pointer}/csv")

    def _source(self, value: Mapping[str, Any], pointer: str) -> None:
        has_labels, has_series = "labels" in value, "series" in value
        if "csv" in value:
            if has_labels or has_series:
                message = "csv stands beside labels or series."
                self._note("chart_source_conflict", pointer, message, "Keep one of them.")
        elif not has_labels and not has_series:
            message = "there is neither csv nor labels with series."
            self._note("chart_source_missing", pointer, message, "Send labels and series, or csv.")
        elif not has_labels or not has_series:
            self._check.missing(f"{pointer}/{'series' if has_labels else 'labels'}")

    def _chart_type(self, value: Any, pointer: str) -> None:
        if not isinstance(value, str):
            self._note("field_type", pointer, "this must be a text.")
        elif value not in ("line", "bar"):
            self._note("enum_unknown", pointer, "this kind of chart is not known.", "Use line or bar.")

    def _labels(self, value: Mapping[str, Any], pointer: str) -> int | None:
        place = f"{pointer}/labels"
        if "labels" not in value or not self._check.list(value["labels"], fields.CHART[3], place):
            return None
        for index, label in enumerate(value["labels"]):
            self._check.text(label, _LABEL, f"{place}/{index}")
        return len(value["labels"])

    def _series(self, value: Mapping[str, Any], pointer: str, labels: int | None) -> None:
        field = fields.CHART[4]
        self._entries(value, field, pointer, fields.SERIES)
        entries = value.get("series")
        if not isinstance(entries, list) or len(entries) > field.most:
            return
        for index, entry in enumerate(entries):
            if isinstance(entry, Mapping) and "values" in entry:
                self._values(entry["values"], f"{pointer}/series/{index}/values", labels)

    def _values(self, values: Any, pointer: str, labels: int | None) -> None:
        if not self._check.list(values, fields.SERIES[1], pointer):
            return
        if labels is not None and len(values) != labels:
            message = f"there are {counted(len(values), 'value')} for {counted(labels, 'label')}."
            self._note("series_length_mismatch", pointer, message, "Send null for a gap.")
        for index, value in enumerate(values):
            place = f"{pointer}/{index}"
            if value is None:
                continue
            if not is_number(value):
                self._note("field_type", place, "this must be a number or null.")
            elif not is_finite(value):
                self._note("number_not_finite", place, "the number is out of range for a 64-bit float.")

    def _csv(self, value: Mapping[str, Any], pointer: str) -> None:
        self._check.names(value, fields.CSV, pointer)
        self._texts(value, fields.CSV, pointer)
        self._entries(value, fields.CSV[-1], pointer, fields.CSV_SERIES)


def _built(value: Mapping[str, Any]) -> Presentation:
    blocks = tuple(_block(block) for block in value["blocks"])
    return Presentation(value["title"], value.get("description", ""), blocks)


def _block(value: Mapping[str, Any]) -> RichBlock:
    match value["type"]:
        case "metrics":
            items = (Metric(item["label"], item["value"], item.get("detail", "")) for item in value["items"])
            return Metrics(tuple(items))
        case "file":
            title, caption = value.get("title", ""), value.get("caption", "")
            return FileCard(canonical(value["path"]), _repo(value), title, caption)
    kind, title, summary = value["chart_type"], value["title"], value["summary"]
    if "csv" in value:
        return Chart(kind, title, summary, csv=_csv_source(value["csv"]))
    series = (
        Series(entry["label"], tuple(None if number is None else tidy(number) for number in entry["values"]))
        for entry in value["series"]
    )
    return Chart(kind, title, summary, ChartData(tuple(value["labels"]), tuple(series)))


def _csv_source(value: Mapping[str, Any]) -> CsvSource:
    series = (CsvSeries(entry["column"], entry.get("label", entry["column"])) for entry in value["series"])
    return CsvSource(canonical(value["path"]), _repo(value), value["x_column"], tuple(series))


def _repo(value: Mapping[str, Any]) -> str:
    name = str(value.get("repo", "")).strip()
    return "" if name == "." else name
