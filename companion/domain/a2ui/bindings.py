"""Paths into a data model: reading, writing, `{path}` in texts, and values as texts. Pure.

A path has segments between dots, of which empty ones do not count; one that
begins with a slash is a JSON Pointer. Only JSON objects and arrays are walked.
"""

from __future__ import annotations

import copy
import math
import re
from typing import Any, Final

from companion.domain.a2ui import strict_json


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
"""Nothing is there; null is something."""

_PLACE: Final = re.compile(r"\{([A-Za-z0-9_.\-]+)\}")
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def segments(path: object) -> list[str]:
    """Return the segments of a path; none if it is no text."""
    if not isinstance(path, str):
        return []
    if path.startswith("/"):
        return [one.replace("~1", "/").replace("~0", "~") for one in path[1:].split("/") if one]
    return [one for one in path.split(".") if one]


def read(model: object, path: object) -> Any:
    """Return the value at *path*, or `MISSING`."""
    steps = segments(path)
    if not steps:
        return MISSING
    value = model
    for step in steps:
        value = _child(value, step)
        if value is MISSING:
            return MISSING
    return value


def _child(value: object, step: str) -> Any:
    if isinstance(value, dict):
        return value.get(step, MISSING)
    if isinstance(value, list) and _INDEX.fullmatch(step) and int(step) < len(value):
        return value[int(step)]
    return MISSING


def write(model: dict[str, Any] | None, path: object, value: Any) -> dict[str, Any] | None:
    """Return a copy of *model* with *value* at *path*.

    Missing objects are made, and a scalar in the way becomes one. None says that
    the path leads nowhere: it is empty, or outside of an array.
    """
    steps = segments(path)
    if not steps:
        return None
    root: dict[str, Any] = dict(model or {})
    holder: Any = root
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        is_last = following is None
        if isinstance(holder, list):
            if not _INDEX.fullmatch(step) or int(step) >= len(holder):
                return None
            key: Any = int(step)
        else:
            key = step
        if is_last:
            holder[key] = copy.deepcopy(value)
        else:
            # Only what lies on the way is copied: the old model stays as it was.
            holder[key] = _opened(holder[key] if isinstance(holder, list) else holder.get(key))
            holder = holder[key]
    return root


def _opened(value: object) -> Any:
    if isinstance(value, dict):
        return dict(value)
    return list(value) if isinstance(value, list) else {}


def text_of(value: object) -> str:
    """Return a JSON value as a person reads it: null is empty, whole floats have no `.0`."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case int():
            return str(value)
    return strict_json.dump(value)


def number_of(value: object) -> int | float | None:
    """Return a number, also one written as text; None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if not isinstance(value, str) or len(value) > 100:
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() and "." not in value else number


def is_true(value: object) -> bool:
    """Whether a value counts as true, as JavaScript judges: empty arrays and objects do."""
    return isinstance(value, list | dict) or (value is not MISSING and bool(value))


def interpolate(text: str, model: object) -> str:
    """Return *text* with each `{path}` replaced once; what is missing gives nothing."""

    def found(match: re.Match[str]) -> str:
        value = read(model, match[1])
        return "" if value is MISSING else text_of(value)

    return _PLACE.sub(found, text)
