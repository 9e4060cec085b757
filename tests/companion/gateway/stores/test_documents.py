from __future__ import annotations

import re
from contextlib import asynccontextmanager

from companion.gateway.stores.database import Database
from companion.gateway.stores.documents import DEFAULT_MAX_PER_SESSION, Documents
from tests.support.asynchronous import asynchronous


@asynccontextmanager
async def documents(**settings):
    database = Database(None)
    await database.open()
    yield Documents(database, **settings)
    await database.close()


async def put(store, session="s", html="<p>"):
    return await store.put(session, title="t", html=html, now_ms=1)


@asynchronous
async def test_a_document_is_read_as_it_was_stored_by_an_id_that_nobody_guesses():
    async with documents() as store:
        first, second = await put(store, html="<p>ü</p>"), await put(store)
        assert re.fullmatch(r"cv_[0-9a-f]{32}", first)
        assert first != second
        found = await store.get(first)
        assert (found.id, found.title, found.html) == (first, "t", "<p>ü</p>")
        assert await store.get("cv_unknown") is None


@asynchronous
async def test_the_thirty_third_document_of_a_session_takes_the_place_of_the_oldest():
    async with documents() as store:
        ids = [await put(store) for _ in range(DEFAULT_MAX_PER_SESSION)]
        assert all([await store.get(one) for one in ids])
        ids.append(await put(store))
        assert await store.get(ids[0]) is None
        assert all([await store.get(one) for one in ids[1:]])


@asynchronous
async def test_each_session_has_its_own_bound():
    async with documents(max_per_session=1) as store:
        mine, other = await put(store, "a"), await put(store, "b")
        assert await store.get(mine)
        assert await store.get(other)
