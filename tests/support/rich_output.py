"""The cases in `tests/vectors/rich-output`, with their long texts written out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[1] / "vectors" / "rich-output"


def expand(value: Any) -> Any:
    """Write out the placeholders, innermost first."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    inner = {name: expand(item) for name, item in value.items()}
    if len(inner) != 1:
        return inner
    match inner:
        case {"$repeat": [text, count]}:
            return text * count
        case {"$concat": parts}:
            return "".join(parts)
        case {"$list": [item, count]}:
            return [item] * count
        case {"$seq": [prefix, count]}:
            return [f"{prefix}{number}" for number in range(1, count + 1)]
    return inner


def cases(file: str, part: str = "cases") -> list[dict[str, Any]]:
    """Return the cases of one list, written out."""
    read = json.loads((VECTORS / f"{file}.json").read_text(encoding="utf-8"))
    return [expand(case) for case in read[part]]


def case_id(case: dict[str, Any]) -> str:
    """Name a case in the report of the tests."""
    return f"{case['id']} {case.get('title', '')}".strip()
