from __future__ import annotations

import pytest

from companion import __version__
from companion.gateway import methods
from companion.gateway.methods import granted
from companion.gateway.providers.scripted import Scripted, call, say
from companion.gateway.tools import TOOLS
from gateway_client.protocol.methods import METHODS
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import WIDGETS, Refused, house, text_of, widgets_of


@asynchronous
async def test_health_and_status_say_what_is_true():
    async with house(Scripted([say("a")])) as home:
        client = await home.client()
        await client.ask("hello")
        health = await client.call("health")
        loaded = sorted(tool.name for tool in TOOLS)
        assert (health["ok"], health["plugins"]) == (True, {"loaded": loaded, "errors": []})
        status = await client.call("status")
        assert status["runtimeVersion"] == __version__
        assert (status["model"], status["clients"], status["activeRuns"]) == ("script", 1, 0)
        assert status["sessions"] == {"count": 1}


@asynchronous
async def test_a_method_that_does_not_exist_is_an_error_and_the_connection_goes_on():
    async with house() as home:
        client = await home.client()
        with pytest.raises(Refused, match=r"unknown method: 'nope\.method'") as caught:
            await client.call("nope.method")
        assert caught.value.code == "INVALID_REQUEST"
        assert (await client.call("health"))["ok"]


@asynchronous
@pytest.mark.parametrize(
    ("method", "params", "sentence"),
    [
        (
            "chat.send",
            {"sessionKey": "main"},
            "invalid chat.send params: must have required property 'message'",
        ),
        ("chat.send", {"sessionKey": "main", "message": "a"}, "must have required property 'idempotencyKey'"),
        ("chat.send", {"sessionKey": "x" * 513, "message": "a", "idempotencyKey": "k"}, "sessionKey"),
        ("chat.send", {"sessionKey": "main", "message": 7, "idempotencyKey": "k"}, "message"),
        (
            "chat.send",
            {"sessionKey": "main", "message": " ", "idempotencyKey": "k"},
            "message or attachment required",
        ),
        ("chat.send", {"sessionKey": "main", "message": "a\x00", "idempotencyKey": "k"}, "NUL"),
        ("chat.send", {"sessionKey": "agent:x:y", "message": "a", "idempotencyKey": "k"}, "has one agent"),
        ("chat.history", {"sessionKey": "main", "limit": 0}, "invalid chat.history params: limit"),
        ("chat.history", {"sessionKey": "main", "limit": 1001}, "limit"),
        ("chat.history", {}, "must have required property 'sessionKey'"),
        ("chat.abort", {"sessionKey": " "}, "blank"),
        ("sessions.list", {"limit": "5"}, "limit"),
        ("canvas.document.view", {}, "must have required property 'docId'"),
        ("plugin.surface.refresh", {"surface": "other"}, "no surface 'other' here"),
    ],
)
async def test_wrong_params_are_told_in_words(method, params, sentence):
    async with house() as home:
        client = await home.client()
        with pytest.raises(Refused, match=sentence.replace(".", r"\.")) as caught:
            await client.call(method, params)
        assert caught.value.code == "INVALID_REQUEST"


@asynchronous
async def test_a_session_of_any_name_is_canonical_in_events_and_answered_as_it_was_asked():
    async with house(Scripted([say("a")])) as home:
        client = await home.client()
        await client.send("hello")
        assert (await client.chat("final"))["sessionKey"] == "agent:main:main"
        for name in ("main", "agent:main:main"):
            history = await client.history(name)
            assert (history["sessionKey"], history["sessionInfo"]["key"]) == (name, "agent:main:main")
            assert len(history["messages"]) == 2


@asynchronous
async def test_the_history_of_an_unknown_session_is_empty():
    async with house() as home:
        history = await (await home.client()).history("never")
        assert (history["messages"], history["totalMessages"], history["hasMore"]) == ([], 0, False)
        assert "sessionId" not in history


@asynchronous
async def test_history_comes_in_pages_and_short_if_it_is_asked_for():
    async with house(Scripted([say("abcdef") for _ in range(3)])) as home:
        client = await home.client()
        for number in range(3):
            await client.ask(f"question {number}", f"k{number}")
        page = await client.history(limit=2)
        assert ([text_of(one) for one in page["messages"]], page["hasMore"]) == (
            ["question 2", "abcdef"],
            True,
        )
        older = await client.history(limit=2, offset=2, maxChars=3)
        assert text_of(older["messages"][1]).startswith("abc\n[cut")


