from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import pytest

from companion.gateway import launch
from companion.gateway.launch import WrongInput
from gateway_client.errors import LinkClosed
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import TOKEN, WIDGETS, Refused, text_of
from tests.support.gateway_on_loopback import child, raw_client


def arguments(*words):
    parser = argparse.ArgumentParser()
    launch.add_arguments(parser)
    return parser.parse_args(words)


def plan(*words):
    return launch.make_plan(arguments(*words))


# Arguments


def test_a_token_is_made_and_kept_where_only_its_owner_reads(tmp_path):
    first = plan("--state-dir", str(tmp_path / "state"))
    assert first.token_file.read_text().strip() == first.token
    assert len(first.token) >= 32
    if sys.platform != "win32":
        assert os.stat(first.token_file).st_mode & 0o777 == 0o600
    assert plan("--state-dir", str(tmp_path / "state")).token != first.token


def test_a_token_file_is_read(tmp_path):
    path = tmp_path / "token"
    path.write_text(f"  {TOKEN}\n")
    assert plan("--token-file", str(path), "--ephemeral").token == TOKEN


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("short", "at least 16 characters"),
        ("", "no usable token"),
        ("two words, long enough", "without spaces"),
    ],
)
def test_a_token_that_is_none_is_refused(tmp_path, content, sentence):
    path = tmp_path / "token"
    path.write_text(content)
    with pytest.raises(WrongInput, match=sentence):
        plan("--token-file", str(path))


def test_a_token_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(WrongInput, match="cannot be read"):
        plan("--token-file", str(tmp_path / "none"))


def test_data_in_memory_needs_a_token_from_elsewhere():
    with pytest.raises(WrongInput, match="--ephemeral"):
        plan("--ephemeral")


@pytest.mark.parametrize("address", ["0.0.0.0", "192.168.1.2", "::", "8.8.8.8"])
def test_other_machines_are_kept_out_with_a_sentence(tmp_path, address):
    with pytest.raises(WrongInput, match="open this gateway to other machines"):
        plan("--bind", address, "--state-dir", str(tmp_path))


