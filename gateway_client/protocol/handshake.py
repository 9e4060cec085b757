"""The first exchange: challenge, `connect`, `hello-ok`, and what its errors mean. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from gateway_client.errors import ConnectRefused, NextStep
from gateway_client.protocol.frames import PROTOCOL_VERSION, WireError
from gateway_client.protocol.wire_model import WireModel

Text = Annotated[str, Field(min_length=1)]

STARTUP_SIDECARS = "startup-sidecars"
CANVAS_SURFACE = "canvas"


class Challenge(WireModel):
    """The payload of `connect.challenge`: what the client must sign."""

    nonce: Text
    ts: Annotated[int, Field(ge=0)]
    """Milliseconds since 1970, by the gateway's clock."""


class ClientInfo(WireModel):
    """Who connects. `id` and `mode` are closed lists in the published contract."""

    id: Text = "gateway-client"
    version: Text
    platform: Text
    mode: Text = "ui"
    display_name: str | None = None
    device_family: str | None = None
    instance_id: str | None = None
    time_zone: str | None = None


class DeviceProof(WireModel):
    """The device's signature over the challenge (see `device`)."""

    id: Text
    public_key: Text
    signature: Text
    signed_at: int
    nonce: Text


class Auth(WireModel):
    """The secret that opens the gateway."""

    token: str | None = None
    password: str | None = None


class ConnectParams(WireModel):
    """The params of `connect`."""

    min_protocol: int = PROTOCOL_VERSION
    max_protocol: int = PROTOCOL_VERSION
    client: ClientInfo
    role: Text = "operator"
    scopes: tuple[str, ...] = ()
    caps: tuple[str, ...] = ()
    auth: Auth | None = None
    device: DeviceProof | None = None
    locale: str | None = None
    user_agent: str | None = None

    model_config = {**WireModel.model_config, "strict": False}


class ServerInfo(WireModel):
    """Which gateway answered."""

    version: str = ""
    conn_id: str = ""
    boot_id: str | None = None


class Features(WireModel):
    """What the gateway can do; menus follow this, not guesses."""

    methods: list[str] = Field(default_factory=list)
    events: list[str] = Field(default_factory=list)


class GrantedAuth(WireModel):
    """What the client may do."""

    role: str = "operator"
    scopes: list[str] = Field(default_factory=list)
    device_token: str | None = None


class AttachmentLimits(WireModel):
    """Decoded sizes in bytes."""

    max_bytes: int | None = None
    max_image_bytes: int | None = None


class Policy(WireModel):
    """The bounds of this connection."""

    max_payload: int = 25 * 1024 * 1024
    """Longest frame in bytes."""
    max_buffered_bytes: int = 50 * 1024 * 1024
    tick_interval_ms: int = 30_000
    attachments: AttachmentLimits | None = None


class HelloOk(WireModel):
    """The gateway's yes."""

    type: Literal["hello-ok"] = "hello-ok"
    protocol: int
    server: ServerInfo
    features: Features
    snapshot: dict[str, Any] = Field(default_factory=dict)
    auth: GrantedAuth = Field(default_factory=GrantedAuth)
    policy: Policy = Field(default_factory=Policy)
    plugin_surface_urls: dict[str, str] | None = None

    def offers(self, method: str) -> bool:
        """Whether the gateway has *method*."""
        return method in self.features.methods


_NEXT_STEPS: dict[str, NextStep] = {
    "AUTH_TOKEN_MISMATCH": NextStep.CHANGE_CREDENTIALS,
    "AUTH_TOKEN_MISSING": NextStep.CHANGE_CREDENTIALS,
    "AUTH_PASSWORD_MISMATCH": NextStep.CHANGE_CREDENTIALS,
    "AUTH_SCOPE_MISMATCH": NextStep.CHANGE_CREDENTIALS,
    "PAIRING_REQUIRED": NextStep.APPROVE_PAIRING,
    "PROTOCOL_MISMATCH": NextStep.UPDATE,
}


def refused(error: WireError) -> ConnectRefused:
    """Turn the answer to `connect` into the error that a caller sees.

    The truth is in `details.code`; `code` is often only `INVALID_REQUEST`.
    """
    details = dict(error.details or {})
    code = str(details.get("code") or error.code)
    is_starting = details.get("reason") == STARTUP_SIDECARS or (
        error.code == "UNAVAILABLE" and error.retryable
    )
    step = NextStep.RETRY if is_starting else _NEXT_STEPS.get(code, NextStep.GIVE_UP)
    return ConnectRefused(
        code, error.message, next_step=step, details=details, retry_after_ms=error.retry_after_ms
    )