@asynchronous
async def test_sessions_are_listed_with_what_was_asked_for():
    async with house(Scripted([say("Meow."), say("Wuff.")])) as home:
        client = await home.client()
        await client.ask("about cats", "k1", "cats")
        await client.ask("about dogs", "k2", "dogs")
        everything = {"includeDerivedTitles": True, "includeLastMessage": True}
        first = await client.call("sessions.list", {"limit": 1, **everything})
        assert (first["totalCount"], first["hasMore"], first["nextOffset"]) == (2, True, 1)
        assert first["sessions"][0]["derivedTitle"] == "about dogs"
        assert first["sessions"][0]["lastMessagePreview"] == "Wuff."
        second = await client.call("sessions.list", {"offset": 1})
        assert [one["key"] for one in second["sessions"]] == ["agent:main:cats"]
        assert "derivedTitle" not in second["sessions"][0]
        assert second["nextOffset"] is None


@asynchronous
async def test_pictures_of_a_person_are_kept_and_reach_the_model():
    async with house(Scripted([say("a cat")])) as home:
        client = await home.client()
        picture = {"type": "image", "mimeType": "image/png", "fileName": "cat.png", "content": "AAAA"}
        await client.send("look", attachments=[picture])
        await client.chat("final")
        assert home.provider.requests[0].turns[0].pictures[0].data == "AAAA"
        assert (await client.history())["messages"][0]["content"][1]["type"] == "image"
        with pytest.raises(Refused, match="pictures can be sent"):
            await client.send("look", "k2", attachments=[{**picture, "mimeType": "text/html"}])


@asynchronous
async def test_a_document_is_read_by_its_id_over_the_socket():
    async with house(Scripted([call("show_widget", title="t", widget_code="<p>x"), say("a")])) as home:
        client = await home.client(WIDGETS)
        message = await client.ask("draw")
        view_id = widgets_of(message)[0]["preview"]["viewId"]
        assert "<p>x" in (await client.call("canvas.document.view", {"docId": view_id}))["html"]
        for unknown in ("cv_" + "0" * 32, "../" + view_id, view_id + "/index.html"):
            with pytest.raises(Refused) as caught:
                await client.call("canvas.document.view", {"docId": unknown})
            assert caught.value.code == "NOT_FOUND"


@asynchronous
async def test_a_surface_is_refreshed_with_a_new_address_and_its_end():
    async with house() as home:
        client = await home.visitor()
        hello = await client.connect()
        refreshed = await client.call("plugin.surface.refresh", {"surface": "canvas"})
        old, new = hello["pluginSurfaceUrls"]["canvas"], refreshed["pluginSurfaceUrls"]["canvas"]
        assert old != new
        assert home.gateway.capabilities.is_open(new.rsplit("/", 1)[1])
        lifetime = refreshed["expiresAtMs"] - (await client.call("health"))["ts"]
        assert 590_000 < lifetime <= 600_000


# Scopes


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        ([], []),
        (["operator.read"], ["operator.read"]),
        (["operator.write"], ["operator.read", "operator.write"]),
        (["operator.admin"], ["operator.read", "operator.write"]),
        (["operator.approvals", "unknown"], []),
    ],
)
def test_a_client_gets_the_scopes_that_exist_here(wanted, got):
    assert sorted(granted(wanted)) == got


@asynchronous
async def test_who_only_reads_cannot_send():
    async with house() as home:
        client = await home.client(scopes=["operator.read"])
        assert (await client.history())["messages"] == []
        with pytest.raises(Refused, match=r"missing scope: operator\.write") as caught:
            await client.send("hello")
        assert (caught.value.code, caught.value.details["code"]) == ("FORBIDDEN", "MISSING_SCOPE")


@asynchronous
async def test_a_fault_of_ours_is_answered_and_logged_and_the_connection_goes_on(monkeypatch, caplog):
    async with house() as home:
        client = await home.client()

        async def broken(*_, **__):
            raise RuntimeError("out of order")

        with monkeypatch.context() as patched:
            patched.setattr(home.gateway.transcripts, "page", broken)
            with pytest.raises(
                Refused, match=r"chat\.history failed in the gateway \(RuntimeError\)"
            ) as caught:
                await client.history()
            assert caught.value.code == "UNAVAILABLE"
        assert (await client.history())["messages"] == []
    assert "out of order" in caplog.text


def test_every_method_with_a_type_has_a_handler():
    assert METHODS.keys() <= methods.HANDLERS.keys()
    assert methods.HANDLERS.keys() - METHODS.keys() == {"health", "status", "canvas.reply"}
