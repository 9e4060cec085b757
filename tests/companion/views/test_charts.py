from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from companion.domain.rich_output.layout import Options, lay_out
from companion.domain.rich_output.model import Chart, ChartData, Series
from companion.views.charts import chart_colors, chart_picture, chart_ruler, paint_chart
from companion.views.theme import SMALL_PX, THEMES, body_font
from tests.support.color_vision import SIGHTS, distance, lab

BARS = Chart(
    "bar", "T", "S", ChartData(("a", "b", "c"), (Series("x", (40, -20, None)), Series("y", (10, 20, 0))))
)
LINES = Chart("line", "T", "S", ChartData(("a", "b", "c", "d", "e"), (Series("x", (5, 5, None, None, 5)),)))
KINDS = {"bars": BARS, "lines": LINES}
THEME_NAMES = sorted(THEMES)


def luminance(color):
    parts = (QColor(color).redF(), QColor(color).greenF(), QColor(color).blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def laid_out(chart, width=560, options=None):
    return lay_out(chart.data, chart.kind, width, chart_ruler(body_font(SMALL_PX)), options or Options())


def color_at(image, x, y):
    ratio = image.devicePixelRatio()
    return image.pixelColor(int(x * ratio), int(y * ratio)).name()


@pytest.mark.parametrize("name", THEME_NAMES)
def test_colours_of_charts_can_be_told_from_their_card(name):
    colors = chart_colors(THEMES[name])
    assert min(contrast(color, colors.card) for color in colors.series) >= 3
    assert min(contrast(color, colors.card) for color in (colors.text, colors.muted)) >= 4.5
    assert contrast(colors.zero, colors.card) >= 3
    assert len(set(colors.series)) == 4


def test_distances_of_colours_are_measured_as_published():
    # A pair of the table of Sharma, Wu and Dalal (2005).
    assert distance((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert distance((50.0, 2.5, 0.0), (73.0, 25.0, -18.0)) == pytest.approx(27.1492, abs=1e-4)


@pytest.mark.parametrize("sight", sorted(SIGHTS))
@pytest.mark.parametrize("name", THEME_NAMES)
def test_series_can_be_told_apart_with_every_kind_of_sight(name, sight):
    series = [lab(color, sight) for color in chart_colors(THEMES[name]).series]
    assert min(distance(one, other) for one, other in combinations(series, 2)) >= 18


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_bars_are_painted_where_they_are_laid_out_and_gaps_stay_empty(qapp, name, ratio):
    colors, layout = chart_colors(THEMES[name]), laid_out(BARS)
    image = chart_picture(BARS, THEMES[name], 560, ratio)
    assert (image.width(), image.height()) == (560 * ratio, round(layout.height * ratio))
    seen = {(mark.series, mark.category): color_at(image, mark.x, mark.y) for mark in layout.marks}
    assert seen[0, 0] == seen[0, 1] == colors.series[0]
    assert seen[1, 0] == seen[1, 1] == colors.series[1]
    slot = layout.plot.width / 3
    first = next(mark for mark in layout.marks if (mark.series, mark.category) == (0, 0))
    assert color_at(image, first.x + 2 * slot, layout.zero - 10) == colors.card


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_line_stops_at_its_gap_and_a_lonely_point_is_a_dot(qapp, name):
    colors, layout = chart_colors(THEMES[name]), laid_out(LINES)
    image = chart_picture(LINES, THEMES[name], 560, 2.0)
    first, second, lonely = layout.marks
    assert color_at(image, (first.x + second.x) / 2, first.y) == colors.series[0]
    assert color_at(image, lonely.x, lonely.y) == colors.series[0]
    middle = (second.x + lonely.x) / 2
    column = {color_at(image, middle, layout.plot.y + down) for down in range(int(layout.plot.height))}
    assert colors.series[0] not in column


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("name", THEME_NAMES)
def test_every_scheme_draws_another_picture(qapp, name, kind):
    others = [chart_picture(KINDS[kind], THEMES[other], 400, 1.0) for other in THEME_NAMES if other != name]
    assert chart_picture(KINDS[kind], THEMES[name], 400, 1.0) not in others


def test_high_contrast_tells_bars_apart_without_colours(qapp):
    layout = laid_out(BARS)
    image = chart_picture(BARS, THEMES["high-contrast"], 560, 2.0)
    bar = next(mark.bar for mark in layout.marks if mark.series == 1 and mark.category == 1)
    middle = bar.y + bar.height / 2
    row = {color_at(image, bar.x + step / 2, middle) for step in range(4, int(bar.width) * 2 - 4)}
    assert len(row) > 1


@pytest.mark.parametrize("width", [260, 560, 760])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_real_fonts_overlap_nothing(qapp, kind, width):
    layout = laid_out(KINDS[kind], width)
    boxes = [label.box for label in layout.categories] + [tick.label.box for tick in layout.ticks]
    for one, other in combinations(boxes, 2):
        apart_x = one.right <= other.x or other.right <= one.x
        assert apart_x or one.bottom <= other.y or other.bottom <= one.y


def test_a_chart_with_everything_hidden_says_so(qapp):
    hidden = Options(hidden=frozenset({0, 1}))
    image = chart_picture(BARS, THEMES["light"], 400, 1.0, hidden)
    empty = Chart("bar", "T", "S", ChartData(("a",), (Series("x", (None,)), Series("y", (None,)))))
    plot = laid_out(BARS, 400, hidden).plot
    inked = {
        color_at(image, plot.x + right, plot.y + plot.height / 2) for right in range(int(plot.width))
    } - {"#ffffff", "#e3e6ea"}
    assert inked
    assert image != chart_picture(empty, THEMES["light"], 400, 1.0)


def test_a_chart_without_its_data_is_not_drawn(qapp):
    with pytest.raises(ValueError, match="join its snapshot"):
        chart_picture(Chart("bar", "T", "S"), THEMES["light"], 400, 1.0)


def test_painting_leaves_the_painter_as_it_was(qapp):
    image = QImage(400, 300, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    try:
        before = (painter.font(), painter.pen(), painter.brush())
        paint_chart(painter, laid_out(BARS, 400), chart_colors(THEMES["dark"]), body_font(SMALL_PX))
        assert (painter.font(), painter.pen(), painter.brush()) == before
    finally:
        painter.end()
