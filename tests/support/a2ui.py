"""The cases of Canvas and A2UI: input and expected outcome, as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.domain.a2ui.policy import CanvasPolicy

CASES = Path(__file__).parents[1] / "vectors" / "a2ui"
KEYS = {
    "Enabled": "is_enabled",
    "MaxCommandBytes": "max_command_bytes",
    "MaxSnapshotBytes": "max_snapshot_bytes",
    "CommandTimeoutSeconds": "command_timeout_s",
    "MaxFramesPerPush": "max_frames_per_push",
    "EnableLocalHtml": "has_local_html",
    "EnableEval": "has_eval",
}


def cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of one file."""
    text = (CASES / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def policy(config: dict[str, Any] | None) -> CanvasPolicy:
    """Return the policy of a case; what it does not name has no counterpart here."""
    return CanvasPolicy(**{KEYS[name]: value for name, value in (config or {}).items() if name in KEYS})


def limit(case_id: str) -> dict[str, Any]:
    """Return one case of the limits."""
    document = json.loads((CASES / "limits.json").read_text(encoding="utf-8"))
    return next(case for case in document["cases"] if case["id"] == case_id)


def differences(expected: Any, actual: Any, where: str = "") -> list[str]:
    """Return where *actual* misses what is expected: a subset of keys, lists in full, true is not 1."""
    if expected is None:
        return [] if actual is None else [f"{where}: {actual!r} instead of nothing"]
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or (not expected and actual):
            return [f"{where}: {actual!r} instead of {expected!r}"]
        return [
            line for key in expected for line in differences(expected[key], actual.get(key), f"{where}.{key}")
        ]
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return [f"{where}: {actual!r} instead of {expected!r}"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for place, (one, two) in pairs for line in differences(one, two, f"{where}[{place}]")]
    is_same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return [] if is_same else [f"{where}: {actual!r} instead of {expected!r}"]
