"""The v0.8 lines of a push: one JSON object a line, all of them right or none taken. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from companion.domain.a2ui import strict_json
from companion.domain.a2ui.refusal import A2uiError

MAX_FRAMES: Final = 100
CLIENT_MAX_FRAMES: Final = 1000
CLIENT_MAX_BYTES: Final = 512 * 1024

_OFFICIAL_KEYS: Final = frozenset(
    ("createSurface", "updateComponents", "updateDataModel", "deleteSurface", "surfaceUpdate")
) | {"dataModelUpdate", "beginRendering"}

Frame = Mapping[str, Any]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _has_text(*names: str) -> Callable[[Frame], bool]:
    return lambda frame: any(_is_text(frame.get(name)) for name in names)


def _has_lists(*names: str) -> Callable[[Frame], bool]:
    return lambda frame: all(isinstance(frame.get(name), list) for name in names)


NEEDS: Final[Mapping[str, tuple[str, Callable[[Frame], bool]]]] = {
    "text": ("a text 'text'", _has_text("text")),
    "markdown": ("a text 'text'", _has_text("text")),
    "card": ("a text 'title' or 'body'", _has_text("title", "body")),
    "button": ("a text 'label'", _has_text("label")),
    "input": ("nothing", lambda _frame: True),
    "select": ("a list 'options'", _has_lists("options")),
    "checklist": ("a list 'options'", _has_lists("options")),
    "table": ("the lists 'columns' and 'rows'", _has_lists("columns", "rows")),
    "image": ("a text 'url' or 'src'", _has_text("url", "src")),
    "progress": ("a number 'value'", lambda frame: _is_number(frame.get("value"))),
    "chart": ("'data'", lambda frame: "data" in frame),
}
"""Each type of v0.8 with what it needs, in words and as a rule."""


def parse(text: str, *, max_frames: int = MAX_FRAMES, max_bytes: int) -> list[dict[str, Any]]:
    """Return the frames of a push.

    Args:
        max_bytes: Bound of the whole text in UTF-8.

    Raises:
        A2uiError: With the first thing that is wrong, and the 1-based number of its frame.
    """
    if not text.strip():
        raise A2uiError("empty", "frames is empty; give one JSON object a line.")
    max_bytes, max_frames = max(1, max_bytes), max(1, max_frames)
    size = strict_json.size(text)
    if size > max_bytes:
        raise A2uiError("too_large", f"frames is {size} bytes; the limit is {max_bytes}. Push it in parts.")
    found: list[dict[str, Any]] = []
    for line in _lines(text):
        number = len(found) + 1
        if number > max_frames:
            raise A2uiError(
                "too_many_frames", f"there are more than {max_frames} frames; push fewer.", frame=number
            )
        found.append(_frame(line, number))
    return found


def _lines(text: str) -> Iterator[str]:
    # Only LF ends a line: texts may hold every other separator that `splitlines` knows.
    return (line for raw in text.replace("\r\n", "\n").split("\n") if (line := raw.strip()))


def _frame(line: str, number: int) -> dict[str, Any]:
    def refusal(category: str, reason: str) -> A2uiError:
        return A2uiError(category, f"frame {number}: {reason}", frame=number)

    try:
        frame = strict_json.parse(line)
    except (ValueError, RecursionError):
        raise refusal("invalid_json", "is not JSON; write one object a line.") from None
    if not isinstance(frame, dict):
        raise refusal("not_object", "is not a JSON object.")
    if _is_v09(frame):
        raise refusal(
            "v09_frame", "is a message of v0.9; use a2ui_create_surface and a2ui_update_components."
        )
    kind = frame.get("type")
    if not isinstance(kind, str):
        raise refusal("missing_type", "has no text 'type'.")
    rule = NEEDS.get(kind.lower())
    if rule is None:
        raise refusal("unsupported_type", f"type {kind[:60]!r} is none of: {', '.join(NEEDS)}.")
    if not _is_text(frame.get("id")):
        raise refusal("missing_id", "has no text 'id'.")
    if not rule[1](frame):
        raise refusal("missing_field", f"a {kind.lower()} needs {rule[0]}.")
    return frame


def _is_v09(frame: Frame) -> bool:
    named = (frame.get("command"), frame.get("type"))
    if any(isinstance(name, str) and name.lower() == "createsurface" for name in named):
        return True
    return "type" not in frame and not _OFFICIAL_KEYS.isdisjoint(frame)
