"""Every frame that our gateway sends, judged by the contract that OpenClaw publishes.

The real gateway adds `sessionKey` and `agentId` to `agent` events, which the
published schema of that one event does not list; so do we, and they are taken
out before it is judged.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from companion.gateway.provider import ProviderError
from companion.gateway.providers.guide import Guide
from companion.gateway.providers.scripted import Scripted, call, say
from tests.support.asynchronous import asynchronous, until
from tests.support.gateway_in_memory import TOOL_EVENTS, WIDGETS, RawClient, Refused, connect_params, house
from tests.support.gateway_on_loopback import raw_client, serving

PUBLISHED = "node_modules/@openclaw/gateway-protocol/protocol.schema.json"
BEYOND_THE_SCHEMA = ("sessionKey", "agentId")
EVENTS = {"chat": "ChatEvent", "agent": "AgentEvent", "tick": "TickEvent", "shutdown": "ShutdownEvent"}


@cache
def contract() -> dict[str, Any]:
    path = Path(os.environ["COMPANION_OPENCLAW_DIR"]) / PUBLISHED
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def judge(value: object, name: str) -> None:
    schema = {"definitions": contract()["definitions"], "$ref": f"#/definitions/{name}"}
    problems = [
        f"{name} {list(error.absolute_path)}: {error.message[:300]}"
        for error in Draft202012Validator(schema).iter_errors(value)
    ]
    assert problems == []


def judge_all(client: RawClient) -> set[str]:
    """Judge every frame that came; returns what kinds they were."""
    kinds = set()
    for frame in client.frames:
        judge(frame, {"res": "ResponseFrame", "event": "EventFrame"}[frame["type"]])
        if frame["type"] == "event" and frame["event"] in EVENTS:
            payload = {key: value for key, value in frame["payload"].items() if key not in BEYOND_THE_SCHEMA}
            whole = payload if frame["event"] == "agent" else frame["payload"]
            judge(whole, EVENTS[frame["event"]])
            kinds.add(f"{frame['event']} {payload.get('state') or payload.get('stream') or ''}".strip())
        elif isinstance(frame.get("payload"), dict) and frame["payload"].get("type") == "hello-ok":
            judge(frame["payload"], "HelloOk")
            kinds.add("hello-ok")
        elif frame["type"] == "res" and not frame["ok"]:
            judge(frame["error"], "ErrorShape")
            kinds.add("error")
    return kinds


@asynchronous
async def test_every_frame_of_every_kind_of_run_is_in_the_contract():
    turns = [
        [*say("Let me see."), *call("show_widget", title="t", widget_code="<p>")],
        say("There."),
        [*say("half"), ProviderError("gone. Start it.")],
        call("show_widget", title="", widget_code=""),
        say("Sorry."),
    ]
    async with house(Scripted(turns), tick_interval_ms=50) as home:
        client = await home.client(WIDGETS, TOOL_EVENTS)
        await client.ask("one", "k1")
        await client.send("two", "k2")
        await client.chat("error", "k2")
        await client.ask("three", "k3")
        for method, params in (
            ("health", {}),
            ("status", {}),
            ("chat.history", {"sessionKey": "main"}),
            ("sessions.list", {}),
            ("plugin.surface.refresh", {"surface": "canvas"}),
        ):
            await client.call(method, params)
        for method in ("nope", "chat.send", "canvas.document.view"):
            with suppress(Refused):
                await client.call(method)
        await until(lambda: client.events("tick"))
        kinds = judge_all(client)
    assert kinds >= {"hello-ok", "error", "tick", "chat status", "chat delta", "chat final", "chat error"}
    assert kinds >= {"agent lifecycle", "agent run_status", "agent assistant", "agent tool", "agent item"}


@asynchronous
async def test_stopping_and_ending_are_in_the_contract():
    async with serving(Guide(pause_s=0.001)) as server, raw_client(server.ws_url) as client:
        await client.connect(caps=[TOOL_EVENTS])
        await client.send("slow", "k1")
        await client.chat("delta", "k1")
        await client.call("chat.abort", {"sessionKey": "main"})
        await server.stop("maintenance")
        assert judge_all(client) >= {"hello-ok", "chat aborted", "shutdown"}


@asynchronous
async def test_every_refusal_at_the_door_is_in_the_contract():
    for changes in (
        {"auth": {"token": "x"}},
        {"auth": {}},
        {"minProtocol": 9, "maxProtocol": 9},
        {"client": {}},
    ):
        async with house() as home:
            client = await home.visitor()
            with suppress(Refused):
                await client.connect(**changes)
            assert "error" in judge_all(client)


def test_the_params_that_the_tests_connect_with_are_in_the_contract():
    judge(connect_params(caps=[WIDGETS]), "ConnectParams")
