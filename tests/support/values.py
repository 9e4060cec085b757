"""Strategies: any value that JSON can carry, and texts that peers might send."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

texts = st.text(st.characters(), max_size=20)
"""Any text, with halves of surrogate pairs."""

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts

json_values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def objects_with(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have some of these fields, each with its strategy or with any value at all."""
    optional = {name: strategy | json_values for name, strategy in fields.items()}
    return st.fixed_dictionaries({}, optional=optional)
