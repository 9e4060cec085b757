"""From the bytes of a CSV file to its text; no encoding is ever guessed."""

from __future__ import annotations

import codecs

MAX_CSV_BYTES = 262_144
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class NotText(ValueError):
    """The bytes are no UTF-8 text, nor UTF-16 with a mark."""


def decode(data: bytes) -> tuple[str, str]:
    """Return the text and the name of its encoding.

    Raises:
        NotText: If it is none.
    """
    if data.startswith(_UTF32):
        raise NotText("UTF-32")
    mark, encoding = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", "utf-8"))
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise NotText(str(error.reason)) from None
    if "\0" in text:
        raise NotText("NUL")
    return text, encoding
