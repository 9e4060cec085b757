from __future__ import annotations

import asyncio
import logging

from gateway_client.subscribers import Stream, Subscribers
from tests.support.asynchronous import asynchronous


def test_everyone_is_told_in_the_order_of_asking_until_they_leave():
    subscribers, told = Subscribers[int](), []
    leave = subscribers.add(lambda item: told.append(("a", item)))
    subscribers.add(lambda item: told.append(("b", item)))
    subscribers.tell(1)
    leave()
    leave()
    subscribers.tell(2)
    assert told == [("a", 1), ("b", 1), ("b", 2)]


def test_one_who_fails_is_logged_and_hinders_no_other(caplog):
    subscribers, told = Subscribers[str](), []

    def fail(item):
        raise RuntimeError("no")

    subscribers.add(fail)
    subscribers.add(told.append)
    with caplog.at_level(logging.ERROR):
        subscribers.tell("x")
    assert told == ["x"]
    assert "a subscriber failed" in caplog.text
    caplog.clear()


def test_one_who_is_made_to_leave_while_others_are_told_is_not_told():
    subscribers, told = Subscribers[int](), []
    leave_second = None
    subscribers.add(lambda item: leave_second() if leave_second else None)
    leave_second = subscribers.add(told.append)
    subscribers.tell(1)
    assert told == []


@asynchronous
async def test_a_stream_begins_when_it_is_made_and_ends_when_it_is_closed():
    subscribers = Subscribers[int]()
    stream = Stream[int](lambda lost: -lost).follow(subscribers)
    subscribers.tell(1)
    subscribers.tell(2)
    stream.close()
    subscribers.tell(3)
    assert [item async for item in stream] == [1, 2]


@asynchronous
async def test_a_stream_waits_for_what_comes_later():
    stream = Stream[int](lambda lost: -lost)
    reading = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    stream.put(7)
    assert await reading == 7


@asynchronous
async def test_closing_a_stream_wakes_its_reader():
    async with Stream[int](lambda lost: -lost) as stream:
        reading = asyncio.ensure_future(anext(stream, "end"))
        await asyncio.sleep(0)
    assert await reading == "end"


@asynchronous
async def test_a_reader_that_is_too_slow_is_told_how_much_it_lost():
    stream = Stream[int](lambda lost: -lost, max_items=2)
    for item in range(1, 6):
        stream.put(item)
    stream.close()
    assert [item async for item in stream] == [-3, 4, 5]
