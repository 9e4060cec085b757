"""The text of a path, judged before any file system sees it."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Platform: TypeAlias = Literal["posix", "windows"]

MAX_PATH_CHARS = 1024
MAX_SEGMENTS = 64
MAX_SEGMENT_BYTES = 255
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_ADDRESS = re.compile(r"(data|file|https?|ftp|javascript|vbscript|blob|about|mailto|qrc|[a-z]):", re.I)
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\..*)?", re.I)
_WINDOWS_FORBIDDEN = re.compile(r'[<>:"|?*]')


class PathRefused(ValueError):
    """A path is not taken; the message says why."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)


def segments(path: str, platform: Platform = "posix") -> tuple[str, ...]:
    """Return the parts of a relative path; nothing in it is ever expanded.

    Raises:
        PathRefused: If it is not a plain relative path.
    """
    if not 1 <= len(path) <= MAX_PATH_CHARS:
        raise PathRefused("field_length", f"has {len(path)} characters; 1 to {MAX_PATH_CHARS} are allowed")
    if not path.strip() or _CONTROL.search(path):
        raise PathRefused("path_invalid", "is blank or holds a control character")
    plain = path.replace("\\", "/")
    if plain[0] in "/:" or "://" in plain or _ADDRESS.match(plain):
        raise PathRefused("path_not_relative", "is not relative to the workspace")
    raw = plain.split("/")
    if ".." in raw:
        raise PathRefused("path_traversal", 'has a ".." segment')
    kept = tuple(part for part in raw if part not in ("", "."))
    if not kept or raw[-1] in ("", "."):
        raise PathRefused("path_invalid", "names a folder and not a file")
    if kept[0].startswith("~"):
        raise PathRefused("path_not_relative", "begins with ~, which is never expanded")
    _check_names(kept, platform)
    return kept


def _check_names(kept: tuple[str, ...], platform: Platform) -> None:
    if len(kept) > MAX_SEGMENTS:
        raise PathRefused("path_invalid", f"has {len(kept)} segments; {MAX_SEGMENTS} are allowed")
    for part in kept:
        if len(part.encode()) > MAX_SEGMENT_BYTES:
            raise PathRefused("path_invalid", f"has a segment of more than {MAX_SEGMENT_BYTES} bytes")
        if not part.strip("."):
            raise PathRefused("path_invalid", "has a segment of dots only")
        if platform == "windows" and (
            _WINDOWS_FORBIDDEN.search(part) or part[-1] in ". " or _DEVICE.fullmatch(part)
        ):
            raise PathRefused("path_invalid", "has a segment that Windows does not allow")


def canonical(path: str) -> str:
    """Return an accepted path as it is shown."""
    return "/".join(segments(path))
