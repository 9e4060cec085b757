"""Our client against a gateway that this project did not write."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gateway_client.client import GatewayClient
from gateway_client.errors import CallFailed, ConnectRefused, DocumentRefused, NextStep
from gateway_client.identity import DeviceIdentity
from gateway_client.options import ConnectOptions
from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.events import ChatEvent
from gateway_client.protocol.handles import mint
from gateway_client.protocol.methods import DOCUMENT_VIEW, METHODS
from gateway_client.reconnect import open_by_websocket
from gateway_client.status import LinkState
from gateway_client.transport import Transport
from tests.support.asynchronous import asynchronous, until
from tests.support.openclaw import DISC, OpenClaw, openclaw

# The gateway needs up to a minute to start, and its first run prepares a workspace.
pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("openclaw")]

patient = functools.partial(asynchronous, bound_s=200)
"""A busy machine gives a gateway of this size little; what is judged is not its speed."""

WIDGETS = frozenset({"inline-widgets", "tool-events"})


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClaw]:
    folder = Path(os.environ["COMPANION_OPENCLAW_DIR"])
    with openclaw(folder, tmp_path_factory.mktemp("openclaw")) as running:
        yield running


class Recorder:
    """An opener that keeps every frame that our client sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    async def __call__(self, options: ConnectOptions) -> Transport:
        transport = await open_by_websocket(options)
        send = transport.send

        async def recording(text: str) -> None:
            self.sent.append(json.loads(text))
            await send(text)

        transport.send = recording  # type: ignore[method-assign]
        return transport


class Session:
    """A ready client with what the tests ask of it."""

    def __init__(self, gateway: OpenClaw, caps: frozenset[str] = WIDGETS, **changes: Any) -> None:
        self.recorder = Recorder()
        self.key = f"agent:main:test-{uuid.uuid4().hex}"
        """A session of its own, so that no test waits for the run of another."""
        options = {"token": gateway.token, "identity": DeviceIdentity.generate(), "caps": caps, **changes}
        self.client = GatewayClient(ConnectOptions(gateway.ws_url, **options), opener=self.recorder)

    async def __aenter__(self) -> Session:
        await self.client.start()
        try:
            await self.client.wait_ready(60)
        except BaseException:
            await self.client.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.close()

    async def say(self, text: str) -> ChatEvent:
        """Send *text* and return how its run ended."""
        key = str(uuid.uuid4())
        async with self.client.events() as events:
            await self.client.send_message(self.key, text, idempotency_key=key)
            async for event in events:
                if isinstance(event, ChatEvent) and event.run_id == key and event.is_end:
                    return event
        raise AssertionError("the stream ended before the run")


def widget_in(event: ChatEvent) -> WidgetBlock:
    assert event.message is not None
    (block,) = [block for block in event.message.blocks() if isinstance(block, WidgetBlock)]
    return block


