from __future__ import annotations

import argparse
import asyncio
import json
import threading
from contextlib import contextmanager

import pytest

from companion.commands import chat
from gateway_client.errors import LinkClosed
from gateway_client.protocol.frames import Event, WireError
from gateway_client.protocol.handles import mint
from gateway_client.protocol.methods import ChatHistoryResult
from tests.support.fake_gateway import SILENCE, FakeGateway, answering, failing

WIDGET = {
    "type": "canvas",
    "preview": {"kind": "canvas", "render": "url", "url": mint("cv_1"), "viewId": "cv_1", "title": "Cat"},
    "rawText": None,
}


@contextmanager
def running(gateway):
    """Serve *gateway* in a thread, for the command brings a loop of its own; yields its address."""
    started, address, stop = threading.Event(), [], []

    async def serve():
        stop.append((asyncio.get_running_loop(), asyncio.Event()))
        async with gateway.listening() as url:
            address.append(url)
            started.set()
            await stop[0][1].wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(10)
    try:
        yield address[0]
    finally:
        loop, event = stop[0]
        loop.call_soon_threadsafe(event.set)
        thread.join(10)


@pytest.fixture
def token_file(tmp_path):
    path = tmp_path / "token"
    path.write_text("secret\n")
    return str(path)


@pytest.fixture(autouse=True)
def profile(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_PROFILE_DIR", str(tmp_path / "profile"))


def arguments(*words):
    parser = argparse.ArgumentParser()
    chat.add_arguments(parser)
    return parser.parse_args(words)


def run(url, token_file, *more, message="draw a cat"):
    return chat.run(arguments("--gateway", url, "--token-file", token_file, "--message", message, *more))


def chat_event(seq, state, **fields):
    return {"runId": "run-1", "sessionKey": "agent:main:main", "seq": seq, "state": state, **fields}


def answer_of(*events, run_id="run-1"):
    """Return a handler of chat.send that tells these chat events; the first comes before its answer."""

    async def send(peer, params):
        peer.link.push("chat", events[0])
        peer.link.respond(peer.requests[-1].id, {"runId": run_id, "status": "started"})
        for payload in events[1:]:
            peer.link.push("chat", payload)
        return SILENCE

    return send


def message_of(*blocks):
    return {"role": "assistant", "content": list(blocks)}


HERE = {"type": "text", "text": "Here it is."}
GOOD = (
    chat_event(1, "status", phase="starting_model"),
    chat_event(2, "delta", deltaText="Here "),
    {"runId": "another", "sessionKey": "agent:main:main", "seq": 1, "state": "delta", "deltaText": "no"},
    chat_event(3, "delta", deltaText="it is."),
    chat_event(4, "final", message=message_of(HERE, WIDGET), stopReason="stop"),
)


def test_every_event_of_the_run_is_one_line_as_received_and_the_last_says_how_it_ended(capsys, token_file):
    gateway = FakeGateway(on={"chat.send": answer_of(*GOOD)})
    with running(gateway) as url:
        code = run(url, token_file, "--json", "--caps", "inline-widgets, tool-events", "--session", "s")
    *events, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 0
    assert events == [{"event": "chat", "payload": p} for p in GOOD if p["runId"] == "run-1"]
    assert last == {"done": {"state": "final", "run_id": "run-1", "text": "Here it is.\n\n[widget: Cat]"}}
    assert gateway.peer.params.caps == ("inline-widgets", "tool-events")
    (sent,) = gateway.requests("chat.send")
    assert (sent["sessionKey"], sent["message"]) == ("s", "draw a cat")


def test_without_json_the_streamed_text_is_printed_once(capsys, token_file):
    with running(FakeGateway(on={"chat.send": answer_of(*GOOD)})) as url:
        assert run(url, token_file) == 0
    shown = capsys.readouterr()
    assert shown.out == "Here it is.\n\n[widget: Cat]\n"
    assert shown.err == ""


def test_a_text_that_is_replaced_is_printed_anew(capsys, token_file):
    events = (
        chat_event(1, "delta", deltaText="Draft"),
        chat_event(2, "delta", deltaText="Better", replace=True),
        chat_event(3, "final", message=message_of({"type": "text", "text": "Better"})),
    )
    with running(FakeGateway(on={"chat.send": answer_of(*events)})) as url:
        assert run(url, token_file) == 0
    assert capsys.readouterr().out == "Draft\nBetter\n"


def test_halves_of_surrogate_pairs_are_printed_somehow(capsys, token_file):
    final = chat_event(1, "final", message=message_of({"type": "text", "text": "a\ud800b"}))
    with running(FakeGateway(on={"chat.send": answer_of(final)})) as url:
        assert run(url, token_file) == 0
        assert capsys.readouterr().out == "a?b\n"
        assert run(url, token_file, "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["done"]["text"] == "a\ud800b"


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (chat_event(2, "error", errorMessage="the model is gone"), "the model is gone"),
        (chat_event(2, "aborted", message=message_of({"type": "text", "text": "so far"})), ""),
    ],
)
def test_a_run_that_fails_or_is_stopped_ends_with_1(capsys, token_file, last, said):
    events = (chat_event(1, "delta", deltaText="so"), last)
    with running(FakeGateway(on={"chat.send": answer_of(*events)})) as url:
        assert run(url, token_file, "--json") == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out.splitlines()[-1])["done"]["state"] == last["state"]
    assert said in shown.err


