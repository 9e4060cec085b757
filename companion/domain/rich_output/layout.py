"""Where every part of a chart stands, from its data, a width and a way to measure texts. Pure.

All lengths are logical pixels; the origin is the upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.domain.rich_output.axis import ENGLISH, Axis, NumberWords, axis_labels, value_axis
from companion.domain.rich_output.category_texts import ENGLISH_DATES, DateWords, category_texts
from companion.domain.rich_output.model import ChartData, ChartKind
from companion.domain.rich_output.numbers import Number
from companion.domain.rich_output.texts import shown

Measure: TypeAlias = Callable[[str], float]

PLOT_PX, WIDE_PLOT_PX, WIDE_FROM_PX = 208.0, 260.0, 640.0
MAX_BAR_PX = 44.0
LABEL_GAP_PX, MAX_LABEL_PX = 12.0, 120.0
PAD_PX = 8.0
LEGEND_ROW_PX, LEGEND_MARKER_PX = 32.0, 18.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower edge."""
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Label:
    """A text with the place it is drawn in."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Tick:
    """A tick of the value axis: its label, and where its grid line runs."""

    label: Label
    at: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A value: a point of a line, or a bar."""

    series: int
    category: int
    x: float
    y: float
    bar: Box | None = None
    is_negative: bool = False


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A series in the legend; its box takes a click."""

    series: int
    label: Label
    is_visible: bool


@dataclass(frozen=True, slots=True)
class Options:
    """What a person and the language change about a chart."""

    hidden: frozenset[int] = frozenset()
    from_zero: bool = False
    numbers: NumberWords = ENGLISH
    dates: DateWords = ENGLISH_DATES


@dataclass(frozen=True, slots=True)
class ChartLayout:
    """A chart, ready to be painted."""

    kind: ChartKind
    width: float
    height: float
    plot: Box
    axis: Axis
    is_horizontal: bool
    ticks: tuple[Tick, ...]
    categories: tuple[Label, ...]
    zero: float | None
    """Where the stronger zero line runs: only if there are values below zero."""
    marks: tuple[Mark, ...]
    runs: tuple[tuple[Mark, ...], ...]
    """The points of lines that are joined; a run of one is a dot."""
    legend: tuple[LegendEntry, ...]
    count: int = field(default=0)
    """How many categories there are."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """How texts are measured."""

    width: Measure
    height: float


def elided(text: str, room: float, measure: Measure) -> str:
    """Return *text*, shortened at its end with `…` until it fits into *room*."""
    if measure(text) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(f"{text[:middle]}…") <= room else (low, middle - 1)
    return f"{text[:low]}…"


def names(data: ChartData) -> tuple[str, ...]:
    """Return the labels of the series as they are shown: the second of two alike gets a number."""
    seen: dict[str, int] = {}
    result = []
    for series in data.series:
        name = shown(series.label)
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(result)


def lay_out(data: ChartData, kind: ChartKind, width: float, ruler: Ruler, options: Options) -> ChartLayout:
    """Place all parts of a chart in *width*; its height follows."""
    return _Layout(data, kind, width, ruler, options).made()


class _Layout:
    """One chart while it is laid out."""

    def __init__(
        self, data: ChartData, kind: ChartKind, width: float, ruler: Ruler, options: Options
    ) -> None:
        self.data, self.kind, self.width, self.ruler, self.options = data, kind, width, ruler, options
        self.visible = [index for index in range(len(data.series)) if index not in options.hidden]
        self.values = [value for index in self.visible for value in data.series[index].values]
        self.texts = [shown(text) for text in category_texts(data.labels, options.dates)]
        self.count = len(data.labels)

    def made(self) -> ChartLayout:
        plot_px = WIDE_PLOT_PX if self.width > WIDE_FROM_PX else PLOT_PX
        upright = self._upright(plot_px)
        return self._lying() if self._must_lie(upright.plot) else upright

    def _must_lie(self, plot: Box) -> bool:
        bars = self.count * max(1, len(self.visible))
        if self.kind != "bar" or not 2 <= self.count <= 20 or bars > 40:
            return False
        room = plot.width / self.count - LABEL_GAP_PX
        return sum(self.ruler.width(text) > room for text in self.texts) > self.count / 2

    def _axis(self, wanted: int) -> tuple[Axis, tuple[str, ...]]:
        count = min(6, max(2, wanted))
        axis = value_axis(self.values, self.kind, count, from_zero=self.options.from_zero)
        return axis, axis_labels(axis, self.options.numbers)

    def _upright(self, height: float) -> ChartLayout:
        line = self.ruler.height
        top, bottom = line / 2, height - line - PAD_PX
        axis, texts = self._axis(int((bottom - top) // 42) + 1)
        left = max(self.ruler.width(text) for text in texts) + PAD_PX
        plot = Box(left, top, max(1.0, self.width - left - PAD_PX), bottom - top)
        ticks = []
        for place, text in enumerate(texts):
            at = plot.bottom - place / (len(texts) - 1) * plot.height
            size = self.ruler.width(text)
            ticks.append(Tick(Label(text, Box(left - PAD_PX - size, at - line / 2, size, line)), at))
        labels = self._labels_below(plot, height)
        return self._whole(axis, plot, tuple(ticks), labels, height, lies=False)

    def _labels_below(self, plot: Box, height: float) -> tuple[Label, ...]:
        measure, line = self.ruler.width, self.ruler.height
        slot = plot.width / self.count
        widest = max(measure(text) for text in self.texts)
        every = next(
            (k for k in range(1, self.count) if k * slot >= min(widest, MAX_LABEL_PX) + LABEL_GAP_PX),
            self.count,
        )
        room = max(every * slot - LABEL_GAP_PX, measure("…"))
        labels: list[Label] = []
        for index in range(0, self.count, every):
            text = elided(self.texts[index], min(room, plot.width), measure)
            size = measure(text)
            x = plot.x + slot * (index + 0.5) - size / 2
            x = max(0.0, min(x, self.width - size))
            if not labels or x >= labels[-1].box.right + LABEL_GAP_PX / 2:
                labels.append(Label(text, Box(x, height - line, size, line)))
        return tuple(labels)

    def _lying(self) -> ChartLayout:
        measure, line = self.ruler.width, self.ruler.height
        per_row = max(18, 10 * max(1, len(self.visible)) + 6)
        height = float(min(480, max(208, self.count * per_row + 36)))
        column = min(max(measure(text) for text in self.texts), 0.38 * self.width)
        plot = Box(column + PAD_PX, 4.0, max(1.0, self.width - column - 3 * PAD_PX), height - line - 12)
        axis, texts = self._axis(int(plot.width // 90))
        ticks: list[Tick] = []
        for place, text in enumerate(texts):
            at = plot.x + place / (len(texts) - 1) * plot.width
            size = measure(text)
            x = max(0.0, min(at - size / 2, self.width - size))
            ticks.append(Tick(Label(text, Box(x, height - line, size, line)), at))
        slot = plot.height / self.count
        labels = []
        for index, whole in enumerate(self.texts):
            text = elided(whole, column, measure)
            size = measure(text)
            middle = plot.y + slot * (index + 0.5)
            labels.append(Label(text, Box(column - size, middle - line / 2, size, line)))
        return self._whole(axis, plot, tuple(ticks), tuple(labels), height, lies=True)

    def _whole(
        self,
        axis: Axis,
        plot: Box,
        ticks: tuple[Tick, ...],
        labels: tuple[Label, ...],
        height: float,
        *,
        lies: bool,
    ) -> ChartLayout:
        placing = _Placing(axis, plot, self.count, lies)
        marks = self._bars(placing) if self.kind == "bar" else self._points(placing)
        runs = _runs(marks) if self.kind == "line" else ()
        legend, bottom = self._legend(height + PAD_PX)
        zero = placing.along(0) if axis.ticks[0] < 0 <= axis.ticks[-1] else None
        return ChartLayout(
            self.kind,
            self.width,
            bottom,
            plot,
            axis,
            lies,
            ticks,
            labels,
            zero,
            marks,
            runs,
            legend,
            self.count,
        )

    def _points(self, placing: _Placing) -> tuple[Mark, ...]:
        return tuple(
            Mark(index, category, placing.middle(category), placing.along(value))
            for index in self.visible
            for category, value in enumerate(self.data.series[index].values)
            if value is not None
        )

    def _bars(self, placing: _Placing) -> tuple[Mark, ...]:
        group = placing.slot - min(0.28 * placing.slot, 24.0)
        thick = min(MAX_BAR_PX, group / max(1, len(self.visible)))
        marks = []
        zero, wide = placing.along(0), max(1.0, thick - (1.0 if thick > 4 else 0.0))
        for place, index in enumerate(self.visible):
            offset = (place - len(self.visible) / 2) * thick
            for category, value in enumerate(self.data.series[index].values):
                if value is not None:
                    start = placing.middle(category) + offset
                    bar = placing.bar(start, wide, value, zero)
                    x, y = bar.x + bar.width / 2, bar.y + bar.height / 2
                    marks.append(Mark(index, category, x, y, bar, value < 0))
        return tuple(marks)

    def _legend(self, top: float) -> tuple[tuple[LegendEntry, ...], float]:
        entries = []
        x, y = 0.0, top
        for index, name in enumerate(names(self.data)):
            marker = LEGEND_MARKER_PX if len(self.data.series) > 1 else 0.0
            text = elided(name, max(1.0, self.width - marker - PAD_PX), self.ruler.width)
            size = self.ruler.width(text) + marker + PAD_PX
            if x and x + size > self.width:
                x, y = 0.0, y + LEGEND_ROW_PX
            label = Label(text, Box(x, y, size, LEGEND_ROW_PX))
            entries.append(LegendEntry(index, label, index not in self.options.hidden))
            x += size + PAD_PX
        return tuple(entries), y + LEGEND_ROW_PX


class _Placing:
    """Where categories and values of a plot stand."""

    def __init__(self, axis: Axis, plot: Box, count: int, lies: bool) -> None:
        self._share = axis.sharing()
        self._lies = lies
        self._start, self._long = (plot.x, plot.width) if lies else (plot.bottom, -plot.height)
        self._first = plot.y if lies else plot.x
        self.slot = (plot.height if lies else plot.width) / count

    def middle(self, category: int) -> float:
        return self._first + self.slot * (category + 0.5)

    def along(self, value: Number) -> float:
        return self._start + self._share(value) * self._long

    def bar(self, start: float, thick: float, value: Number, zero: float) -> Box:
        end = self.along(value)
        low, long = (zero, end - zero) if end > zero else (end, zero - end)
        if value and long < 1:
            # A value too small to be seen still shows that it is not zero.
            low, long = (low - (1 - long) if end < zero else low), 1.0
        return Box(low, start, long, thick) if self._lies else Box(start, low, thick, long)


def _runs(marks: Sequence[Mark]) -> tuple[tuple[Mark, ...], ...]:
    runs: list[list[Mark]] = []
    for mark in marks:
        last = runs[-1][-1] if runs else None
        if last is not None and last.series == mark.series and last.category == mark.category - 1:
            runs[-1].append(mark)
        else:
            runs.append([mark])
    return tuple(tuple(run) for run in runs)
