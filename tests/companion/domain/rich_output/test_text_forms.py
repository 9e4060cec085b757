from __future__ import annotations

import pytest

from companion.domain.rich_output.model import ChartData, Series
from companion.domain.rich_output.snapshot import joined, read_snapshot
from companion.domain.rich_output.text_forms import MAX_DIGEST_CHARS, digest, export_csv, plain_text
from companion.domain.rich_output.validator import validate
from tests.support.rich_output import case_id, cases


@pytest.mark.parametrize("case", cases("textforms", "text_cases"), ids=case_id)
def test_a_presentation_reads_as_written_down(case):
    presentation = validate(case["input"])
    if case["snapshot"] is not None:
        presentation = joined(presentation, read_snapshot(case["snapshot"]))
    expected = case["expect"]
    assert plain_text(presentation) == expected["plain_text"]
    if "model_text" in expected:
        assert digest(presentation, case.get("missing_files", ())) == expected["model_text"]


@pytest.mark.parametrize("case", cases("textforms", "export_cases"), ids=case_id)
def test_data_is_exported_as_written_down(case):
    series = (Series(entry["label"], tuple(entry["values"])) for entry in case["source"]["series"])
    data = ChartData(tuple(case["source"]["labels"]), tuple(series))
    assert export_csv(data, case["x_header"]) == case["expect"]["csv"]


def test_a_digest_stays_short_whatever_the_labels():
    series = [{"label": "x" * 120, "values": [1]}] * 4
    chart = {"type": "chart", "chart_type": "bar", "title": "C" * 120, "summary": "S", "labels": ["a"]}
    presentation = validate({"version": 1, "title": "T", "blocks": [{**chart, "series": series}] * 4})
    assert len(digest(presentation)) <= MAX_DIGEST_CHARS