def chat(gateway: OpenClaw, tmp_path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    token_file = tmp_path / "token"
    token_file.write_text(gateway.token)
    command = [sys.executable, "-m", "companion", "chat", "--gateway", gateway.ws_url]
    return subprocess.run(
        [*command, "--token-file", str(token_file), "--json", *more],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        env={**os.environ, "COMPANION_PROFILE_DIR": str(tmp_path / "profile")},
    )


def test_the_command_prints_the_canvas_block_of_a_widget(gateway, tmp_path):
    done = chat(gateway, tmp_path, "--caps", "inline-widgets,tool-events", "--message", "draw a widget svg")
    assert done.returncode == 0, done.stderr
    *events, last = [json.loads(line) for line in done.stdout.splitlines()]
    final = next(e["payload"] for e in events if e["payload"].get("state") == "final")
    (canvas,) = [block for block in final["message"]["content"] if block["type"] == "canvas"]
    assert canvas["preview"]["url"] == mint(canvas["preview"]["viewId"])
    assert last["done"]["state"] == "final"
    assert last["done"]["run_id"] == final["runId"]
    assert "[widget: Disc]" in last["done"]["text"]
    tools = [e["payload"]["data"] for e in events if e["payload"].get("stream") == "tool"]
    assert [data["name"] for data in tools] == ["show_widget", "show_widget"]


def test_without_the_promise_the_model_is_not_offered_the_tool(gateway, tmp_path):
    words = "draw a widget without a promise"
    done = chat(gateway, tmp_path, "--caps", "", "--message", words)
    assert done.returncode == 0, done.stderr
    assert "canvas" not in done.stdout
    offered = gateway.model.offered(words)
    assert offered
    assert all("show_widget" not in names and "read" in names for names in offered)


@patient
async def test_with_the_promise_the_model_is_offered_the_tool(gateway):
    async with Session(gateway) as session:
        await session.say("draw a widget with a promise")
    assert all("show_widget" in names for names in gateway.model.offered("widget with a promise"))


@patient
async def test_a_widgets_page_is_the_same_over_the_socket_and_by_its_address(gateway):
    async with Session(gateway) as session:
        widget = widget_in(await session.say("a widget to read"))
        assert session.client.status.hello.offers(DOCUMENT_VIEW.name)
        by_socket = await session.client.read_document(widget)
        assert session.recorder.sent[-1]["method"] == DOCUMENT_VIEW.name
        session.client._documents.forget()
        without_socket(session)
        by_address = await session.client.read_document(widget)
        assert by_address.html == by_socket.html
        assert DISC.encode() in by_address.html
        assert by_socket.policy is None
        assert "sandbox allow-scripts" in by_address.policy


@patient
async def test_an_address_that_no_longer_holds_is_refreshed(gateway):
    async with Session(gateway) as session:
        widget = widget_in(await session.say("a widget to refresh"))
        without_socket(session, surface="http://10.9.9.9:1/__openclaw__/cap/expired")
        assert DISC.encode() in (await session.client.read_document(widget)).html
        assert session.recorder.sent[-1]["method"] == "plugin.surface.refresh"


@pytest.mark.parametrize("by_socket", [True, False])
@patient
async def test_a_widget_that_is_not_kept_is_said_to_be_gone(gateway, by_socket):
    unknown = "cv_" + "0" * 32
    async with Session(gateway) as session:
        if not by_socket:
            without_socket(session)
        with pytest.raises(DocumentRefused, match="no longer keeps this widget"):
            await session.client.read_document(WidgetBlock(unknown, mint(unknown)))


def without_socket(session: Session, surface: str | None = None) -> None:
    """Make the client believe that documents are only to be had by address."""
    connection = session.client._link.connection()
    hello = connection.hello
    methods = [name for name in hello.features.methods if name != DOCUMENT_VIEW.name]
    changes: dict[str, Any] = {"features": hello.features.model_copy(update={"methods": methods})}
    if surface is not None:
        changes["plugin_surface_urls"] = {"canvas": surface}
    connection.hello = hello.model_copy(update=changes)


@patient
async def test_a_run_is_stopped_and_keeps_what_it_said(gateway):
    async with Session(gateway) as session:
        key = str(uuid.uuid4())
        async with session.client.events() as events:
            await session.client.send_message(session.key, "count slowly", idempotency_key=key)
            again = await session.client.send_message(session.key, "count slowly", idempotency_key=key)
            assert (again.run_id, again.status) == (key, "in_flight")
            async for event in events:
                if isinstance(event, ChatEvent) and event.run_id == key and event.state == "delta":
                    break
            history = await session.client.history(session.key)
            assert history.in_flight_run is not None
            assert history.in_flight_run.run_id == key
            stopped = await session.client.abort(session.key, key)
            assert (stopped.aborted, stopped.run_ids) == (True, [key])
            async for event in events:
                if isinstance(event, ChatEvent) and event.run_id == key and event.is_end:
                    break
        assert (event.state, event.stop_reason) == ("aborted", "rpc")


@patient
async def test_history_and_the_list_of_sessions_tell_what_was_said(gateway):
    async with Session(gateway) as session:
        await session.say("remember this")
        rows = (await session.client.history(session.key, limit=1000)).messages
        assert any(row["role"] == "user" and "remember this" in json.dumps(row["content"]) for row in rows)
        assert session.key in [entry.key for entry in await session.client.sessions()]


@patient
async def test_the_same_device_comes_back_without_being_asked(gateway):
    identity = DeviceIdentity.generate()
    for _ in range(2):
        async with Session(gateway, identity=identity) as session:
            assert "operator.write" in session.client.status.hello.auth.scopes
            await until(lambda session=session: session.client.status.round_trip_ms is not None)


@patient
async def test_a_client_without_a_device_gets_no_rights(gateway):
    with pytest.raises((CallFailed, ConnectRefused)):
        async with Session(gateway, identity=None) as session:
            await session.client.sessions()


@patient
async def test_a_wrong_token_is_refused_for_good(gateway):
    with pytest.raises(ConnectRefused) as caught:
        async with Session(gateway, token="wrong"):
            pass
    assert caught.value.next_step is NextStep.CHANGE_CREDENTIALS


@patient
async def test_a_signature_over_another_challenge_is_refused_for_good(gateway):
    class Forging(Recorder):
        async def __call__(self, options: ConnectOptions) -> Transport:
            transport = await super().__call__(options)
            send = transport.send

            async def forging(text: str) -> None:
                frame = json.loads(text)
                if frame["method"] == "connect":
                    frame["params"]["device"]["nonce"] += "x"
                await send(json.dumps(frame))

            transport.send = forging  # type: ignore[method-assign]
            return transport

    session = Session(gateway)
    session.client = GatewayClient(session.client._link.options, opener=Forging())
    with pytest.raises(ConnectRefused) as caught:
        async with session:
            pass
    assert caught.value.code.startswith("DEVICE_AUTH_")
    assert session.client.status.state is LinkState.CLOSED


def params_definition(method: str) -> str:
    """Return how the contract calls the params of a method: chat.send has ChatSendParams."""
    return "".join(part[0].upper() + part[1:] for part in method.split(".")) + "Params"


@patient
async def test_every_frame_that_we_send_is_one_of_the_published_contract(gateway):
    async with Session(gateway) as session:
        widget = widget_in(await session.say("a widget for the contract"))
        await session.client.read_document(widget)
        without_socket(session, surface="http://10.9.9.9:1/__openclaw__/cap/expired")
        session.client._documents.forget()
        await session.client.read_document(widget)
        await session.client.history(session.key)
        await session.client.sessions(search="main")
        await session.client.abort(session.key)
        await session.client.abort(session.key, str(uuid.uuid4()))
        sent = session.recorder.sent
    assert {frame["method"] for frame in sent} == {"connect", *METHODS}
    known = gateway.contract["definitions"]
    for frame in sent:
        validator(gateway.contract, "RequestFrame").validate(frame)
        if params_definition(frame["method"]) in known:
            validator(gateway.contract, params_definition(frame["method"])).validate(frame["params"])
    judged = {frame["method"] for frame in sent if params_definition(frame["method"]) in known}
    assert judged >= {"connect", "chat.send", "chat.history", "chat.abort", "sessions.list"}


def validator(contract: dict[str, Any], name: str) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(
        {"$ref": f"#/definitions/{name}", "definitions": contract["definitions"]}
    )


@patient
async def test_a_second_client_joins_a_run_and_sees_its_end(gateway):
    async with Session(gateway) as first, Session(gateway) as second:
        key = str(uuid.uuid4())
        async with first.client.events() as here, second.client.events() as there:
            await first.client.send_message(first.key, "count for two", idempotency_key=key)
            async for event in here:
                if isinstance(event, ChatEvent) and event.run_id == key and event.state == "delta":
                    break
            run = (await second.client.history(first.key)).in_flight_run
            assert run is not None
            assert run.run_id == key
            await first.client.abort(first.key, key)
            async with asyncio.timeout(60):
                async for event in there:
                    if isinstance(event, ChatEvent) and event.run_id == key and event.is_end:
                        assert event.state == "aborted"
                        break
