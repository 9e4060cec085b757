from __future__ import annotations

from companion.domain.rich_output.fields import SERIES, Checker, Field
from companion.domain.rich_output.problem import Findings


def test_a_field_that_models_invent_is_refused_with_what_to_do_instead():
    findings = Findings()
    Checker(findings, "posix").names({"label": "x", "values": [], "unit": "ms"}, SERIES, "/blocks/0/series/0")
    (problem,) = findings.problems
    assert (problem.code, problem.pointer) == ("field_unknown", "/blocks/0/series/0/unit")
    assert "series label" in problem.advice


def test_a_pointer_escapes_the_name_of_the_field():
    findings = Findings()
    Checker(findings, "posix").names({"a/b~": 1}, (), "")
    assert findings.problems[0].pointer == "/a~1b~0"


def test_a_length_is_told_with_its_bounds():
    findings = Findings()
    assert not Checker(findings, "posix").text("x" * 121, Field("title"), "/title")
    assert findings.problems[0].message == "there are 121 characters; 1 to 120 are allowed."
