"""A client of OpenClaw-style gateways: `connect`, or `GatewayClient` for a program that stays.

Everything a program needs is named here; the rest may change.
"""

from gateway_client.client import GatewayClient, connect
from gateway_client.documents import Document
from gateway_client.errors import (
    CallFailed,
    CallTimeout,
    ConnectRefused,
    DocumentRefused,
    GatewayError,
    IdentityUnreadable,
    InvalidRequest,
    LinkClosed,
    NextStep,
    ProtocolError,
)
from gateway_client.identity import DeviceIdentity
from gateway_client.options import ConnectOptions
from gateway_client.status import Gap, LinkState, LinkStatus, Notification, Reconnected
from gateway_client.timing import Timing

__all__ = [
    "CallFailed",
    "CallTimeout",
    "ConnectOptions",
    "ConnectRefused",
    "DeviceIdentity",
    "Document",
    "DocumentRefused",
    "Gap",
    "GatewayClient",
    "GatewayError",
    "IdentityUnreadable",
    "InvalidRequest",
    "LinkClosed",
    "LinkState",
    "LinkStatus",
    "NextStep",
    "Notification",
    "ProtocolError",
    "Reconnected",
    "Timing",
    "connect",
]
