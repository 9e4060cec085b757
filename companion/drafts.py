"""What is written and not sent, for each conversation, kept in one file of the profile.

A conversation is named by its gateway and its key, so that a draft never leaks
into another chat. A file that cannot be read is set aside, never overwritten.
"""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

log = logging.getLogger(__name__)


class Drafts:
    """The drafts of one gateway's conversations.

    Args:
        path: The file, or None to keep everything in memory.
        target: Which gateway; drafts of others in the same file stay as they are.
    """

    def __init__(self, path: Path | None, target: str) -> None:
        self._path = path
        self._target = target
        self._all = _read(path) if path is not None else {}

    def text(self, session_key: str) -> str:
        """Return what is written in a conversation and not sent."""
        return self._all.get(self._target, {}).get(session_key, "")

    def keep(self, session_key: str, text: str) -> None:
        """Remember *text*; an empty one is forgotten. A disk that refuses is logged, and memory has it."""
        if self.text(session_key) == text:
            return
        drafts = self._all.setdefault(self._target, {})
        drafts.pop(session_key, None)
        if text:
            drafts[session_key] = text
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        fresh = self._path.with_suffix(".new")
        try:
            fresh.write_text(json.dumps(self._all, ensure_ascii=True), encoding="utf-8")
            os.replace(fresh, self._path)
        except OSError as error:
            log.warning("drafts could not be written to %s: %s", self._path, error)


def _read(path: Path) -> dict[str, dict[str, str]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(drafts, dict) for drafts in found.values()):
            raise ValueError("not a table of drafts")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        aside = path.with_suffix(".damaged")
        log.warning("drafts in %s could not be read (%s); they are kept as %s", path, error, aside)
        if path.exists():
            os.replace(path, aside)
        return {}
    return {
        target: {key: text for key, text in drafts.items() if isinstance(text, str)}
        for target, drafts in found.items()
    }
