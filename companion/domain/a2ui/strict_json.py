"""JSON as RFC 8259 says it: no NaN, no half surrogate pairs, finite numbers, at most 64 levels. Pure."""

from __future__ import annotations

import json
import math
from typing import Any, Final

MAX_LEVELS: Final = 64


def parse(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: If the text is not strict JSON.
    """
    if text.count("[") + text.count("{") > MAX_LEVELS:
        _check_levels(text)
    value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    if "\\u" in text or not _is_encodable(text):
        _check_surrogates(value)
    return value


def dump(value: object) -> str:
    """Return *value* as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def size(text: str) -> int:
    """Return how many bytes *text* has in UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


def same(left: object, right: object) -> bool:
    """Whether two JSON values are equal; true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return left == right


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("the number is too large")
    return number


def _check_levels(text: str) -> None:
    # Before parsing, because the parser recurses.
    level, is_text, is_escaped = 0, False, False
    for letter in text:
        if is_text:
            is_text = is_escaped or letter != '"'
            is_escaped = letter == "\\" and not is_escaped
        elif letter == '"':
            is_text = True
        elif letter in "[{":
            level += 1
            if level > MAX_LEVELS:
                raise ValueError(f"more than {MAX_LEVELS} levels")
        elif letter in "]}":
            level -= 1


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_surrogates(value: object) -> None:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if not _is_encodable(item):
                raise ValueError("half of a surrogate pair")
        elif isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            waiting += item
