"""What a connection needs of a socket, and nothing more: a websocket has it, and a pair in memory."""

from __future__ import annotations

from typing import Protocol


class ChannelClosed(Exception):
    """The other end is gone."""


class Channel(Protocol):
    """Carries whole messages in both directions, in order."""

    async def receive(self) -> str | bytes:
        """Wait for the next message.

        Raises:
            ChannelClosed: If the other end is gone.
        """

    async def send(self, text: str) -> None:
        """Send one text; waits while the other end does not read.

        Raises:
            ChannelClosed: If the other end is gone.
        """

    async def close(self, code: int, reason: str) -> None:
        """Say why, and end the connection in order."""

    def abort(self) -> None:
        """End the connection at once; what was not sent is lost."""
