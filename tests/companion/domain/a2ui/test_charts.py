from __future__ import annotations

import pytest

from companion.domain.a2ui import charts


@pytest.mark.parametrize(
    ("data", "points"),
    [
        ([1, "2"], (("1", 1), ("2", 2))),
        ([{"x": "a", "y": 3}], (("a", 3),)),
        ({"a": 1, "b": 2.5}, (("a", 1), ("b", 2.5))),
        ({"xAxis": ["Mo"], "series": [{"name": "n", "data": [{"value": 1}]}]}, (("Mo", 1),)),
    ],
)
def test_every_form_of_data_is_read(data, points):
    assert charts.series(data)[0].points == points


@pytest.mark.parametrize("data", [None, "x", {}, {"a": "x"}, [{"label": "a"}], {"series": [1]}, [True]])
def test_data_without_numbers_cannot_be_read(data):
    assert charts.series(data) is None


def test_an_empty_list_is_a_chart_without_points():
    assert charts.series([])[0].points == ()
