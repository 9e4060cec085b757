"""Recorded frames: what went over the wire between a client and a gateway that others wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FRAMES = Path(__file__).parents[1] / "vectors" / "frames"
RECORDINGS = sorted(path.stem for path in FRAMES.glob("*.jsonl"))


def recording(name: str) -> list[dict[str, Any]]:
    """Return the lines of a recording: `direction` is in or out with a `frame`, or closed."""
    text = (FRAMES / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def frames(name: str, direction: str) -> list[dict[str, Any]]:
    """Return the frames of one direction."""
    return [line["frame"] for line in recording(name) if line["direction"] == direction]
