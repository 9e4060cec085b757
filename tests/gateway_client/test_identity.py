from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from gateway_client.errors import GatewayError, IdentityUnreadable
from gateway_client.identity import DeviceIdentity
from gateway_client.protocol.device import SignedFields, is_signed_by, sign


def is_private(path):
    """Whether nobody else may read the file; elsewhere than on POSIX its folder says so."""
    return os.name != "posix" or stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_identity_signs_as_the_device_it_says_it_is():
    identity = DeviceIdentity.generate()
    fields = SignedFields("c", "ui", "operator", (), 1, "", "n")
    device, public, signature = sign(identity.private_key, fields)
    assert device == identity.id
    assert is_signed_by(public, signature, fields)


def test_every_new_identity_is_another():
    assert DeviceIdentity.generate() != DeviceIdentity.generate()


def test_an_identity_is_the_same_after_a_restart(tmp_path):
    path = tmp_path / "deep" / "device.key"
    first = DeviceIdentity.load_or_create(path)
    assert DeviceIdentity.load_or_create(path) == first


def test_the_file_is_readable_by_its_owner_alone_and_made_so_if_it_was_not(tmp_path):
    path = tmp_path / "device.key"
    first = DeviceIdentity.load_or_create(path)
    assert is_private(path)
    path.chmod(0o644)
    assert DeviceIdentity.load_or_create(path) == first
    assert is_private(path)


def test_programs_that_start_at_once_get_one_identity_and_leave_no_drafts(tmp_path):
    path = tmp_path / "device.key"
    with ThreadPoolExecutor(8) as pool:
        identities = set(pool.map(lambda _: DeviceIdentity.load_or_create(path), range(16)))
    assert len(identities) == 1
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "content", [b"", b"companion-device-key-1 AAAA", b"other " + b"A" * 43, b"\xff\xfe", b"x"]
)
def test_a_file_that_holds_no_key_is_not_overwritten_and_the_error_says_what_helps(tmp_path, content):
    path = tmp_path / "device.key"
    path.write_bytes(content)
    with pytest.raises(IdentityUnreadable, match="move it away") as caught:
        DeviceIdentity.load_or_create(path)
    assert isinstance(caught.value, GatewayError)
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_written_is_an_error_with_its_reason(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(IdentityUnreadable):
        DeviceIdentity.load_or_create(tmp_path / "file" / "device.key")


def test_the_private_key_is_not_shown():
    identity = DeviceIdentity.from_private_key(bytes(range(32)))
    assert "private_key" not in repr(identity)
