"""The bounds and switches of a Canvas. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

RESERVE_BYTES: Final = 4096
"""Room for the ids of a command and the names of its fields."""


@dataclass(frozen=True, slots=True)
class CanvasPolicy:
    """What a gateway lets agents do with a Canvas; bytes count the UTF-8 of JSON texts."""

    is_enabled: bool = True
    max_command_bytes: int = 262_144
    max_snapshot_bytes: int = 262_144
    """Bound of every text that a reply carries."""
    command_timeout_s: float = 10
    max_frames_per_push: int = 100
    has_local_html: bool = True
    has_eval: bool = True

    @property
    def command_bytes(self) -> int:
        """The bound of a whole command; at least 1."""
        return max(1, self.max_command_bytes)

    @property
    def payload_bytes(self) -> int:
        """The bound of what a tool puts into a command; at least 1."""
        return max(1, self.max_command_bytes - RESERVE_BYTES)

    @property
    def timeout_s(self) -> float:
        """How long a client may take to answer: 1 to 300 seconds."""
        return min(300.0, max(1.0, float(self.command_timeout_s)))
