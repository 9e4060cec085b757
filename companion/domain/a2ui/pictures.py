"""Which pictures of a surface may be decoded: small ones inside the document. Pure."""

from __future__ import annotations

import base64
import binascii
import re
import struct
from typing import Final

MAX_BYTES: Final = 1024 * 1024
MAX_SIDE_PX: Final = 4096

_DATA: Final = re.compile(r"data:image/(png|jpeg|jpg|gif|webp);base64,", re.IGNORECASE)
_SIGNATURE: Final = {"png": b"\x89PNG\r\n\x1a\n", "gif": b"GIF8", "webp": b"RIFF", "jpeg": b"\xff\xd8"}


def is_inline(address: str) -> bool:
    """Whether an address holds a picture of a kind that is drawn."""
    return _DATA.match(address) is not None


def problem(address: str) -> str | None:
    """Return why an inline picture is not decoded, or None.

    The size of PNG, GIF and WebP is read here; a decoder must bound JPEG itself.
    """
    match = _DATA.match(address)
    assert match is not None, "only inline pictures are judged"
    encoded = address[match.end() :]
    if len(encoded) > MAX_BYTES * 4 // 3 + 4:
        return f"the picture is larger than {MAX_BYTES} bytes"
    try:
        content = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return "the picture is not base64"
    kind = match[1].lower().replace("jpg", "jpeg")
    if not content.startswith(_SIGNATURE[kind]):
        return f"the picture is no {kind.upper()}"
    if max(_sides(kind, content)) > MAX_SIDE_PX:
        return f"the picture is wider or higher than {MAX_SIDE_PX} pixels"
    return None


def _sides(kind: str, content: bytes) -> tuple[int, int]:
    """Return width and height in pixels; 0 where the header does not say it."""
    try:
        if kind == "png" and content[12:16] == b"IHDR":
            width, height = struct.unpack_from(">II", content, 16)
        elif kind == "gif":
            width, height = struct.unpack_from("<HH", content, 6)
        elif kind == "webp" and content[12:16] == b"VP8X":
            width = int.from_bytes(content[24:27], "little") + 1
            height = int.from_bytes(content[27:30], "little") + 1
        else:
            width, height = 0, 0
    except struct.error:
        return 0, 0
    return int(width), int(height)
