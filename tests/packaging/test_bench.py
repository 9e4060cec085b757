from __future__ import annotations

import json

import bench
import pytest


def row(name: str, ratio: float | None = 1.1) -> bench.Result:
    return bench.Result(name, 11.0, 10.0 if ratio else None, ratio, "us", 5, 0.02, "what it means")


@pytest.fixture
def known(monkeypatch):
    monkeypatch.setattr(bench, "BENCHES", {"one": lambda: row("one"), "two": lambda: row("two", ratio=None)})


def test_the_json_is_a_list_of_rows_of_the_agreed_shape_and_nothing_else(known, capsys):
    assert bench.main(["--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in rows] == ["one", "two"]
    for entry in rows:
        assert list(entry) == ["name", "ours", "peer", "ratio", "unit", "runs", "spread", "detail"]
    assert rows[1]["peer"] is rows[1]["ratio"] is None


def test_one_benchmark_can_be_chosen(known, capsys):
    assert bench.main(["--only", "two"]) == 0
    shown = capsys.readouterr().out
    assert "two: 11.0 us (spread 2% of 5 runs)" in shown
    assert "one" not in shown


def test_an_unknown_benchmark_is_refused_with_those_there_are(known, capsys):
    assert bench.main(["--only", "three"]) == 2
    assert "no benchmark 'three'. Known: one, two" in capsys.readouterr().err


def test_the_spread_tells_how_much_the_runs_differ():
    assert bench.summary([10, 10, 10, 10]) == (10, 0)
    median, spread = bench.summary([5, 10, 10, 15, 100])
    assert median == 10
    assert spread > 1


def test_two_actions_are_timed_by_turns():
    order: list[str] = []
    first, second = bench.alternate(lambda: order.append("a"), lambda: order.append("b"), 3)
    assert order == ["a", "b"] * 3
    assert len(first) == len(second) == 3


def test_a_conversation_has_as_many_messages_as_asked_for_each_with_its_own_key():
    messages = bench.conversation(25)
    assert len({message.key for message in messages}) == 25
    assert {message.role for message in messages} == {"user", "assistant"}
