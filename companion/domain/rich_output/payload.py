"""From the text of arguments to JSON values, and their size."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from companion.domain.rich_output.problem import Problem, Refused

MAX_PAYLOAD_BYTES = 65_536
_MAX_DIGITS = 400


def compact_bytes(value: Any) -> int:
    """Return the size of the compact JSON of *value* in UTF-8; a lone surrogate counts three bytes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


def read_arguments(text: str) -> Any:
    """Read arguments as a model wrote them.

    Raises:
        Refused: If it is no strict JSON.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_read_int)
    except (ValueError, RecursionError):
        raise Refused(
            Problem("payload_invalid", "", "the arguments are not JSON.", "Send one JSON object.")
        ) from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _read_int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float("-inf" if digits[0] == "-" else "inf")
