from __future__ import annotations

import json

from companion.domain.a2ui.catalogs import AGENUI, OPENCLAW_V08
from companion.gateway.providers.scripted import call, say
from companion.gateway.tools.a2ui import TOOLS
from gateway_client.protocol import canvas
from tests.support.asynchronous import asynchronous
from tests.support.canvas_client import SESSION, CanvasClient
from tests.support.gateway_in_memory import house

FIELD = json.dumps({"type": "TextField", "id": "f", "label": "Name", "valueBinding": "name"})
BUTTON = json.dumps({"type": "Button", "id": "ok", "label": "OK"})
CARD = json.dumps({"type": "Card", "id": "c", "title": "Hello {name}"})


def test_eight_tools_say_that_their_arguments_are_strings():
    assert len(TOOLS) == 8
    create = next(tool for tool in TOOLS if tool.name == "a2ui_create_surface")
    assert "JSON strings" in create.summary
    assert create.parameters["properties"]["components"]["items"] == {"type": "string"}


def results(client):
    return [one["result"]["content"][0]["text"] for one in client.raw.tool_results()]


@asynchronous
async def test_the_story_of_two_surfaces_with_different_catalogs():
    async with house() as one:
        one.provider.will(
            call("canvas_present"),
            call("a2ui_push", frames='{"type":"text","id":"t","text":"Hi"}'),
            call("a2ui_create_surface", surfaceId="form", components=[FIELD, BUTTON], dataModelJson="{}"),
            call("a2ui_create_surface", surfaceId="old", catalogId=OPENCLAW_V08, components=[CARD]),
            call("a2ui_update_data_model", surfaceId="old", dataModelJson='{"name":"Ada"}'),
            say("shown"),
        )
        client = await CanvasClient.of(one)
        await client.raw.ask("show it")
        assert [surface.id for surface in client.canvas.surfaces] == ["main", "form", "old"]
        assert client.canvas.surface("form").catalog_id == AGENUI
        assert client.canvas.surface("old").picture.nodes[0].title == "Hello Ada"

        one.provider.will(say("thanks"))
        client.canvases.commit(SESSION, "form", "f", "Bob")
        answer = await client.act(client.canvases.click(SESSION, "form", "ok"))
        await client.raw.chat("final", answer["runId"])
        turn = json.loads(one.provider.requests[-1].turns[-1].text)
        assert (turn["action"], turn["dataModel"], turn["sequence"]) == ("click", {"name": "Bob"}, 2)

        one.provider.will(
            call("a2ui_sync_ui_to_data", surfaceId="form", syncMode="values"),
            call("canvas_snapshot", surfaceId="old"),
            call("a2ui_delete_surface", surfaceId="old"),
            say("read"),
        )
        await client.raw.ask("read it", "key-2")
        synced, taken = map(json.loads, results(client)[-3:-1])
        assert (synced, taken["catalogId"]) == ({"f": "Bob"}, OPENCLAW_V08)
        assert client.canvas.surface("old") is None
        await client.close()

        again = await CanvasClient.of(one, client.canvases)
        one.provider.will(
            call("a2ui_update_components", surfaceId="form", components=[BUTTON]),
            call("a2ui_reset"),
            say("gone"),
        )
        await again.raw.ask("end it", "key-3")
        assert [result["isError"] for result in again.raw.tool_results()] == [False, False]
        assert again.canvas.surfaces == ()
        await again.close()


@asynchronous
async def test_a_model_learns_its_mistake_and_nothing_is_sent():
    async with house() as one:
        wrong = call("a2ui_create_surface", surfaceId="s", components=[{"type": "Text"}])
        one.provider.will(wrong, say("oh"))
        client = await CanvasClient.of(one)
        await client.raw.ask("go")
        (result,) = client.raw.tool_results()
        assert result["isError"]
        assert "components must be a list of strings" in result["result"]["content"][0]["text"]
        assert client.received == []
        await client.close()


@asynchronous
async def test_what_the_client_refuses_is_told_to_the_model():
    async with house() as one:
        one.provider.will(call("a2ui_update_components", surfaceId="nowhere", components=[CARD]), say("oh"))
        client = await CanvasClient.of(one)
        await client.raw.ask("go")
        assert "there is no surface" in results(client)[0]
        await client.close()


@asynchronous
async def test_scripts_are_never_run():
    async with house() as one:
        one.provider.will(call("a2ui_eval", script="1"), say("no"))
        raw = await one.client(canvas.A2UI_EVAL, "tool-events")
        await raw.ask("go")
        (result,) = raw.tool_results()
        assert "scripts are switched off" in result["result"]["content"][0]["text"]
        assert raw.events(canvas.EVENT) == []
