"""`companion chat`: send one message without a window, and print what comes of it.

With `--json` every event of the run is one line, as it was received; the last
line says how the run ended. Without it the streamed text is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from companion import __version__
from companion.commands.arguments import (
    DONE,
    FALLS_SHORT,
    PEER_FAILED,
    WRONG_INPUT,
    WrongInput,
    complain,
    read_token,
)
from companion.config import profile_dir
from gateway_client.client import GatewayClient
from gateway_client.errors import ConnectRefused, GatewayError, InvalidRequest, LinkClosed, NextStep
from gateway_client.identity import DeviceIdentity
from gateway_client.options import ConnectOptions
from gateway_client.protocol.blocks import projection
from gateway_client.protocol.caps import normalise
from gateway_client.protocol.events import ChatEvent, WireMessage, parse_event
from gateway_client.protocol.frames import Event
from gateway_client.protocol.methods import ChatHistoryResult
from gateway_client.status import Gap, LinkState, LinkStatus, Notification, Reconnected

NAME = "companion chat"
STOPPED = 130
CONNECT_TIMEOUT_S = 20.0
DEFAULT_TIMEOUT_S = 300.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    state: str
    """`final`, `aborted` or `error`."""
    run_id: str
    text: str
    """The answer as plain text; a widget stands as its title."""
    problem: str = ""


class Printer(Protocol):
    """Shows a run as it goes."""

    def event(self, event: Event) -> None:
        """Show one event of the run."""

    def done(self, outcome: Outcome) -> None:
        """Show how the run ended."""


class JsonPrinter:
    """One JSON object a line."""

    def event(self, event: Event) -> None:
        """Print the event as it was received."""
        print(json.dumps({"event": event.name, "payload": event.payload}), flush=True)

    def done(self, outcome: Outcome) -> None:
        """Print the last line."""
        done = {"state": outcome.state, "run_id": outcome.run_id, "text": outcome.text}
        print(json.dumps({"done": done}), flush=True)


class TextPrinter:
    """The answer's text as it streams in."""

    def __init__(self) -> None:
        self._printed = ""

    def event(self, event: Event) -> None:
        """Print the text that an event adds."""
        typed = parse_event(event)
        if isinstance(typed, ChatEvent) and typed.state == "delta" and typed.delta_text:
            self._show(typed.delta_text if typed.replace else self._printed + typed.delta_text)

    def done(self, outcome: Outcome) -> None:
        """Print what the final text adds, and end the line."""
        if outcome.text:
            self._show(outcome.text)
        print(flush=True)

    def _show(self, text: str) -> None:
        new = text[len(self._printed) :] if text.startswith(self._printed) else f"\n{text}"
        # A surrogate without its half is no character of any terminal.
        print(new.encode("utf-8", "replace").decode(), end="", flush=True)
        self._printed = text


class RunReader:
    """Picks the events of one run out of all, in order, and knows when the run is over."""

    def __init__(self, printer: Printer) -> None:
        self.run_id = ""
        self.outcome: Outcome | None = None
        self.must_reload = False
        """Whether events may have been missed, so that history has to say how the run stands."""
        self.changed = asyncio.Event()
        self._printer = printer
        self._early: list[Event] = []

    def begin(self, run_id: str) -> None:
        """Take the events of this run from now on, and those that came before its name was known."""
        self.run_id = run_id
        early, self._early = self._early, []
        for event in early:
            self.take(event)

    def take(self, event: Event) -> None:
        """Look at one event of the gateway."""
        if not self.run_id:
            self._early.append(event)
            return
        is_ours = isinstance(event.payload, Mapping) and event.payload.get("runId") == self.run_id
        if not is_ours or self.outcome is not None:
            return
        self._printer.event(event)
        typed = parse_event(event)
        if isinstance(typed, ChatEvent) and typed.is_end:
            self.outcome = Outcome(typed.state, self.run_id, _text(typed.message), typed.error_message or "")
            self.changed.set()

    def notice(self, item: Notification) -> None:
        """Look at one notification: after a break or a gap history must be read."""
        if isinstance(item, Gap | Reconnected):
            self.must_reload = True
            self.changed.set()

    def link_changed(self, status: LinkStatus) -> None:
        """Wake up when the link is gone for good."""
        if status.state in (LinkState.REFUSED, LinkState.CLOSED):
            self.changed.set()


def _text(message: WireMessage | None) -> str:
    return projection(message.blocks()) if message else ""


def outcome_in(history: ChatHistoryResult, run_id: str) -> Outcome | None:
    """Return how a run ended by what history says, or None if it goes on.

    Raises:
        LinkClosed: If history does not know the run.
    """
    if history.in_flight_run is not None and history.in_flight_run.run_id == run_id:
        return None
    is_known = False
    for row in reversed(history.messages):
        origin = row.get("__openclaw")
        if row.get("role") == "assistant" and isinstance(origin, Mapping) and origin.get("runId") == run_id:
            return Outcome("final", run_id, _text(WireMessage.from_wire(row)))
        is_known = is_known or str(row.get("idempotencyKey", "")).startswith(run_id)
    if is_known:
        return Outcome("error", run_id, "", "the run ended without an answer")
    raise LinkClosed("the connection broke, and the gateway no longer knows the run")