@pytest.mark.parametrize(
    ("address", "host"), [("localhost", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("[::1]", "::1")]
)
def test_any_loopback_address_will_do(tmp_path, address, host):
    assert plan("--bind", address, "--state-dir", str(tmp_path)).host == host


@pytest.mark.parametrize(
    ("words", "sentence"), [(["--bind", "here"], "is no address"), (["--port", "70000"], "is no port")]
)
def test_what_is_no_address_or_port_is_refused(tmp_path, words, sentence):
    with pytest.raises(WrongInput, match=sentence):
        plan(*words, "--state-dir", str(tmp_path))


# Exit codes


@pytest.mark.parametrize(
    ("words", "environ", "code", "sentence"),
    [
        (["--bind", "0.0.0.0"], {}, 2, "Use 127.0.0.1"),
        (["--config", "none.toml"], {}, 2, "there is no file"),
        ([], {"COMPANION_MODEL_MODEL": "m", "COMPANION_MODEL_API_KEY_ENV": "UNSET"}, 2, "'UNSET'"),
    ],
)  # fmt: skip
def test_wrong_input_ends_with_2_and_a_sentence(
    tmp_path, monkeypatch, capsys, words, environ, code, sentence
):
    monkeypatch.chdir(tmp_path)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert launch.run(arguments("--state-dir", str(tmp_path / "s"), *words)) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("companion gateway: ")
    assert sentence in err


def test_a_port_that_is_taken_ends_with_2(tmp_path, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert launch.run(arguments("--state-dir", str(tmp_path), "--port", port)) == 2
    assert f"port {port}" in capsys.readouterr().err


def test_a_store_that_cannot_be_used_ends_with_3(tmp_path, capsys):
    (tmp_path / "gateway.sqlite3").write_bytes(b"x" * 5000)
    assert launch.run(arguments("--state-dir", str(tmp_path))) == 3
    assert "Move that file away" in capsys.readouterr().err


# The process


@asynchronous
async def test_it_says_where_it_listens_and_ends_when_its_parent_does(tmp_path):
    async with child("--state-dir", str(tmp_path)) as gateway:
        assert gateway.ready.keys() == {"ws_url", "http_url", "token_file", "pid"}
        assert gateway.ready["pid"] == gateway.process.pid
        assert gateway.ready["token_file"] is None
        async with raw_client(gateway.ws_url) as client:
            await client.connect()
            assert await gateway.stop() == 0
            shutdown = await client.frame(lambda frame: frame.get("event") == "shutdown")
            assert "started the gateway ended" in shutdown["payload"]["reason"]


@asynchronous
async def test_alone_it_writes_its_token_and_ends_in_order_when_it_is_told_to(tmp_path):
    async with child("--state-dir", str(tmp_path), token=None) as gateway:
        token = await asyncio.to_thread(Path(gateway.ready["token_file"]).read_text)
        async with raw_client(gateway.ws_url) as client:
            await client.connect(auth={"token": token.strip()})
            gateway.process.send_signal(signal.SIGTERM)
            await client.frame(lambda frame: frame.get("event") == "shutdown")
            assert await gateway.process.wait() == 0


@asynchronous
async def test_a_second_gateway_does_not_touch_the_data_of_the_first(tmp_path):
    async with child("--state-dir", str(tmp_path)) as first:
        with pytest.raises(ValueError):  # it ended before it said that it is ready
            async with child("--state-dir", str(tmp_path)):
                pass
        async with raw_client(first.ws_url) as client:
            await client.connect()


@asynchronous
async def test_what_was_acknowledged_is_there_after_the_process_was_killed_in_the_middle_of_a_run(tmp_path):
    async with child("--state-dir", str(tmp_path)) as gateway, raw_client(gateway.ws_url) as client:
        await client.connect(caps=[WIDGETS])
        await client.ask("widget", "k1")
        assert (await client.send("slow", "k2"))["status"] == "started"
        assert (await client.send("markdown", "k3"))["status"] == "started"
        await client.chat("delta", "k2")
        gateway.process.kill()
        await gateway.process.wait()
        with pytest.raises(LinkClosed):
            await client.call("health")
    async with child("--state-dir", str(tmp_path)) as gateway, raw_client(gateway.ws_url) as client:
        await client.connect(caps=[WIDGETS])
        history = await client.history()
        asked = [message["content"] for message in history["messages"] if message["role"] == "user"]
        assert asked == ["widget", "slow", "markdown"]
        assert history["sessionInfo"]["hasActiveRun"] is False
        marked = [message for message in history["messages"] if message.get("errorMessage")]
        assert [message["__openclaw"]["runId"] for message in marked] == ["k2", "k3"]
        assert all("Send the message again" in message["errorMessage"] for message in marked)
        assert (await client.send("slow", "k2"))["status"] == "interrupted"
        widget = next(
            b
            for m in history["messages"]
            if m["role"] == "assistant"
            for b in m["content"]
            if b["type"] == "canvas"
        )
        page = await client.call("canvas.document.view", {"docId": widget["preview"]["viewId"]})
        assert "By day" in page["html"]
        assert text_of(await client.ask("hello", "k4")).startswith("I am the Guide")
        assert await gateway.stop() == 0


@asynchronous
async def test_the_bound_of_widgets_is_a_setting(tmp_path):
    settings = tmp_path / "companion.toml"
    settings.write_text("[gateway]\nmax_widgets_per_session = 1\n")
    words = ("--state-dir", str(tmp_path), "--config", str(settings))
    async with child(*words) as gateway, raw_client(gateway.ws_url) as client:
        await client.connect(caps=[WIDGETS])
        first = (await client.ask("widget", "k1"))["content"][1]["preview"]["viewId"]
        await client.ask("widget", "k2")
        with pytest.raises(Refused, match="newest 1"):
            await client.call("canvas.document.view", {"docId": first})
        assert await gateway.stop() == 0
