"""What a client says about itself when it connects."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from gateway_client.identity import DeviceIdentity
from gateway_client.protocol.device import SignedFields, sign
from gateway_client.protocol.handshake import Auth, Challenge, ClientInfo, ConnectParams, DeviceProof

CLIENT_ID = "gateway-client"
ROLE = "operator"
DEFAULT_SCOPES = ("operator.read", "operator.write", "operator.approvals")


@dataclass(frozen=True, slots=True)
class ConnectOptions:
    """Where to connect, as whom, and with which promises."""

    url: str
    """`ws://127.0.0.1:port` on this machine, else `wss://host:port`."""
    token: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    caps: frozenset[str] = frozenset()
    """What this client can really do (see `protocol.caps`)."""
    identity: DeviceIdentity | None = None
    """Signs the gateway's challenge. Most gateways give a client without one no rights."""
    display_name: str = "Companion"
    client_version: str = "0.1"
    mode: str = "ui"
    """One of webchat, cli, ui, backend, node, worker, probe, test."""
    scopes: tuple[str, ...] = DEFAULT_SCOPES
    call_timeout_s: float = 30.0
    allow_plain: bool = False
    """Whether `ws://` may lead to another machine."""


def connect_params(options: ConnectOptions, challenge: Challenge) -> ConnectParams:
    """Return the params of `connect` that answer *challenge*, signed by the device."""
    client = ClientInfo(
        id=CLIENT_ID,
        version=options.client_version,
        platform=sys.platform,
        mode=options.mode,
        display_name=options.display_name or None,
    )
    has_secret = options.token is not None or options.password is not None
    return ConnectParams(
        client=client,
        role=ROLE,
        scopes=options.scopes,
        caps=tuple(sorted(options.caps)),
        auth=Auth(token=options.token, password=options.password) if has_secret else None,
        device=_proof(options, client, challenge),
        user_agent=f"{options.display_name}/{options.client_version}",
    )


def _proof(options: ConnectOptions, client: ClientInfo, challenge: Challenge) -> DeviceProof | None:
    if options.identity is None:
        return None
    fields = SignedFields(
        client_id=client.id,
        client_mode=client.mode,
        role=ROLE,
        scopes=options.scopes,
        signed_at_ms=challenge.ts,
        token=options.token or "",
        nonce=challenge.nonce,
        platform=client.platform,
        device_family=client.device_family or "",
    )
    identity, public_key, signature = sign(options.identity.private_key, fields)
    return DeviceProof(
        id=identity, public_key=public_key, signature=signature, signed_at=challenge.ts, nonce=challenge.nonce
    )
