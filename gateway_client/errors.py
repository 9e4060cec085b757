"""Every error a caller of this library may meet.

GatewayError
├── LinkClosed            the connection is gone, or was never there
│   └── ConnectRefused    the handshake was refused, or may not begin
├── ProtocolError         the peer sent what the protocol does not allow
├── CallFailed            the gateway answered a call with an error
├── CallTimeout           the gateway did not answer in time
├── InvalidRequest        the caller asked for what can not be sent (also a ValueError)
├── IdentityUnreadable    the file with this device's key can not be used
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
    CHANGE_ADDRESS = "change-address"
    """The address can never work, or is not safe: ask the person for another."""
    UPDATE = "update"
    """The two ends share no protocol version."""
    GIVE_UP = "give-up"
    """Trying again changes nothing; show the gateway's sentence."""


class GatewayError(Exception):
    """Anything that went wrong between a client and its gateway."""


class LinkClosed(GatewayError):
    """The connection is closed, so nothing can be sent or answered."""


class ConnectRefused(LinkClosed):
    """The gateway refused the handshake, or this client may not begin it.

    Args:
        code: The gateway's error code, the most exact one it gave; `ADDRESS` if it is ours.
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
        waits = self.details.get("recommendedNextStep") == "wait_then_retry"
        return self.next_step is not NextStep.RETRY and not waits

    @property
    def advice(self) -> str:
        """What a person can do now, in one sentence."""
        if self.next_step is NextStep.APPROVE_PAIRING and (request_id := self.details.get("requestId")):
            return f"On the gateway's machine run: openclaw devices approve {request_id}"
        return _ADVICE[self.next_step]


_ADVICE: dict[NextStep, str] = {
    NextStep.RETRY: "The gateway is still starting; it is tried again by itself.",
    NextStep.CHANGE_CREDENTIALS: "Check the token or password of this gateway and enter it again.",
    NextStep.APPROVE_PAIRING: "Approve this device on the gateway's machine: openclaw devices list",
    NextStep.CHANGE_ADDRESS: "Correct the address of this gateway.",
    NextStep.UPDATE: "Update the older of the two: this program, or the gateway.",
    NextStep.GIVE_UP: "See the gateway's log for the reason, then try again.",
}


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


class InvalidRequest(GatewayError, ValueError):
    """The caller asked for something that can not be sent; the message is the reason."""


class IdentityUnreadable(GatewayError):
    """The file with this device's key can not be used; the message says what helps."""


class DocumentRefused(GatewayError):
    """A widget document may not or can not be read; the message is the reason."""
