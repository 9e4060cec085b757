"""The methods a chat client calls: one params and one result type each. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from gateway_client.protocol.wire_model import WireModel

SessionKey = Annotated[str, Field(min_length=1, max_length=512)]
Text = Annotated[str, Field(min_length=1)]


class Attachment(WireModel):
    """A file that goes along with a message; `content` is base64."""

    type: str
    mime_type: str
    file_name: str | None = None
    content: str


class ChatSendParams(WireModel):
    """Send what a person wrote. The same key never sends twice."""

    session_key: SessionKey
    message: str
    idempotency_key: Text
    attachments: list[Attachment] | None = None
    thinking: str | None = None
    queue_mode: Literal["steer", "followup", "collect", "interrupt"] | None = None
    timeout_ms: Annotated[int, Field(ge=0)] | None = None


class ChatSendResult(WireModel):
    """`status` is `started`, or `in_flight` for a key that was sent before."""

    run_id: Text
    status: str


class ChatHistoryParams(WireModel):
    """Read the newest messages of a session."""

    session_key: SessionKey
    limit: Annotated[int, Field(ge=1, le=1000)] | None = None
    offset: Annotated[int, Field(ge=0)] | None = None
    max_chars: Annotated[int, Field(ge=1)] | None = None


class InFlightRun(WireModel):
    """A run that goes on: its text so far, and its events for a client that joins."""

    run_id: Text
    text: str = ""
    started_at: int = 0
    events: list[dict[str, Any]] = Field(default_factory=list)


class ChatHistoryResult(WireModel):
    """Messages oldest first, and the run in flight if there is one."""

    session_key: str
    session_id: str | None = None
    messages: list[dict[str, Any]] = Field(default_factory=list)
    in_flight_run: InFlightRun | None = None
    session_info: dict[str, Any] | None = None
    has_more: bool | None = None


class ChatAbortParams(WireModel):
    """Stop one run, or every run of a session."""

    session_key: SessionKey
    run_id: Text | None = None


class ChatAbortResult(WireModel):
    """Which runs were stopped."""

    ok: bool = True
    aborted: bool = False
    run_ids: list[str] = Field(default_factory=list)


class SessionsListParams(WireModel):
    """List sessions, newest first."""

    limit: Annotated[int, Field(ge=1)] | None = None
    offset: Annotated[int, Field(ge=0)] | None = None
    search: str | None = None
    include_derived_titles: bool | None = None
    include_last_message: bool | None = None


class SessionEntry(WireModel):
    """One session of a list."""

    key: str
    session_id: str | None = None
    label: str | None = None
    display_name: str | None = None
    derived_title: str | None = None
    updated_at: int | None = None
    pinned: bool | None = None
    archived: bool | None = None
    has_active_run: bool | None = None

    @property
    def title(self) -> str:
        """What to call the session on screen."""
        return self.label or self.derived_title or self.display_name or self.key


class SessionsListResult(WireModel):
    """A page of sessions."""

    sessions: list[SessionEntry] = Field(default_factory=list)
    total_count: int | None = None


class DocumentViewParams(WireModel):
    """Read the HTML of a hosted widget over the socket."""

    doc_id: Text


class DocumentViewResult(WireModel):
    """The HTML; what else a gateway says is for browsers."""

    html: str


class SurfaceRefreshParams(WireModel):
    """Ask for a new capability address of a plugin's surface."""

    surface: Text


class SurfaceRefreshResult(WireModel):
    """The addresses, and when they end (milliseconds since 1970)."""

    surface: str
    plugin_surface_urls: dict[str, str]
    expires_at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """A call of the wire: its name, and the types of both halves."""

    name: str
    params: type[WireModel]
    result: type[WireModel]


CHAT_SEND = Method("chat.send", ChatSendParams, ChatSendResult)
CHAT_HISTORY = Method("chat.history", ChatHistoryParams, ChatHistoryResult)
CHAT_ABORT = Method("chat.abort", ChatAbortParams, ChatAbortResult)
SESSIONS_LIST = Method("sessions.list", SessionsListParams, SessionsListResult)
DOCUMENT_VIEW = Method("canvas.document.view", DocumentViewParams, DocumentViewResult)
SURFACE_REFRESH = Method("plugin.surface.refresh", SurfaceRefreshParams, SurfaceRefreshResult)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (CHAT_SEND, CHAT_HISTORY, CHAT_ABORT, SESSIONS_LIST, DOCUMENT_VIEW, SURFACE_REFRESH)
}
"""Every method that this package gives types to."""
