"""From the text of a CSV file to the data of a chart, all of it or none."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from companion.domain.rich_output.model import ChartData, CsvSource, Series
from companion.domain.rich_output.numbers import ADVICE, CellRefused, Number, read_cell
from companion.domain.rich_output.problem import Problem, Refused, counted
from companion.domain.rich_output.texts import forbidden, quoted

MAX_ROWS = 100
MAX_LABEL_CHARS = 120
DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True, slots=True)
class Record:
    """One record; the header is number 1, and its line is the physical one where it starts."""

    number: int
    line: int
    cells: tuple[str, ...]

    @property
    def is_blank(self) -> bool:
        """Whether no cell holds anything."""
        return not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """What was read."""

    data: ChartData
    delimiter: str


def read_table(text: str, source: CsvSource, pointer: str) -> Table:
    """Read the columns that *source* names.

    Raises:
        Refused: With the first thing that is wrong, at *pointer*.
    """
    reading = _Reading(text, source, pointer)
    delimiter = reading.delimiter()
    return Table(reading.data(delimiter), delimiter)


def _records(text: str, delimiter: str) -> Iterator[Record]:
    # The line of a record is the one after those that earlier records used, skipped ones included.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number, used = 0, 0
    for cells in reader:
        line, used = used + 1, reader.line_num
        if cells:
            number += 1
            yield Record(number, line, tuple(cell.replace("\r\n", "\n") for cell in cells))


def _name(header: str) -> str:
    return header.strip().strip("\ufeff").strip()


class _Reading:
    """Reads one file for one chart."""

    def __init__(self, text: str, source: CsvSource, pointer: str) -> None:
        self._text = text
        self._pointer = pointer
        self._source = source
        self._wanted = [_name(source.x_column), *(_name(series.column) for series in source.series)]

    def _refuse(
        self, code: str, message: str, at: Record | None = None, *, column: str | None = None, hint: str = ""
    ) -> NoReturn:
        row, line = (at.number, at.line) if at else (None, None)
        advice = ADVICE.get(hint, "")
        raise Refused(Problem(code, self._pointer, message, advice, hint, row, line, column))

    def _header(self, delimiter: str) -> list[str] | None:
        first = next(_records(self._text, delimiter), None)
        return None if first is None else [_name(cell) for cell in first.cells]

    def delimiter(self) -> str:
        """Return the first delimiter with which the header has what was asked for."""
        for delimiter in DELIMITERS:
            try:
                header = self._header(delimiter)
            except csv.Error:
                continue
            if header is None:
                self._refuse("csv_empty", "the file has no header row.")
            if all(name in header for name in self._wanted):
                return delimiter
        return self._no_delimiter()

    def _no_delimiter(self) -> NoReturn:
        try:
            header = self._header(",") or []
        except csv.Error as error:
            self._refuse("csv_malformed", f"the header cannot be read: {error}.", Record(1, 1, ()))
        self._miss(header)

    def _miss(self, header: list[str]) -> NoReturn:
        missing = next(name for name in self._wanted if name not in header)
        there = ", ".join(quoted(name) for name in header[:20])
        self._refuse("csv_column_missing", f"this column is not there; there are {there}.", column=missing)

    def data(self, delimiter: str) -> ChartData:
        """Read all rows."""
        records = self._guarded(_records(self._text, delimiter))
        header = [_name(cell) for cell in next(records).cells]
        for name in self._wanted:
            if header.count(name) > 1:
                message = "this header stands there more than once."
                self._refuse("csv_header_duplicate", message, column=name)
        places = [header.index(name) for name in self._wanted]
        rows = self._rows(records, len(header), places)
        labels = tuple(label for label, _ in rows)
        columns = zip(self._source.series, zip(*(numbers for _, numbers in rows), strict=True), strict=True)
        return ChartData(labels, tuple(Series(series.label, tuple(values)) for series, values in columns))

    def _guarded(self, records: Iterator[Record]) -> Iterator[Record]:
        last: Record | None = None
        try:
            for record in records:
                last = record
                yield record
        except csv.Error as error:
            at = Record(last.number + 1 if last else 1, last.line + 1 if last else 1, ())
            self._refuse("csv_malformed", f"the row cannot be read: {error}.", at)

    def _rows(
        self, records: Iterator[Record], width: int, places: Sequence[int]
    ) -> list[tuple[str, list[Number | None]]]:
        rows: list[tuple[str, list[Number | None]]] = []
        blanks: list[Record] = []
        for record in records:
            if record.is_blank:
                blanks.append(record)
                continue
            for earlier in blanks:
                self._row(earlier, width, places)
            if len(rows) == MAX_ROWS:
                count = MAX_ROWS + 1 + sum(1 for later in records if not later.is_blank)
                message = f"there are {counted(count, 'row')}; {MAX_ROWS} are allowed. Aggregate or thin out."
                self._refuse("csv_too_many_rows", message, record)
            rows.append(self._row(record, width, places))
        if not rows:
            self._refuse("csv_no_rows", "there are 0 rows below the header.")
        return rows

    def _row(self, record: Record, width: int, places: Sequence[int]) -> tuple[str, list[Number | None]]:
        if len(record.cells) != width:
            message = f"there are {counted(len(record.cells), 'cell')}; the header has {width}."
            self._refuse("csv_row_width", message, record)
        label = self._label(record, record.cells[places[0]].strip())
        names = self._wanted[1:]
        return label, [
            self._number(record, record.cells[place], name)
            for place, name in zip(places[1:], names, strict=True)
        ]

    def _label(self, record: Record, label: str) -> str:
        column = self._wanted[0]
        if not label:
            self._refuse("csv_label_blank", "the label is empty.", record, column=column)
        if len(label) > MAX_LABEL_CHARS:
            message = f"the label has {len(label)} characters; {MAX_LABEL_CHARS} are allowed."
            self._refuse("csv_label_too_long", message, record, column=column)
        if forbidden(label) is not None:
            message = "the label holds a control character."
            self._refuse("csv_label_invalid", message, record, column=column)
        return label

    def _number(self, record: Record, cell: str, column: str) -> Number | None:
        try:
            return read_cell(cell)
        except CellRefused as refused:
            message = f"{quoted(cell.strip())} is not a plain number."
            self._refuse("csv_number_invalid", message, record, column=column, hint=refused.hint)
