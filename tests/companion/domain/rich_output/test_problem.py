from __future__ import annotations

import pytest

from companion.domain.rich_output.problem import EnoughProblems, Findings, Problem, Refused, counted

CELL = Problem(
    "csv_number_invalid",
    "/blocks/1/csv",
    '"1,234" is not a plain number.',
    "Remove the thousands separator.",
    "thousands_separator",
    3,
    5,
    "p95_ms",
)


def test_a_problem_is_told_with_its_place_and_a_hint():
    assert CELL.told() == (
        '[csv_number_invalid] /blocks/1/csv: row 3 (line 5), column "p95_ms": '
        '"1,234" is not a plain number.\nHint: Remove the thousands separator.'
    )
    assert str(Refused(CELL)) == CELL.told()


def test_programs_read_only_what_a_problem_says():
    assert Problem("field_missing", "/title", "this field is required.").to_json() == {
        "code": "field_missing",
        "pointer": "/title",
        "message": "this field is required.",
    }
    assert CELL.to_json()["column"] == "p95_ms"


def test_the_fifth_problem_ends_the_search():
    findings = Findings()
    for _ in range(4):
        findings.add("field_type", "/title", "this must be a text.")
    with pytest.raises(EnoughProblems):
        findings.add("field_type", "/title", "this must be a text.")
    assert len(findings.problems) == 5


def test_counts_agree_with_their_noun():
    assert (counted(1, "row"), counted(0, "row")) == ("1 row", "0 rows")
