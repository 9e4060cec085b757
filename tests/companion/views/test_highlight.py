from __future__ import annotations

import pytest

from companion.views import highlight
from companion.views.theme import THEMES
from tests.support.transcripts import LaterJobs, contrast

CODE = 'def area(w):\n    # why\n    return w * 42 + len("é😀")\n'


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch):
    monkeypatch.setattr(highlight, "_cache", type(highlight._cache)())
    monkeypatch.setattr(highlight, "_met", set())


def test_keywords_comments_numbers_and_strings_have_colours_of_the_theme():
    colored = {CODE[run.start : run.end]: run.token for run in highlight.highlight("python", CODE)}
    assert colored["def"] == "accent"
    assert colored["# why"] == "muted"
    assert colored["42"] == "warn"
    assert colored["area"] == "strong"
    assert "ok" in colored.values()


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_every_colour_can_be_read_on_the_ground_of_code(theme):
    for token in ("text", "accent", "muted", "warn", "strong", "ok", "danger"):
        assert contrast(theme.color(token), theme.color("code")) >= 4.5


def test_a_language_nobody_knows_and_no_language_stay_plain():
    assert highlight.highlight("no-such-language", CODE) == ()
    assert highlight.runs_for("", CODE, LaterJobs(), lambda runs: None) == ()


def test_the_first_code_of_a_language_comes_from_the_worker_and_the_next_at_once():
    jobs, taken = LaterJobs(), []
    assert highlight.runs_for("python", CODE, jobs, taken.append) is None
    jobs.run()
    assert taken[0] == highlight.highlight("python", CODE)
    assert highlight.runs_for("python", "x = 1", jobs, taken.append)
    assert jobs.waiting == []


def test_long_code_goes_to_the_worker_and_very_long_code_stays_plain():
    jobs = LaterJobs()
    highlight._met.add("python")
    assert highlight.runs_for("python", "x = 1\n" * 500, jobs, lambda runs: None) is None
    assert len(jobs.waiting) == 1
    assert highlight.runs_for("python", "x = 1\n" * 40_000, jobs, lambda runs: None) == ()
    assert len(jobs.waiting) == 1


def test_what_is_remembered_is_bounded():
    highlight._met.add("python")
    for number in range(highlight.CACHED_CODES + 20):
        highlight.runs_for("python", f"x = {number}", LaterJobs(), lambda runs: None)
    assert len(highlight._cache) == highlight.CACHED_CODES


def test_a_lexer_without_time_leaves_the_rest_plain():
    whole = highlight.highlight("python", CODE * 50)
    assert len(highlight.highlight("python", CODE * 50, time_limit_s=-1)) < len(whole)
