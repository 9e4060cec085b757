from __future__ import annotations

from gateway_client.protocol.caps import INLINE_WIDGETS, KNOWN, TOOL_EVENTS, normalise


def test_names_are_trimmed_and_blanks_and_repeats_are_dropped():
    assert normalise([" inline-widgets", "", "  ", "inline-widgets", "x"]) == {"inline-widgets", "x"}
    assert normalise([""]) == frozenset()


def test_the_known_names_are_those_of_the_published_registry():
    assert {INLINE_WIDGETS, TOOL_EVENTS} <= KNOWN
    assert INLINE_WIDGETS == "inline-widgets"
    assert TOOL_EVENTS == "tool-events"
