"""What an accepted presentation is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.domain.rich_output.numbers import Number

ChartKind: TypeAlias = Literal["line", "bar"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure; its value was formatted by the agent."""

    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Metrics:
    """A group of figures."""

    items: tuple[Metric, ...]


@dataclass(frozen=True, slots=True)
class FileCard:
    """A file to look at; nothing of it is read before a person asks."""

    path: str
    """Relative, with `/` between its segments."""
    repo: str = ""
    title: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one series; None is a gap."""

    label: str
    values: tuple[Number | None, ...]


@dataclass(frozen=True, slots=True)
class ChartData:
    """What a chart draws: as many values in each series as there are labels."""

    labels: tuple[str, ...]
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class CsvSeries:
    """A column to read."""

    column: str
    label: str


@dataclass(frozen=True, slots=True)
class CsvSource:
    """Where a chart's data is read from, once."""

    path: str
    repo: str
    x_column: str
    series: tuple[CsvSeries, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart; its data is None until the snapshot of its CSV file is joined to it."""

    kind: ChartKind
    title: str
    summary: str
    data: ChartData | None = None
    csv: CsvSource | None = None


RichBlock: TypeAlias = Metrics | FileCard | Chart


@dataclass(frozen=True, slots=True)
class Presentation:
    """One accepted call."""

    title: str
    description: str
    blocks: tuple[RichBlock, ...]
