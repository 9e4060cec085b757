"""The tables of fields, and the checks of single values against them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.domain.rich_output.paths import PathRefused, Platform, segments
from companion.domain.rich_output.problem import Findings, counted
from companion.domain.rich_output.texts import forbidden, is_blank

FieldKind: TypeAlias = Literal["version", "text", "path", "csv_path", "repo", "list", "object"]


@dataclass(frozen=True, slots=True)
class Field:
    """One row of a table; bounds count characters or entries."""

    name: str
    kind: FieldKind = "text"
    least: int = 1
    most: int = 120
    is_required: bool = True


PRESENTATION = (
    Field("version", "version"),
    Field("title"),
    Field("description", least=0, most=500, is_required=False),
    Field("blocks", "list", 1, 4),
)
METRICS = (Field("items", "list", 1, 6),)
METRIC = (Field("label"), Field("value", most=200), Field("detail", least=0, most=500, is_required=False))
CHART = (
    Field("chart_type"),
    Field("title"),
    Field("summary", most=500),
    Field("labels", "list", 1, 100, is_required=False),
    Field("series", "list", 1, 4, is_required=False),
    Field("csv", "object", is_required=False),
)
SERIES = (Field("label"), Field("values", "list", 0, 1_000_000))
CSV = (
    Field("path", "csv_path"),
    Field("repo", "repo", 0, 255, is_required=False),
    Field("x_column"),
    Field("series", "list", 1, 4),
)
CSV_SERIES = (Field("column"), Field("label", is_required=False))
FILE = (
    Field("path", "path"),
    Field("repo", "repo", 0, 255, is_required=False),
    Field("title", least=0, is_required=False),
    Field("caption", least=0, most=500, is_required=False),
    Field("mime_type", least=0, most=128, is_required=False),
)
BLOCKS = {"file": FILE, "chart": CHART, "metrics": METRICS}

_ADVICE = {
    "unit": "Put the unit into the series label; the app draws axes.",
    "color": "Send data only: the app chooses colours.",
    "data": "Send `labels` and `series`, or `csv`.",
    "categories": "Call them `labels`.",
}
_ADVICE |= dict.fromkeys(("x_axis", "y_axis", "axis", "units"), _ADVICE["unit"])


class Checker:
    """Checks values and notes what is wrong with them."""

    def __init__(self, findings: Findings, platform: Platform) -> None:
        self._platform = platform
        self.findings = findings

    def names(self, value: Mapping[str, Any], table: tuple[Field, ...], pointer: str, *more: str) -> None:
        """Note fields that are not in the table, then those that are missing; *more* are known too."""
        allowed = [*more, *(field.name for field in table)]
        for name in value:
            if name not in allowed:
                advice = _ADVICE.get(name, f"Allowed are {', '.join(allowed)}.")
                place = name.replace("~", "~0").replace("/", "~1")
                self.findings.add("field_unknown", f"{pointer}/{place}", "this field is not known.", advice)
        for field in table:
            if field.is_required and field.name not in value:
                self.missing(f"{pointer}/{field.name}")

    def missing(self, pointer: str) -> None:
        """Note that a field is not there."""
        self.findings.add("field_missing", pointer, "this field is required.")

    def object(self, value: Any, pointer: str) -> bool:
        """Say whether *value* is an object."""
        return self._is(isinstance(value, Mapping), "an object", pointer)

    def list(self, value: Any, field: Field, pointer: str) -> bool:
        """Say whether *value* is a list whose entries may be looked at."""
        if not self._is(isinstance(value, list), "a list", pointer):
            return False
        if field.least <= len(value) <= field.most:
            return True
        bounds = f"{field.least} to {field.most} are allowed"
        self.findings.add(
            "count_out_of_range", pointer, f"there are {counted(len(value), 'item')}; {bounds}."
        )
        return False

    def text(self, value: Any, field: Field, pointer: str) -> bool:
        """Check a text, and a path or the name of a folder where the field is one."""
        if not self._is(isinstance(value, str), "a text", pointer):
            return False
        if field.kind in ("path", "csv_path"):
            return self._path(value, field, pointer)
        if not field.least <= len(value) <= field.most:
            bounds = f"{field.least} to {field.most} are allowed"
            self.findings.add("field_length", pointer, f"there are {len(value)} characters; {bounds}.")
        elif (character := forbidden(value)) is not None:
            place = f"U+{ord(character):04X}"
            self.findings.add("text_invalid", pointer, f"the text holds the character {place}.", "Remove it.")
        elif field.is_required and is_blank(value):
            self.findings.add("text_blank", pointer, "nothing of this text can be seen.")
        elif field.kind == "repo":
            return self._repo(value, pointer)
        else:
            return True
        return False

    def _is(self, fits: bool, expected: str, pointer: str) -> bool:
        if not fits:
            self.findings.add("field_type", pointer, f"this must be {expected}.")
        return fits

    def _path(self, value: str, field: Field, pointer: str) -> bool:
        try:
            kept = segments(value, self._platform)
        except PathRefused as refused:
            advice = "Use a path relative to the workspace."
            self.findings.add(refused.code, pointer, f"the path {refused}.", advice)
            return False
        if field.kind == "csv_path" and not kept[-1].lower().endswith(".csv"):
            self.findings.add("csv_extension", pointer, "the path does not end in .csv.")
            return False
        return True

    def _repo(self, value: str, pointer: str) -> bool:
        name = value.strip()
        if name in ("", "."):
            return True
        try:
            segments(name, self._platform)
        except PathRefused as refused:
            self.findings.add("repo_invalid", pointer, f"the name of the folder {refused}.")
            return False
        return True
