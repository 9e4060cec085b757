"""Names of the capabilities that a client may declare at `connect`.

A capability is a promise of what the client can show or do, never a permission.
Gateways offer a tool only to runs whose client declared what the tool requires.
"""

from __future__ import annotations

from collections.abc import Iterable

INLINE_WIDGETS = "inline-widgets"
"""The client draws hosted widget documents in the conversation."""

TOOL_EVENTS = "tool-events"
"""The client wants `agent` events with the life of each tool call."""

KNOWN = frozenset({INLINE_WIDGETS, TOOL_EVENTS})
"""The capabilities that this library gives a meaning to; peers may know more."""


def normalise(names: Iterable[str]) -> frozenset[str]:
    """Return *names* trimmed, without blanks and duplicates."""
    return frozenset(name.strip() for name in names if name.strip())
