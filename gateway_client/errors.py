"""Every error a caller of this library may meet.

GatewayError
├── LinkClosed            the connection is gone, or was never there
│   └── ConnectRefused    the gateway answered the handshake with an error
├── ProtocolError         the peer sent what the protocol does not allow
├── CallFailed            the gateway answered a call with an error
├── CallTimeout           the gateway did not answer in time
└── DocumentRefused       a widget document may not, or can not, be read

Codes and details are the peer's own words; what to do next is
`ConnectRefused.next_step`, which this library decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any


class NextStep(Enum):
    """What helps after the gateway refused a connection."""

    RETRY = "retry"
    """The gateway is starting or busy: try again after `retry_after_ms`."""
    CHANGE_CREDENTIALS = "change-credentials"
    """The token or password is wrong or missing: ask the person for it."""
    APPROVE_PAIRING = "approve-pairing"
    """This device must be approved on the gateway first."""
    UPDATE = "update"
    """The two ends share no protocol version."""
    GIVE_UP = "give-up"
    """Trying again changes nothing; show the gateway's sentence."""


class GatewayError(Exception):
    """Anything that went wrong between a client and its gateway."""


class LinkClosed(GatewayError):
    """The connection is closed, so nothing can be sent or answered."""


class ConnectRefused(LinkClosed):
    """The gateway refused the handshake.

    Args:
        code: The gateway's error code, the most exact one it gave.
        message: The gateway's sentence.
        next_step: What helps.
        details: Whatever else the gateway said.
        retry_after_ms: How long to wait before a retry, if the gateway said so.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        next_step: NextStep,
        details: Mapping[str, Any] | None = None,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.next_step = next_step
        self.details = dict(details or {})
        self.retry_after_ms = retry_after_ms

    @property
    def is_final(self) -> bool:
        """Whether trying again without a change is useless."""
        return self.next_step is not NextStep.RETRY


class ProtocolError(GatewayError):
    """The peer sent something that the protocol does not allow."""


class CallFailed(GatewayError):
    """The gateway answered a call with an error.

    Args:
        method: The method that was called.
        code: The gateway's error code.
        message: The gateway's sentence.
        details: Whatever else the gateway said.
        retryable: Whether the same call may succeed later.
    """

    def __init__(
        self,
        method: str,
        code: str,
        message: str,
        *,
        details: Mapping[str, Any] | None = None,
        retryable: bool = False,
    ) -> None:
        super().__init__(f"{method} failed: {message}")
        self.method = method
        self.code = code
        self.message = message
        self.details = dict(details or {})
        self.retryable = retryable


class CallTimeout(GatewayError):
    """The gateway did not answer a call in time."""


class DocumentRefused(GatewayError):
    """A widget document may not or can not be read; the message is the reason."""
