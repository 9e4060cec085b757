from __future__ import annotations

import logging

import pytest

from companion.config import GatewaySettings
from companion.gateway.gateway import Gateway
from companion.gateway.providers.scripted import Scripted
from companion.gateway.stores.database import DatabaseError
from companion.gateway.stores.transcripts import NewMessage
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import house


@asynchronous
async def test_what_an_earlier_gateway_left_open_is_ended_before_the_first_client_comes(tmp_path, caplog):
    caplog.set_level(logging.WARNING)
    async with house(state_dir=tmp_path) as home:
        message = NewMessage("user", {"content": "lost?"}, 1, "r1")
        await home.gateway.run_log.accept("r1", "agent:main:main", "f", message)
    async with house(state_dir=tmp_path) as home:
        messages = (await (await home.client()).history())["messages"]
        assert [message["role"] for message in messages] == ["user", "assistant"]
        assert "Send the message again" in messages[1]["errorMessage"]
    assert "1 runs had been interrupted" in caplog.text


@asynchronous
async def test_a_gateway_in_memory_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with house() as home:
        assert home.gateway.uptime_ms >= 0
    assert list(tmp_path.iterdir()) == []


@asynchronous
async def test_a_store_that_cannot_be_used_is_said_at_once(tmp_path):
    (tmp_path / "gateway.sqlite3").write_bytes(b"x" * 5000)
    with pytest.raises(DatabaseError):
        await Gateway.open(GatewaySettings(), Scripted(), state_dir=tmp_path, plugin_entries=())
