"""Who may come in: checks of the upgrade request and of `connect`. Pure.

Order: a foreign page and a foreign host name are refused before the upgrade;
then protocol, token, device. A refusal never says more than the code.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from gateway_client.errors import ProtocolError
from gateway_client.protocol import device
from gateway_client.protocol.frames import PROTOCOL_VERSION, WireError
from gateway_client.protocol.handshake import Challenge, ConnectParams, DeviceProof

POLICY_VIOLATION = 1008
PROTOCOL_FAULT = 1002

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^:\[\]]+)(?::(?P<port>\d{1,5}))?")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a client is not let in, and how the socket is closed."""

    error: WireError
    close_code: int = POLICY_VIOLATION


def host_refusal(host: str | None, port: int) -> str | None:
    """Return why the `Host` header is refused, or None. Stops names that were bent to this machine."""
    match = _HOST.fullmatch(host or "")
    if match is None or match["name"].lower() not in LOOPBACK_NAMES:
        return "the Host header must name this machine: 127.0.0.1, localhost or [::1]"
    if match["port"] is None or int(match["port"]) != port:
        return f"the Host header must name the port {port}"
    return None


def origin_refusal(origin: str | None, allowed: Collection[str]) -> str | None:
    """Return why the `Origin` header is refused, or None. Programs send none; pages do."""
    if origin is None or origin in allowed:
        return None
    return "web pages may not connect here; allow their origin with allowed_origins in the settings"


def is_token(given: str | None, token: str) -> bool:
    """Whether *given* is the token, compared in constant time."""
    return hmac.compare_digest((given or "").encode("utf-8", "surrogatepass"), token.encode())


def admit(params: Mapping[str, Any], challenge: Challenge, token: str) -> ConnectParams | Refusal:
    """Judge the params of `connect`."""
    try:
        wanted = ConnectParams.from_wire(params)
    except ProtocolError as error:
        return Refusal(WireError("INVALID_REQUEST", f"invalid connect params: {error}"))
    return (
        _protocol_refusal(wanted)
        or _token_refusal(wanted, token)
        or _device_refusal(wanted, challenge)
        or wanted
    )


def _protocol_refusal(wanted: ConnectParams) -> Refusal | None:
    if wanted.min_protocol <= PROTOCOL_VERSION <= wanted.max_protocol:
        return None
    details = {
        "code": "PROTOCOL_MISMATCH",
        "clientMinProtocol": wanted.min_protocol,
        "clientMaxProtocol": wanted.max_protocol,
        "expectedProtocol": PROTOCOL_VERSION,
        "minimumProbeProtocol": PROTOCOL_VERSION,
    }
    return Refusal(WireError("INVALID_REQUEST", "protocol mismatch", details=details), PROTOCOL_FAULT)


def _token_refusal(wanted: ConnectParams, token: str) -> Refusal | None:
    given = wanted.auth.token if wanted.auth else None
    if is_token(given, token):
        return None
    kind = "mismatch" if given else "missing"
    details = {
        "code": f"AUTH_TOKEN_{kind.upper()}",
        "authReason": f"token_{kind}",
        # This gateway gives out no device tokens, so there is none to try again with.
        "canRetryWithDeviceToken": False,
        "recommendedNextStep": "update_auth_credentials" if given else "update_auth_configuration",
    }
    sentence = f"unauthorized: gateway token {kind} (provide gateway auth token)"
    return Refusal(WireError("INVALID_REQUEST", sentence, details=details))


def _device_refusal(wanted: ConnectParams, challenge: Challenge) -> Refusal | None:
    proof = wanted.device
    if proof is None:
        return None
    if proof.nonce != challenge.nonce:
        return _device("DEVICE_AUTH_NONCE_MISMATCH", "device-nonce-mismatch", "device nonce mismatch")
    if proof.signed_at != challenge.ts:
        return _device("DEVICE_AUTH_SIGNATURE_EXPIRED", "device-signature-stale", "device signature expired")
    if not _is_own_id(proof):
        return _device("DEVICE_AUTH_DEVICE_ID_MISMATCH", "device-id-mismatch", "device identity mismatch")
    if not device.is_signed_by(proof.public_key, proof.signature, _signed(wanted, proof)):
        return _device("DEVICE_AUTH_SIGNATURE_INVALID", "device-signature", "device signature invalid")
    return None


def _is_own_id(proof: DeviceProof) -> bool:
    try:
        return device.device_id(device.decode_bytes(proof.public_key)) == proof.id
    except ValueError:
        return False


def _signed(wanted: ConnectParams, proof: DeviceProof) -> device.SignedFields:
    return device.SignedFields(
        client_id=wanted.client.id,
        client_mode=wanted.client.mode,
        role=wanted.role,
        scopes=wanted.scopes,
        signed_at_ms=proof.signed_at,
        token=(wanted.auth.token if wanted.auth else None) or "",
        nonce=proof.nonce,
        platform=wanted.client.platform,
        device_family=wanted.client.device_family or "",
    )


def _device(code: str, reason: str, sentence: str) -> Refusal:
    return Refusal(WireError("INVALID_REQUEST", sentence, details={"code": code, "reason": reason}))
