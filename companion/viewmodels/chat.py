"""One conversation: what it shows, sending, stopping, and what happens when the link breaks."""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from companion.domain.conversation import Conversation, take_event, take_history
from companion.domain.transcript import Message, MessageState, Transcript, echo, settle_echo
from companion.loop import Tasks
from companion.outbox import Entry, NotKept, Outbox
from companion.viewmodels.sessions import is_same_session
from gateway_client.client import GatewayClient
from gateway_client.errors import CallFailed, CallTimeout, GatewayError, LinkClosed
from gateway_client.protocol.blocks import TextBlock
from gateway_client.protocol.events import AgentEvent, ChatEvent, TypedEvent

SHOW_EVERY_MS = 30
STOP_LIMIT_MS = 5000
HISTORY_LIMIT = 500


class ChatModel(QObject):
    """The open conversation.

    Views read `messages` on `messages_changed`, which comes at most every 30 ms.
    A message is in the *outbox* before it is shown, and stays there until the gateway
    has it. If the link broke, or the app ended, it goes out with the same key as soon
    as the link is back: nothing is lost, nothing goes twice.
    """

    messages_changed = Signal()
    busy_changed = Signal(bool)
    sessions_touched = Signal()
    problem = Signal(str)
    """A sentence with a next step, about the conversation as a whole."""

    def __init__(self, client: GatewayClient, session_key: str, outbox: Outbox | None = None) -> None:
        super().__init__()
        self.session_key = session_key
        self.is_stopping = False
        self._client = client
        self._tasks = Tasks()
        self._now = Conversation()
        self._outbox = outbox or Outbox()
        self._sending = asyncio.Lock()
        self._was_busy = False
        self._show = QTimer(self, singleShot=True, interval=SHOW_EVERY_MS)
        self._show.timeout.connect(self._announce)
        self._stop_limit = QTimer(self, singleShot=True, interval=STOP_LIMIT_MS)
        self._stop_limit.timeout.connect(self._report_slow_stop)
        self._show_unsent()

    @property
    def messages(self) -> tuple[Message, ...]:
        """The rows, oldest first."""
        return self._now.transcript.messages

    @property
    def active_run_id(self) -> str:
        """The run that goes on in this conversation, or an empty text."""
        return self._now.active_run_id

    @property
    def phase(self) -> str:
        """What the run is doing before its first word, as the gateway names it."""
        return self._now.phase

    @property
    def is_busy(self) -> bool:
        """Whether an answer is on its way."""
        return bool(self.active_run_id)

    # What a person does.

    def send(self, text: str) -> None:
        """Send *text*; blank text is not sent."""
        if text.strip():
            self._enqueue(uuid.uuid4().hex, text)

    def retry(self, message_key: str) -> None:
        """Send a failed message again, with the key it had."""
        row = self._now.transcript.find(message_key)
        if row is None or row.state != "failed":
            return
        text = "".join(part.text for part in row.parts if isinstance(part, TextBlock))
        self._enqueue(message_key.removeprefix("user:"), text)

    def discard(self, message_key: str) -> None:
        """Forget a failed message for good."""
        row = self._now.transcript.find(message_key)
        if row is None or row.state != "failed":
            return
        self._outbox.remove(message_key.removeprefix("user:"))
        rest = tuple(message for message in self.messages if message.key != message_key)
        self._now = replace(self._now, transcript=Transcript(rest))
        self._announce()

    def stop(self) -> None:
        """Ask the gateway to stop the run; what was said so far stays."""
        run_id = self.active_run_id
        if run_id and not self.is_stopping:
            self.is_stopping = True
            self._stop_limit.start()
            self._tasks.start(self._stop(run_id), name="stop a run")
            self._announce()

    def open_session(self, session_key: str) -> None:
        """Show another conversation. Messages that wait to be sent keep their own."""
        self.session_key = session_key
        self._now, self.is_stopping = Conversation(), False
        self._show_unsent()
        self._announce()
        self.reload()

    # What the gateway does.

    def take_event(self, event: TypedEvent) -> None:
        """Take an event of the gateway; those of other conversations only touch the list."""
        if not isinstance(event, ChatEvent | AgentEvent):
            return
        if isinstance(event, ChatEvent) and event.is_end:
            self.sessions_touched.emit()
        if event.session_key is not None and not is_same_session(event.session_key, self.session_key):
            return
        was_active = self.active_run_id
        self._now = take_event(self._now, event, _now_ms())
        if was_active and not self.active_run_id:
            self._stopped()
            self._announce()
        elif not self._show.isActive():
            self._show.start()

    def link_is_back(self) -> None:
        """Replace what is shown by history, then hand over what waits."""
        self.reload()
        self._tasks.start(self._flush_outbox(), name="send what waits")

    def reload(self) -> None:
        """Read the conversation from the gateway."""
        self._tasks.start(self._load(self.session_key), name="read history")

    async def close(self) -> None:
        """Stop everything this conversation does; what the gateway has is safe there."""
        self._show.stop()
        self._stop_limit.stop()
        await self._tasks.close()

    # Inside.

    def _enqueue(self, key: str, text: str) -> None:
        try:
            self._outbox.add(Entry(key, self.session_key, text))
        except NotKept as error:
            self.problem.emit(str(error))
        self._echo(key, text)
        self._announce()
        self._tasks.start(self._flush_outbox(), name="send a message")

    async def _flush_outbox(self) -> None:
        async with self._sending:  # one at a time, so that what was typed first arrives first
            while (entry := self._outbox.next_waiting()) and await self._hand_over(entry):
                pass

    async def _hand_over(self, entry: Entry) -> bool:
        """Send a message that waits; False if the link is down."""
        try:
            await self._client.send_message(entry.session_key, entry.text, idempotency_key=entry.key)
        except (LinkClosed, CallTimeout):
            self._settle(entry.key, "queued")
            return False
        except CallFailed as error:
            self._fail(entry.key, f"Not sent: {error.message}")
        except GatewayError as error:
            self._fail(entry.key, f"Not sent: {error}")
        else:
            self._outbox.remove(entry.key)
            self._settle(entry.key, "accepted")
        return True

    def _fail(self, key: str, reason: str) -> None:
        self._outbox.fail(key, reason)
        self._settle(key, "failed", reason)

    def _show_unsent(self) -> None:
        for entry in self._outbox.entries:
            if entry.session_key == self.session_key:
                self._echo(entry.key, entry.text)
                state: MessageState = "failed" if entry.failure else "queued"
                transcript = settle_echo(self._now.transcript, entry.key, state, entry.failure)
                self._now = replace(self._now, transcript=transcript)

    def _echo(self, key: str, text: str) -> None:
        self._now = replace(self._now, transcript=echo(self._now.transcript, key, text, _now_ms()))

    def _settle(self, key: str, state: MessageState, reason: str = "") -> None:
        self._now = replace(self._now, transcript=settle_echo(self._now.transcript, key, state, reason))
        self._announce()

    def _stopped(self) -> None:
        self.is_stopping = False
        self._stop_limit.stop()

    async def _stop(self, run_id: str) -> None:
        try:
            await self._client.abort(self.session_key, run_id)
        except GatewayError as error:
            self._stopped()
            self.problem.emit(f"Could not stop the answer: {error}. It may still go on; try again.")

    def _report_slow_stop(self) -> None:
        self.is_stopping = False
        self.problem.emit("The gateway has not stopped the answer yet. Try again, or wait for its end.")
        self._announce()

    async def _load(self, session_key: str) -> None:
        try:
            result = await self._client.history(session_key, limit=HISTORY_LIMIT)
        except LinkClosed:
            return  # the chip tells; history is read when the link is back
        except GatewayError as error:
            self.problem.emit(f"Could not read the conversation: {error}. Try again.")
            return
        if session_key == self.session_key:
            self._now = take_history(self._now, result)
            if not self.active_run_id:
                self._stopped()
            self._announce()

    def _announce(self) -> None:
        self._show.stop()
        self.messages_changed.emit()
        if self.is_busy != self._was_busy:
            self._was_busy = self.is_busy
            self.busy_changed.emit(self._was_busy)


def _now_ms() -> int:
    return int(time.time() * 1000)
