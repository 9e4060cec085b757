from __future__ import annotations

import base64
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.csv_table import read_table
from companion.domain.rich_output.csv_text import MAX_CSV_BYTES, NotText, decode
from companion.domain.rich_output.model import Chart, CsvSeries, CsvSource
from companion.domain.rich_output.problem import Refused
from companion.domain.rich_output.snapshot import read_snapshot, to_snapshot
from companion.domain.rich_output.validator import validate
from tests.support.rich_output import case_id, cases

SOURCE = CsvSource("data.csv", "", "a", (CsvSeries("b", "b"),))
SMALL = [case for case in cases("csv") if case["expect"].get("code") not in ("csv_not_text", "csv_too_large")]


def content(case):
    file = case["file"]
    return file.encode() if isinstance(file, str) else base64.b64decode(file["base64"])


@pytest.mark.parametrize("case", SMALL, ids=case_id)
def test_a_file_is_read_as_written_down(case):
    data, expected = content(case), case["expect"]
    assert len(data) <= MAX_CSV_BYTES
    text, _ = decode(data)
    presentation = validate(case["args"])
    charts = {}
    try:
        for index, block in enumerate(presentation.blocks):
            if isinstance(block, Chart) and block.csv is not None:
                charts[index] = read_table(text, block.csv, f"/blocks/{index}/csv").data
        snapshot = to_snapshot(charts)
    except Refused as refused:
        first = refused.first
        found = {name: getattr(first, name) for name in expected if name != "ok"}
        assert found == {name: value for name, value in expected.items() if name != "ok"}
    else:
        assert expected["ok"], snapshot
        assert snapshot == expected["snapshot"]
        assert read_snapshot(snapshot) == charts


@pytest.mark.parametrize(
    "case", [case for case in cases("csv") if case["expect"].get("code") == "csv_not_text"], ids=case_id
)
def test_bytes_that_are_no_text_are_not_guessed_at(case):
    with pytest.raises(NotText):
        decode(content(case))


@given(
    st.binary(max_size=200)
    | st.text('ab,;"\n\r\t |1.5e-', max_size=60).map(lambda text: f"a,b\n{text}".encode())
)
def test_any_file_is_read_whole_or_refused(data):
    with suppress(NotText, Refused):
        data = read_table(decode(data)[0], SOURCE, "/blocks/0/csv").data
        assert read_snapshot(to_snapshot({0: data})) == {0: data}
