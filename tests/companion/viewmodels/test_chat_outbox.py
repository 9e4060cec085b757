"""What becomes of messages when the app ends before the gateway has acknowledged them."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import asynccontextmanager

import pytest

from companion.outbox import Entry, Outbox
from companion.viewmodels.chat import ChatModel
from gateway_client.client import GatewayClient
from gateway_client.errors import CallFailed
from gateway_client.options import ConnectOptions
from gateway_client.status import LinkState
from tests.support.gateway_in_memory import TOKEN
from tests.support.gateway_on_loopback import ROOT, serving
from tests.support.qt_loop import until

# An app that is killed, without a chance to clean up, before or after the gateway took its message.
KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from companion.outbox import Outbox
from companion.viewmodels.chat import ChatModel
from gateway_client.client import GatewayClient
from gateway_client.options import ConnectOptions

url, token, path, when = sys.argv[1:]

async def main():
    client = GatewayClient(ConnectOptions(url, token=token))
    real = client.send_message
    async def send_message(*args, **kwargs):
        if when == "after":
            await real(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)
    client.send_message = send_message
    chat = ChatModel(client, "main", Outbox(Path(path), "here"))
    await client.start()
    await client.wait_ready(20)
    chat.send("exactly once")
    await asyncio.Event().wait()

application = QCoreApplication([])
asyncio.run(main())
"""


@asynccontextmanager
async def started(url, path):
    """The part of the app that chats, as the next start makes it."""
    client = GatewayClient(ConnectOptions(url, token=TOKEN))
    outbox = Outbox(path, "here")
    chat = ChatModel(client, "main", outbox)
    client.subscribe(chat.take_event)
    client.watch_status(lambda status: chat.link_is_back() if status.state is LinkState.READY else None)
    try:
        yield client, chat, outbox
    finally:
        await chat.close()
        await client.close()
        outbox.close()


async def _sent_by_people(client):
    history = await client.history("main")
    return [message["content"] for message in history.messages if message["role"] == "user"]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_between_sending_and_acknowledgement_delivers_exactly_once(run, tmp_path, when):
    path = tmp_path / "outbox.db"

    async def story():
        async with serving() as server:
            process = await asyncio.create_subprocess_exec(
                *[sys.executable, "-c", KILLED, server.ws_url, TOKEN, str(path), when], cwd=ROOT
            )
            assert await process.wait() == -signal.SIGKILL
            async with started(server.ws_url, path) as (client, chat, outbox):
                assert [row.state for row in chat.messages] == ["queued"]
                await client.start()
                await until(lambda: not outbox.entries)
                await until(lambda: len(chat.messages) >= 2 and not chat.is_busy)
                assert await _sent_by_people(client) == ["exactly once"]
                assert [row.role for row in chat.messages].count("user") == 1
        again = Outbox(path, "here")
        assert again.entries == ()
        again.close()

    run(story())


def test_a_message_is_on_the_disk_before_it_is_shown(run, tmp_path):
    async def story():
        async with started("ws://127.0.0.1:1", tmp_path / "outbox.db") as (_client, chat, _outbox):
            on_disk = []

            def look():
                reader = Outbox(tmp_path / "outbox.db", "here")
                on_disk.append([entry.text for entry in reader.entries])
                reader.close()

            chat.messages_changed.connect(look)
            chat.send("first the disk")
            assert on_disk[0] == ["first the disk"]

    run(story())


def test_messages_of_other_conversations_are_shown_only_there(run, tmp_path):
    async def story():
        box = Outbox(tmp_path / "outbox.db", "here")
        box.add(Entry("1", "main", "here"))
        box.add(Entry("2", "other", "there"))
        box.close()
        async with started("ws://127.0.0.1:1", tmp_path / "outbox.db") as (_client, chat, _outbox):
            assert [row.key for row in chat.messages] == ["user:1"]
            chat.open_session("other")
            assert [row.key for row in chat.messages] == ["user:2"]

    run(story())


def test_a_refused_message_is_there_after_a_restart_until_it_is_discarded(run, tmp_path, monkeypatch):
    path = tmp_path / "outbox.db"

    async def story():
        async with started("ws://127.0.0.1:1", path) as (client, chat, _outbox):

            async def refuse(*_args, **_kwargs):
                raise CallFailed("chat.send", "INVALID_REQUEST", "the message is too long")

            monkeypatch.setattr(client, "send_message", refuse)
            chat.send("long")
            await until(lambda: chat.messages[0].state == "failed")
        async with started("ws://127.0.0.1:1", path) as (_client, chat, outbox):
            assert [row.state for row in chat.messages] == ["failed"]
            assert outbox.entries[0].failure == "Not sent: the message is too long"
            chat.discard(chat.messages[0].key)
            assert chat.messages == ()
        async with started("ws://127.0.0.1:1", path) as (_client, chat, _outbox):
            assert chat.messages == ()

    run(story())


def test_a_message_that_is_not_refused_can_not_be_discarded(run, tmp_path):
    async def story():
        async with started("ws://127.0.0.1:1", tmp_path / "outbox.db") as (_client, chat, outbox):
            chat.send("on its way")
            chat.discard(chat.messages[0].key)
            chat.discard("user:unknown")
            assert [entry.text for entry in outbox.entries] == ["on its way"]
            assert len(chat.messages) == 1

    run(story())
