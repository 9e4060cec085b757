from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.layout import Box, Options, Ruler, elided, lay_out, names
from companion.domain.rich_output.model import ChartData, Series
from tests.support.rich_output import case_id, cases

RULER = Ruler(lambda text: 7.0 * len(text), 14.0)
TINY = Ruler(lambda text: 0.01 * len(text), 14.0)
PLAIN = Options()
NUMBERS = st.none() | st.floats(-1e6, 1e6, allow_nan=False) | st.integers(-9, 9)
# The number of ticks that are wanted follows from the height, which follows from the width.
WIDTHS = {5: 560.0, 6: 760.0}


def of(values, labels=None, *more):
    texts = tuple(labels or (f"c{index}" for index in range(len(values))))
    every = [values, *more]
    return ChartData(texts, tuple(Series(f"s{index}", tuple(row)) for index, row in enumerate(every)))


@st.composite
def charts(draw):
    count = draw(st.integers(1, 100))
    row = st.lists(NUMBERS, min_size=count, max_size=count)
    labels = st.lists(st.text("abw ", min_size=1, max_size=30), min_size=count, max_size=count)
    return of(draw(row), draw(labels), *draw(st.lists(row, max_size=3)))


def overlap(one: Box, other: Box) -> bool:
    beside = one.right <= other.x or other.right <= one.x
    return not (beside or one.bottom <= other.y or other.bottom <= one.y)


READABLE = [case for case in cases("rendering", "axis_cases") if case["want"] in WIDTHS]


@pytest.mark.parametrize("case", READABLE, ids=case_id)
def test_the_ticks_of_a_layout_are_those_written_down(case):
    options = Options(from_zero=case["zero_option"])
    layout = lay_out(of(case["values"]), case["chart_type"], WIDTHS[case["want"]], RULER, options)
    assert [tick.label.text for tick in layout.ticks] == case["expect"]["labels_en_US"]
    places = [tick.at for tick in layout.ticks]
    assert places == sorted(places, reverse=True)
    assert (places[0], places[-1]) == pytest.approx((layout.plot.bottom, layout.plot.y))


@pytest.mark.parametrize("case", cases("rendering", "x_label_cases"), ids=case_id)
def test_the_categories_of_a_layout_are_those_written_down(case):
    layout = lay_out(of([1] * len(case["labels"]), case["labels"]), "line", 560, TINY, PLAIN)
    assert [label.text for label in layout.categories] == case["expect"]["texts_en_US"]


@given(charts(), st.sampled_from(["line", "bar"]), st.sampled_from([260.0, 560.0, 760.0]))
def test_no_text_lies_outside_or_on_another(data, kind, width):
    layout = lay_out(data, kind, width, RULER, PLAIN)
    whole = [tick.label.box for tick in layout.ticks] + [label.box for label in layout.categories]
    whole += [entry.label.box for entry in layout.legend]
    for box in whole:
        assert box.x >= -1e-6
        assert box.right <= width + 1e-6
        assert box.y >= -1e-6
        assert box.bottom <= layout.height + 1e-6
    assert not [pair for pair in combinations(whole, 2) if overlap(*pair)]


@given(charts(), st.sampled_from(["line", "bar"]), st.sampled_from([260.0, 560.0]))
def test_every_value_has_a_mark_inside_the_plot_and_every_gap_has_none(data, kind, width):
    layout = lay_out(data, kind, width, RULER, PLAIN)
    expected = {
        (index, category)
        for index, series in enumerate(data.series)
        for category, value in enumerate(series.values)
        if value is not None
    }
    assert {(mark.series, mark.category) for mark in layout.marks} == expected
    plot = layout.plot
    for mark in layout.marks:
        assert plot.x - 1 <= mark.x <= plot.right + 1
        assert plot.y - 1 <= mark.y <= plot.bottom + 1


def test_a_gap_breaks_a_line_and_a_lonely_point_stays():
    layout = lay_out(of([1, 2, None, 3, None, 4, 5]), "line", 560, RULER, PLAIN)
    assert [[mark.category for mark in run] for run in layout.runs] == [[0, 1], [3], [5, 6]]


def test_negative_bars_hang_from_the_zero_line():
    layout = lay_out(of([5, -5, 0]), "bar", 560, RULER, PLAIN)
    up, down, none = (mark.bar for mark in layout.marks)
    assert up.bottom == pytest.approx(layout.zero)
    assert down.y == pytest.approx(layout.zero)
    assert none.height == 0


def test_a_bar_too_small_to_be_seen_is_one_pixel_high():
    layout = lay_out(of([100_000, 1, -1]), "bar", 560, RULER, PLAIN)
    assert [mark.bar.height for mark in layout.marks[1:]] == [1.0, 1.0]


def test_long_labels_lay_the_bars_down():
    labels = [f"a service with a long name {index}" for index in range(6)]
    lying = lay_out(of([1, 2, 3, 4, 5, 6], labels), "bar", 560, RULER, PLAIN)
    assert lying.is_horizontal
    assert len(lying.categories) == 6
    assert lying.plot.x <= 0.38 * 560 + 8
    assert not lay_out(of([1, 2, 3, 4, 5, 6], labels), "line", 560, RULER, PLAIN).is_horizontal


def test_hiding_a_series_rescales_the_axis_and_keeps_its_place_in_the_legend():
    data = of([1, 2], ["a", "b"], [100, 200])
    layout = lay_out(data, "bar", 560, RULER, Options(hidden=frozenset({1})))
    assert layout.ticks[-1].label.text == "2"
    assert [entry.is_visible for entry in layout.legend] == [True, False]
    assert lay_out(data, "bar", 560, RULER, Options(hidden=frozenset({0, 1}))).axis.is_empty


def test_series_of_one_name_are_told_apart():
    row = Series("x", (1,))
    assert names(ChartData(("a",), (row, row))) == ("x", "x (2)")


@given(st.text(max_size=20), st.floats(7, 200))
def test_a_shortened_text_fits_and_says_that_it_is_short(text, room):
    short = elided(text, room, RULER.width)
    assert RULER.width(short) <= room
    assert short == text or short.endswith("…")