async def converse(client: GatewayClient, session: str, message: str, printer: Printer) -> Outcome:
    """Send *message* and follow its run to the end, over breaks of the link too.

    Raises:
        GatewayError: If the gateway refuses, or loses the run.
    """
    reader = RunReader(printer)
    leave = [
        client.subscribe_raw(reader.take),
        client.subscribe(reader.notice),
        client.watch_status(reader.link_changed),
    ]
    try:
        reader.begin(await _send(client, session, message))
        while reader.outcome is None:
            await reader.changed.wait()
            reader.changed.clear()
            if reader.outcome is None:
                await _catch_up(client, session, reader)
        printer.done(reader.outcome)
        return reader.outcome
    finally:
        for unsubscribe in leave:
            unsubscribe()


async def _send(client: GatewayClient, session: str, message: str) -> str:
    """Send the message, again with the same key if the link breaks; returns the run's id."""
    key = str(uuid.uuid4())
    while True:
        await client.wait_ready(CONNECT_TIMEOUT_S)
        try:
            return (await client.send_message(session, message, idempotency_key=key)).run_id
        except LinkClosed:
            continue  # the next wait ends when the link is back, or says why it is not


async def _catch_up(client: GatewayClient, session: str, reader: RunReader) -> None:
    await client.wait_ready(CONNECT_TIMEOUT_S)
    if not reader.must_reload:
        return
    reader.must_reload = False
    try:
        history = await client.history(session)
    except LinkClosed:
        return  # the next reconnection comes with a notice of its own
    reader.outcome = reader.outcome or outcome_in(history, reader.run_id)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "--gateway", required=True, metavar="URL", help="wss://host:port, or ws:// on this machine"
    )
    parser.add_argument("--token-file", metavar="F", help="a file with the gateway's token")
    parser.add_argument("--message", required=True, metavar="TEXT", help="what to send")
    parser.add_argument(
        "--caps",
        default="",
        metavar="A,B",
        help="what to promise, as inline-widgets,tool-events; default: nothing",
    )
    parser.add_argument("--session", default="main", metavar="KEY", help="the session; default: main")
    parser.add_argument(
        "--timeout",
        type=float,
        default=DEFAULT_TIMEOUT_S,
        metavar="S",
        help=f"seconds for all of it; default: {DEFAULT_TIMEOUT_S:.0f}",
    )
    parser.add_argument("--allow-plain", action="store_true", help="allow ws:// to another machine")
    parser.add_argument("--json", action="store_true", help="print every event of the run as one JSON line")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code.

    0 on a final answer, 1 on an error or abort, 2 on wrong input, 3 if the gateway failed.
    """
    try:
        outcome = asyncio.run(_run(arguments))
    except (WrongInput, InvalidRequest) as error:
        return complain(NAME, str(error), WRONG_INPUT)
    except ConnectRefused as error:
        is_ours = error.next_step in (NextStep.CHANGE_CREDENTIALS, NextStep.CHANGE_ADDRESS)
        return complain(NAME, f"{error}. {error.advice}", WRONG_INPUT if is_ours else PEER_FAILED)
    except GatewayError as error:
        return complain(NAME, f"{error}. Check that the gateway runs, then try again.", PEER_FAILED)
    except KeyboardInterrupt:
        return complain(NAME, "stopped; the run goes on at the gateway", STOPPED)
    if outcome.problem:
        complain(NAME, f"the run ended with an error: {outcome.problem}", FALLS_SHORT)
    return DONE if outcome.state == "final" else FALLS_SHORT


async def _run(arguments: argparse.Namespace) -> Outcome:
    options = _options(arguments)
    client = GatewayClient(options)
    printer: Printer = JsonPrinter() if arguments.json else TextPrinter()
    await client.start()
    try:
        async with asyncio.timeout(arguments.timeout):
            return await converse(client, arguments.session, arguments.message, printer)
    except TimeoutError:
        raise LinkClosed(_late_words(arguments, client.status)) from client.status.error
    finally:
        await client.close()


def _late_words(arguments: argparse.Namespace, status: LinkStatus) -> str:
    if status.state is LinkState.READY:
        return (
            f"no final answer within {arguments.timeout:g} s; if the run has begun, it goes on "
            f"in session {arguments.session!r}"
        )
    return f"not connected within {arguments.timeout:g} s: {status.reason or 'the gateway did not answer'}"


def _options(arguments: argparse.Namespace) -> ConnectOptions:
    if not arguments.timeout > 0:
        raise WrongInput("--timeout must be more than 0 seconds")
    return ConnectOptions(
        arguments.gateway,
        token=read_token(arguments.token_file),
        caps=normalise(arguments.caps.split(",")),
        identity=DeviceIdentity.load_or_create(profile_dir() / "device.key"),
        client_version=__version__,
        allow_plain=arguments.allow_plain,
    )
