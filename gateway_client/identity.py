"""The key by which gateways know this device again, and the file that keeps it."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gateway_client.errors import IdentityUnreadable
from gateway_client.protocol.device import decode_bytes, device_id, encode_bytes

KEY_BYTES = 32
_HEADER = "companion-device-key-1"


@dataclass(frozen=True, slots=True)
class DeviceIdentity:
    """An Ed25519 key pair, and the id that follows from it."""

    private_key: bytes = field(repr=False)
    """Raw, 32 bytes; leaves this machine never."""
    id: str
    """Lower-case hex SHA-256 of the raw public key."""

    @classmethod
    def from_private_key(cls, private_key: bytes) -> DeviceIdentity:
        """Return the identity that belongs to a raw private key of 32 bytes."""
        public = Ed25519PrivateKey.from_private_bytes(private_key).public_key().public_bytes_raw()
        return cls(private_key, device_id(public))

    @classmethod
    def generate(cls) -> DeviceIdentity:
        """Make a new identity."""
        return cls.from_private_key(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def load_or_create(cls, path: Path) -> DeviceIdentity:
        """Read the identity in *path*, or make one and keep it there, readable by its owner alone.

        Of several programs that start at once, all get the same identity.

        Raises:
            IdentityUnreadable: If the file is there and holds no key, or cannot be read or written.
        """
        try:
            if not path.exists():
                _write_new(path, cls.generate())
            return cls.from_private_key(_read(path))
        except (OSError, ValueError) as error:
            raise IdentityUnreadable(
                f"the device key in {path} can not be used ({error}). Check the rights of the file; "
                "or move it away to get a new key, which gateways will ask to approve again"
            ) from error


def _read(path: Path) -> bytes:
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(0o600)
    header, _, text = path.read_text(encoding="ascii").strip().partition(" ")
    key = decode_bytes(text)
    if header != _HEADER or len(key) != KEY_BYTES:
        raise ValueError("it holds no key")
    return key


def _write_new(path: Path, identity: DeviceIdentity) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{_HEADER} {encode_bytes(identity.private_key)}\n")
            file.flush()
            os.fsync(file.fileno())
        _publish(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _publish(draft: Path, path: Path) -> None:
    """Give the draft its name, unless another program was first."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        draft.replace(path)
