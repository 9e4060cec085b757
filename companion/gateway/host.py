"""What a tool may ask of the gateway it runs in, for one run."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass

from companion.domain.a2ui.commands import Setting
from companion.domain.a2ui.policy import CanvasPolicy
from companion.domain.a2ui.replies import Result
from companion.gateway.broker import WEBSOCKET, Broker, Target
from companion.gateway.stores.documents import Documents
from gateway_client.protocol.canvas import Envelope


@dataclass(frozen=True, slots=True)
class SessionHost:
    """The gateway as a tool sees it.

    Args:
        client_id: The connection that asked; empty if it is none.
    """

    session_key: str
    client_id: str
    documents: Documents
    broker: Broker
    now_ms: Callable[[], int]

    async def store_document(self, *, title: str, html: str) -> str:
        """Host a page and return its id."""
        return await self.documents.put(self.session_key, title=title, html=html, now_ms=self.now_ms())

    def canvas_setting(self) -> Setting:
        """Return what commands for the client's Canvas are prepared for."""
        return self.broker.setting(self._target)

    async def canvas_command(self, command: Envelope) -> Result:
        """Send a command to the client's Canvas and wait for the answer."""
        return await self.broker.command(self._target, command)

    @property
    def _target(self) -> Target:
        return Target(self.session_key, self.client_id, WEBSOCKET if self.client_id else "")


def canvas_policy(bind: str) -> CanvasPolicy:
    """Return what agents may do with a Canvas in a gateway that listens at *bind*.

    Nothing where other machines reach it. Never scripts: they need an approval
    by the person, which this gateway cannot ask for.
    """
    return CanvasPolicy(is_enabled=is_loopback(bind), has_eval=False)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"
