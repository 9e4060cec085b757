"""The calls of a chat, typed: what the wire's methods are for someone who writes an app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gateway_client.connection import Connection
from gateway_client.errors import InvalidRequest, ProtocolError
from gateway_client.protocol import methods
from gateway_client.protocol.handshake import AttachmentLimits
from gateway_client.protocol.wire_model import WireModel

P = TypeVar("P", bound=WireModel)


class ChatCalls:
    """Calls over whatever connection is ready.

    Every call raises `LinkClosed` if there is none or it breaks before the
    answer, `CallTimeout`, `CallFailed` if the gateway says no, and
    `InvalidRequest` if the arguments can not be sent. None is repeated by itself.

    Args:
        connection: Returns the connection that is ready, or raises `LinkClosed`.
        timeout_s: How long one call may take.
    """

    def __init__(self, connection: Callable[[], Connection], timeout_s: Callable[[], float]) -> None:
        self._connection = connection
        self._timeout_s = timeout_s

    async def send_message(
        self,
        session_key: str,
        text: str,
        *,
        idempotency_key: str,
        attachments: Sequence[methods.Attachment] = (),
    ) -> methods.ChatSendResult:
        """Send what a person wrote; the answer comes as events of the run that is named.

        Args:
            idempotency_key: Made once for each message. Sending again with the same
                key, after a break for instance, never sends twice.

        Raises:
            InvalidRequest: If there is neither text nor attachment, or an attachment
                is larger than the gateway takes.
        """
        if not text.strip() and not attachments:
            raise InvalidRequest("there is nothing to send: write something or attach a file")
        params = _params(
            methods.ChatSendParams,
            session_key=session_key,
            message=text,
            idempotency_key=idempotency_key,
            attachments=list(attachments) or None,
        )
        connection = self._connection()
        _check_sizes(attachments, connection.hello.policy.attachments)
        return await connection.call_as(
            methods.ChatSendResult, methods.CHAT_SEND, params, timeout_s=self._timeout_s()
        )

    async def history(self, session_key: str, *, limit: int = 200) -> methods.ChatHistoryResult:
        """Read the newest messages of a session, oldest first, and the run in flight.

        Args:
            limit: At most this many messages, up to 1000.
        """
        params = _params(methods.ChatHistoryParams, session_key=session_key, limit=limit)
        return await self._connection().call_as(
            methods.ChatHistoryResult, methods.CHAT_HISTORY, params, timeout_s=self._timeout_s()
        )

    async def abort(self, session_key: str, run_id: str | None = None) -> methods.ChatAbortResult:
        """Stop one run, or every run of a session; what was written so far stays."""
        params = _params(methods.ChatAbortParams, session_key=session_key, run_id=run_id)
        return await self._connection().call_as(
            methods.ChatAbortResult, methods.CHAT_ABORT, params, timeout_s=self._timeout_s()
        )

    async def sessions(self, *, limit: int = 200, search: str | None = None) -> list[methods.SessionEntry]:
        """List sessions as the gateway orders them, newest first."""
        params = _params(
            methods.SessionsListParams, limit=limit, search=search or None, include_derived_titles=True
        )
        result = await self._connection().call_as(
            methods.SessionsListResult, methods.SESSIONS_LIST, params, timeout_s=self._timeout_s()
        )
        return result.sessions


def _params(kind: type[P], **values: Any) -> P:
    """Make the params of a call; what the wire does not allow is the caller's mistake."""
    try:
        return kind.from_wire(values)
    except ProtocolError as error:
        raise InvalidRequest(str(error)) from error


def _check_sizes(attachments: Sequence[methods.Attachment], limits: AttachmentLimits | None) -> None:
    if limits is None:
        return
    for attachment in attachments:
        is_image = attachment.mime_type.startswith("image/")
        limit = limits.max_image_bytes if is_image else limits.max_bytes
        size = len(attachment.content) * 3 // 4 - attachment.content[-2:].count("=")
        if limit is not None and size > limit:
            name = attachment.file_name or attachment.type
            raise InvalidRequest(
                f"{name!r} is {size} bytes; the gateway takes {limit}. Attach a smaller file"
            )
