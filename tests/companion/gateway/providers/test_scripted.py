from __future__ import annotations

import asyncio

import pytest

from companion.gateway.provider import ProviderError, ProviderRequest, TextDelta, ToolCall, TurnEnd, UserTurn
from companion.gateway.providers.scripted import Scripted, call, say
from tests.support.asynchronous import asynchronous

REQUEST = ProviderRequest((UserTurn("hello"),))


async def played(script):
    return [delta async for delta in script.stream(REQUEST)]


@asynchronous
async def test_each_request_plays_the_next_turn_and_is_remembered():
    script = Scripted([say("a", "b")])
    script.will(call("draw", title="t"))
    assert await played(script) == [TextDelta("a"), TextDelta("b"), TurnEnd("stop")]
    assert await played(script) == [ToolCall("call_1", "draw", {"title": "t"}), TurnEnd("toolUse")]
    assert script.requests == [REQUEST, REQUEST]


@asynchronous
async def test_a_script_that_is_over_is_an_error():
    with pytest.raises(ProviderError, match="no more turns"):
        await played(Scripted())


@asynchronous
async def test_a_script_waits_for_its_events_and_raises_its_errors():
    gate = asyncio.Event()
    script = Scripted([[gate, TextDelta("late")], [ValueError("no")]])
    waiting = asyncio.create_task(played(script))
    await asyncio.sleep(0)
    assert not waiting.done()
    gate.set()
    assert (await waiting)[0] == TextDelta("late")
    with pytest.raises(ValueError, match="no"):
        await played(script)