def test_wrong_input_ends_with_2_and_a_sentence(capsys, tmp_path, token_file):
    empty = tmp_path / "empty"
    empty.write_text(" \n")
    with running(FakeGateway()) as url:
        for call, part in (
            (lambda: run(url, str(tmp_path / "none")), "can not be read"),
            (lambda: run(url, str(empty)), "is empty"),
            (lambda: run(url, token_file, message=" "), "nothing to send"),
            (lambda: run(url, token_file, "--timeout", "0"), "--timeout"),
            (lambda: run("ws://gateway.example:1", token_file), "unencrypted"),
            (lambda: run("http://127.0.0.1", token_file), "not a gateway's address"),
        ):
            assert call() == 2
            shown = capsys.readouterr()
            assert shown.out == ""
            assert part in shown.err
            assert shown.err.startswith("companion chat: ")


def test_a_wrong_token_is_wrong_input_with_advice(capsys, token_file):
    with running(FakeGateway(token="other")) as url:
        assert run(url, token_file) == 2
    said = capsys.readouterr().err
    assert "token mismatch" in said
    assert "enter it again" in said


def test_a_gateway_that_fails_ends_with_3_and_a_sentence(capsys, token_file):
    refusing = FakeGateway(
        refusals=[WireError("INVALID_REQUEST", "pairing required", {"code": "PAIRING_REQUIRED"})]
    )
    failing_send = FakeGateway(on={"chat.send": failing("FORBIDDEN", "missing scope")})
    silent = FakeGateway(on={"chat.send": answer_of(chat_event(1, "status", phase="starting_model"))})
    for gateway, more, part in (
        (refusing, (), "openclaw devices"),
        (failing_send, (), "missing scope"),
        (silent, ("--timeout", "0.5"), "goes on in session 'main'"),
    ):
        with running(gateway) as url:
            assert run(url, token_file, *more) == 3
        assert part in capsys.readouterr().err
    assert run("ws://127.0.0.1:1", token_file, "--timeout", "0.2") == 3
    assert "not connected within 0.2 s: no gateway is running" in capsys.readouterr().err


def test_a_message_whose_link_breaks_is_sent_again_with_the_same_key(capsys, token_file):
    gateway = FakeGateway()

    async def send(peer, params):
        if len(gateway.requests("chat.send")) == 1:
            await peer.drop()
            return SILENCE
        return await answer_of(*GOOD)(peer, params)

    gateway.on = {
        "chat.send": send,
        "chat.history": answering({"sessionKey": "main", "inFlightRun": {"runId": "run-1"}}),
    }
    with running(gateway) as url:
        assert run(url, token_file) == 0
    first, second = gateway.requests("chat.send")
    assert first == second


def test_a_run_that_ended_during_a_break_is_found_in_history(capsys, token_file):
    async def send(peer, params):
        peer.link.respond(peer.requests[-1].id, {"runId": "run-1", "status": "started"})
        await peer.flush()
        await peer.drop()
        return SILENCE

    rows = [
        {"role": "user", "content": "draw a cat", "idempotencyKey": "run-1:user"},
        {"role": "assistant", "content": [HERE], "__openclaw": {"runId": "run-1"}},
        {"role": "assistant", "content": "later", "__openclaw": {"runId": "another"}},
    ]
    gateway = FakeGateway(
        on={"chat.send": send, "chat.history": answering({"sessionKey": "main", "messages": rows})}
    )
    with running(gateway) as url:
        assert run(url, token_file, "--json") == 0
    assert json.loads(capsys.readouterr().out)["done"]["text"] == "Here it is."


def test_missed_events_are_made_up_from_history(capsys, token_file):
    async def send(peer, params):
        peer.link.respond(peer.requests[-1].id, {"runId": "run-1", "status": "started"})
        peer.link.push("tick", {})
        await peer.flush()
        peer.swallow("chat", GOOD[-1])
        peer.link.push("tick", {})
        return SILENCE

    rows = [{"role": "assistant", "content": [HERE], "__openclaw": {"runId": "run-1"}}]
    gateway = FakeGateway(
        on={"chat.send": send, "chat.history": answering({"sessionKey": "main", "messages": rows})}
    )
    with running(gateway) as url:
        assert run(url, token_file) == 0
    assert capsys.readouterr().out == "Here it is.\n"


def history(**fields):
    return ChatHistoryResult.from_wire({"sessionKey": "main", **fields})


def test_history_says_how_a_run_stands():
    assert chat.outcome_in(history(inFlightRun={"runId": "r"}), "r") is None
    sent = {"role": "user", "content": "hi", "idempotencyKey": "r:user"}
    ended = chat.outcome_in(history(messages=[sent]), "r")
    assert ended is not None
    assert (ended.state, ended.problem) == ("error", "the run ended without an answer")
    with pytest.raises(LinkClosed, match="no longer knows"):
        chat.outcome_in(history(messages=[{"role": "user", "content": "other"}]), "r")


def test_a_reader_takes_nothing_after_the_end():
    shown = []

    class Shown:
        def event(self, event):
            shown.append(event.payload["seq"])

        def done(self, outcome):
            raise AssertionError("the reader does not end the printing")

    reader = chat.RunReader(Shown())
    reader.begin("run-1")
    reader.take(Event("chat", chat_event(1, "final", message=message_of(HERE))))
    reader.take(Event("chat", chat_event(2, "delta", deltaText="late")))
    assert shown == [1]
    assert reader.outcome is not None
    assert reader.outcome.text == "Here it is."


def test_the_device_is_the_same_in_every_run(capsys, token_file):
    gateway = FakeGateway(on={"chat.send": answer_of(*GOOD)})
    with running(gateway) as url:
        run(url, token_file)
        run(url, token_file)
    first, second = [peer.params.device.id for peer in gateway.peers]
    assert first == second
