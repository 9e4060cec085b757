"""The identity of a device: what it signs at `connect`, and how that is checked. Pure.

The rule is the published handshake's version 3; both ends use this file.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIGNATURE_VERSION = "v3"


@dataclass(frozen=True, slots=True)
class SignedFields:
    """The fields that a device's signature covers."""

    client_id: str
    client_mode: str
    role: str
    scopes: Sequence[str]
    signed_at_ms: int
    token: str
    nonce: str
    platform: str = ""
    device_family: str = ""

    def text(self, device_id: str) -> str:
        """Return the text that is signed."""
        parts = (
            SIGNATURE_VERSION,
            device_id,
            self.client_id,
            self.client_mode,
            self.role,
            ",".join(self.scopes),
            str(self.signed_at_ms),
            self.token,
            self.nonce,
            _fold(self.platform),
            _fold(self.device_family),
        )
        return "|".join(parts)


def _fold(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text.strip())


def encode_bytes(data: bytes) -> str:
    """Return *data* as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_bytes(text: str) -> bytes:
    """Read base64url with or without padding.

    Raises:
        ValueError: If the text is not base64url.
    """
    if "+" in text or "/" in text:  # the decoder would take both alphabets
        raise ValueError("not base64url")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("not base64url") from error


def device_id(public_key: bytes) -> str:
    """Return the id of the device that owns the raw 32-byte *public_key*."""
    return hashlib.sha256(public_key).hexdigest()


def sign(private_key: bytes, fields: SignedFields) -> tuple[str, str, str]:
    """Sign *fields* with a raw 32-byte private key.

    Returns:
        Device id, public key and signature, as `connect` carries them.
    """
    key = Ed25519PrivateKey.from_private_bytes(private_key)
    public = key.public_key().public_bytes_raw()
    signature = key.sign(fields.text(device_id(public)).encode())
    return device_id(public), encode_bytes(public), encode_bytes(signature)


def is_signed_by(public_key: str, signature: str, fields: SignedFields) -> bool:
    """Whether *signature* over *fields* was made with the key behind *public_key*."""
    try:
        raw = decode_bytes(public_key)
        Ed25519PublicKey.from_public_bytes(raw).verify(
            decode_bytes(signature), fields.text(device_id(raw)).encode()
        )
    except (ValueError, InvalidSignature):
        return False
    return True
