"""Charts, painted: one painter for the transcript, surfaces and pictures."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)

from companion.domain.rich_output.layout import Box, ChartLayout, Label, Mark, Options, Ruler, lay_out
from companion.domain.rich_output.model import Chart
from companion.views.theme import SMALL_PX, Theme, body_font

AS_SENT = Options()
"""Nothing hidden, and the axis as the data asks."""
NO_VALUES = "No values to draw"
ALL_HIDDEN = "All series are hidden"
_ROUND_PX = 3.0
_THIN_PX = 3.0
_MARKER_PX = 3.5
_FEW_POINTS = 24
_DASHES: tuple[list[float], ...] = ([], [3.0, 1.5], [1.0, 1.25], [4.0, 1.5, 1.0, 1.5])
_HATCHES = (
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.Dense4Pattern,
    Qt.BrushStyle.CrossPattern,
)


@dataclass(frozen=True, slots=True)
class ChartColors:
    """The colours of charts as CSS texts."""

    card: str
    text: str
    muted: str
    grid: str
    zero: str
    series: tuple[str, str, str, str]
    is_patterned: bool = False
    """Whether dashes and hatches tell series apart besides colours and markers."""


_LIGHT_SERIES = ("#1b45b4", "#bf6900", "#109080", "#6b1440")
_DARK_SERIES = ("#6f95ff", "#ffc642", "#7df0dd", "#ee3f86")


def chart_colors(theme: Theme) -> ChartColors:
    """Return the colours of charts on the cards of *theme*."""
    is_high = theme.name == "high-contrast"
    series = _DARK_SERIES if theme.is_dark else _LIGHT_SERIES
    grid = "#343a42" if theme.is_dark else "#e3e6ea"
    zero = "#ffffff" if is_high else "#76808b" if theme.is_dark else "#868f99"
    return ChartColors(theme.card, theme.text, theme.muted, grid, zero, series, is_high)


def chart_ruler(font: QFont) -> Ruler:
    """Return how texts of charts are measured in *font*."""
    metrics = QFontMetricsF(font)
    return Ruler(metrics.horizontalAdvance, metrics.height())


def paint_chart(painter: QPainter, layout: ChartLayout, colors: ChartColors, font: QFont) -> None:
    """Draw a chart with its corner at the origin."""
    painter.save()
    painter.setFont(font)
    _Painting(painter, layout, colors).all()
    painter.restore()


def chart_picture(
    chart: Chart, theme: Theme, width_px: int, ratio: float, options: Options = AS_SENT
) -> QImage:
    """Return a picture of a chart that has its data, *width_px* wide in logical pixels."""
    if chart.data is None:
        raise ValueError("the chart has no data; join its snapshot first")
    font = body_font(SMALL_PX)
    layout = lay_out(chart.data, chart.kind, width_px, chart_ruler(font), options)
    size = (round(width_px * ratio), round(layout.height * ratio))
    image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(theme.card))
    painter = QPainter(image)
    try:
        paint_chart(painter, layout, chart_colors(theme), font)
    finally:
        painter.end()
    return image


def _rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)


class _Painting:
    """One chart while it is painted."""

    def __init__(self, painter: QPainter, layout: ChartLayout, colors: ChartColors) -> None:
        self._painter = painter
        self._layout = layout
        self._colors = colors
        self._ratio = painter.device().devicePixelRatio()

    def all(self) -> None:
        """Draw everything, the values above the grid."""
        self._grid()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in self._layout.marks:
            if mark.bar is not None:
                self._bar(mark, mark.bar)
        for run in self._layout.runs:
            self._line(run)
        self._texts()
        self._legend()
        self._nothing()

    def _snap(self, at: float) -> float:
        return (round(at * self._ratio) + 0.5) / self._ratio

    def _rule(self, at: float, color: str) -> None:
        plot, at = self._layout.plot, self._snap(at)
        self._painter.setPen(QPen(QColor(color), 1.0))
        if self._layout.is_horizontal:
            self._painter.drawLine(QPointF(at, plot.y), QPointF(at, plot.bottom))
        else:
            self._painter.drawLine(QPointF(plot.x, at), QPointF(plot.right, at))

    def _grid(self) -> None:
        for tick in self._layout.ticks:
            self._rule(tick.at, self._colors.grid)
        if self._layout.zero is not None:
            self._rule(self._layout.zero, self._colors.zero)

    def _color(self, series: int) -> QColor:
        return QColor(self._colors.series[series])

    def _bar(self, mark: Mark, bar: Box) -> None:
        color = self._color(mark.series)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QBrush(color))
        if not bar.width or not bar.height:
            # Zero is a value: a bare baseline.
            self._painter.setPen(QPen(color, 1.0))
            self._painter.drawLine(QPointF(bar.x, bar.y), QPointF(bar.right, bar.bottom))
            return
        if not self._colors.is_patterned and min(bar.width, bar.height) < _THIN_PX:
            # Round corners of a hairline cannot be seen, and cost most of the time of a dense chart.
            self._painter.fillRect(_rect(bar), color)
            return
        path = _bar_path(bar, mark.is_negative, self._layout.is_horizontal)
        if self._colors.is_patterned and mark.series:
            self._painter.setPen(QPen(color, 1.0))
            self._painter.setBrush(QBrush(color, _HATCHES[mark.series]))
        self._painter.drawPath(path)

    def _line(self, run: tuple[Mark, ...]) -> None:
        series = run[0].series
        pen = QPen(self._color(series), 3.0 if self._colors.is_patterned else 2.0)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        if self._colors.is_patterned and _DASHES[series]:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern(_DASHES[series])
        self._painter.setPen(pen)
        self._painter.drawPolyline(QPolygonF([QPointF(mark.x, mark.y) for mark in run]))
        for mark in run:
            if len(run) == 1 or self._is_marked(mark):
                self._marker(series, mark.x, mark.y, is_full=True)

    def _is_marked(self, mark: Mark) -> bool:
        count = self._layout.count
        if count <= _FEW_POINTS:
            return True
        every = -(-count // 8)
        return len(self._layout.legend) > 1 and (mark.category + mark.series * every // 4) % every == 0

    def _marker(self, series: int, x: float, y: float, *, is_full: bool) -> None:
        color = self._color(series) if is_full else QColor(self._colors.muted)
        self._painter.setPen(QPen(color, 1.5))
        self._painter.setBrush(QBrush(color) if is_full else Qt.BrushStyle.NoBrush)
        size = _MARKER_PX
        if series == 0:
            self._painter.drawEllipse(QPointF(x, y), size, size)
        elif series == 1:
            self._painter.drawRect(QRectF(x - size + 0.5, y - size + 0.5, 2 * size - 1, 2 * size - 1))
        else:
            corners = [(0.0, -size - 0.5), (size + 0.5, 0.0), (0.0, size + 0.5), (-size - 0.5, 0.0)]
            if series == 2:
                corners = [(0.0, -size - 0.5), (size + 0.5, size), (-size - 0.5, size)]
            self._painter.drawPolygon(QPolygonF([QPointF(x + right, y + down) for right, down in corners]))

    def _text(self, label: Label, color: str) -> None:
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextDontClip)
        self._painter.setPen(QColor(color))
        self._painter.drawText(_rect(label.box), flags | int(Qt.TextFlag.TextSingleLine), label.text)

    def _texts(self) -> None:
        for tick in self._layout.ticks:
            self._text(tick.label, self._colors.muted)
        for label in self._layout.categories:
            self._text(label, self._colors.muted)

    def _nothing(self) -> None:
        if not self._layout.axis.is_empty:
            return
        is_hidden = not any(entry.is_visible for entry in self._layout.legend)
        text = QCoreApplication.translate("charts", ALL_HIDDEN if is_hidden else NO_VALUES)
        self._painter.setPen(QColor(self._colors.muted))
        self._painter.drawText(_rect(self._layout.plot), int(Qt.AlignmentFlag.AlignCenter), text)

    def _legend(self) -> None:
        has_markers = len(self._layout.legend) > 1
        for entry in self._layout.legend:
            box = entry.label.box
            inset = 0.0
            if has_markers:
                self._marker(entry.series, box.x + 6, box.y + box.height / 2, is_full=entry.is_visible)
                inset = 18.0
            place = Box(box.x + inset, box.y, box.width - inset, box.height)
            color = self._colors.text if entry.is_visible else self._colors.muted
            self._text(Label(entry.label.text, place), color)


def _bar_path(bar: Box, is_negative: bool, lies: bool) -> QPainterPath:
    """Return a bar whose end away from zero is round."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    long = bar.width if lies else bar.height
    radius = min(_ROUND_PX, long, (bar.height if lies else bar.width) / 2)
    rect = _rect(bar)
    path.addRoundedRect(rect, radius, radius)
    square = QRectF(rect)
    if lies:
        square.adjust(radius if is_negative else 0, 0, 0 if is_negative else -radius, 0)
    else:
        square.adjust(0, 0 if is_negative else radius, 0, -radius if is_negative else 0)
    path.addRect(square)
    return path.simplified()
