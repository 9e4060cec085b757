"""What a person sent, as it is kept, and messages cut to what a client asked for. Pure."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gateway_client.protocol.methods import Attachment

MAX_IMAGE_BYTES = 6 * 1024 * 1024
MAX_ATTACHMENT_BYTES = 18 * 1024 * 1024
"""All of a message together, decoded."""
IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
CUT = "\n[cut: the message is longer]"


def content(text: str, attachments: Sequence[Attachment]) -> str | list[dict[str, Any]]:
    """Return the content of a person's message.

    Raises:
        ValueError: If there is nothing to send, or a file cannot be taken. The
            message is a sentence for the sender.
    """
    if "\x00" in text:
        raise ValueError("the message contains a NUL character; remove it")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("the message contains half of a surrogate pair; write the whole character")
    if not text.strip() and not attachments:
        raise ValueError("message or attachment required")
    if not attachments:
        return text
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text.strip() else []
    total = 0
    for attachment in attachments:
        total += _checked_size(attachment)
        blocks.append({"type": "image", "data": attachment.content, "mimeType": attachment.mime_type})
    if total > MAX_ATTACHMENT_BYTES:
        raise ValueError(f"the files are {total} bytes together; the limit is {MAX_ATTACHMENT_BYTES}")
    return blocks


def _checked_size(attachment: Attachment) -> int:
    name = attachment.file_name or "the file"
    if attachment.mime_type not in IMAGE_TYPES:
        raise ValueError(
            f"{name} is {attachment.mime_type!r}; pictures can be sent: {', '.join(IMAGE_TYPES)}"
        )
    try:
        size = len(base64.b64decode(attachment.content, validate=True))
    except (binascii.Error, ValueError):
        raise ValueError(f"the content of {name} is not base64") from None
    if not 0 < size <= MAX_IMAGE_BYTES:
        raise ValueError(f"{name} is {size} bytes; a picture may have 1 to {MAX_IMAGE_BYTES}")
    return size


def fingerprint(session_key: str, sent: str | list[dict[str, Any]]) -> str:
    """Return what stands for a message: the same for the same one sent again."""
    text = json.dumps([session_key, sent], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def shortened(messages: Iterable[Mapping[str, Any]], max_chars: int | None) -> list[dict[str, Any]]:
    """Return *messages* with every text cut to *max_chars* characters; None cuts nothing."""
    if max_chars is None:
        return [dict(message) for message in messages]
    return [{**message, "content": _short_content(message.get("content"), max_chars)} for message in messages]


def _short_content(item: object, max_chars: int) -> object:
    if isinstance(item, str):
        return item if len(item) <= max_chars else item[:max_chars] + CUT
    if not isinstance(item, list):
        return item
    return [
        {**block, "text": _short_content(block["text"], max_chars)}
        if isinstance(block.get("text"), str)
        else block
        for block in item
    ]
