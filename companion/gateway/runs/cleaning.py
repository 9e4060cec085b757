"""Makes what models and tools say fit for the wire. Pure.

JSON on the wire is UTF-8 with finite numbers; a model may write half of a
surrogate pair, a plugin may put anything into its details.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def clean_text(text: str) -> str:
    """Return *text* with `?` for each half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode()


def clean(value: object) -> Any:
    """Return *value* as JSON can say it: texts cleaned, numbers finite or null, the rest as its text."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return clean_text(value)
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {clean_text(str(key)): clean(item) for key, item in value.items()}
        case list() | tuple():
            return [clean(item) for item in value]
    return clean_text(str(value))
