from __future__ import annotations

from contextlib import asynccontextmanager

import pytest

from companion.viewmodels.documents import DocumentsModel
from gateway_client.client import GatewayClient
from gateway_client.options import ConnectOptions
from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.handles import mint
from tests.support.fake_gateway import Failure, FakeGateway
from tests.support.qt_loop import until

CAT = WidgetBlock("cv_1", mint("cv_1"), "Cat")


@asynccontextmanager
async def reading(view):
    gateway = FakeGateway(
        on={"canvas.document.view": view},
        hello={"features": {"methods": ["canvas.document.view"], "events": []}},
    )
    async with gateway.running():
        client = GatewayClient(ConnectOptions("ws://127.0.0.1:1", token="secret"), opener=gateway.open)
        documents = DocumentsModel(client)
        told: list = []
        documents.ready.connect(lambda view_id, html: told.append(("ready", view_id, bytes(html))))
        documents.refused.connect(lambda view_id, why: told.append(("refused", view_id, why)))
        await client.start()
        try:
            await client.wait_ready(5)
            yield gateway, documents, told
        finally:
            await documents.close()
            await client.close()


async def a_page(_peer, _params):
    return {"html": "<p>cat</p>"}


def test_the_document_of_a_widget_is_read_and_told(run):
    async def story():
        async with reading(a_page) as (_, documents, told):
            documents.request(CAT)
            await until(lambda: told)
            assert told == [("ready", "cv_1", b"<p>cat</p>")]

    run(story())


def test_two_frames_that_want_one_document_read_it_once(run):
    async def story():
        async with reading(a_page) as (gateway, documents, told):
            documents.request(CAT)
            documents.request(CAT)
            await until(lambda: told)
            assert len(gateway.requests("canvas.document.view")) == 1

    run(story())


@pytest.mark.parametrize(
    "url",
    [
        "http://elsewhere.test/__openclaw__/canvas/documents/cv_1/index.html",
        "//elsewhere.test/__openclaw__/canvas/documents/cv_1/index.html",
        "/__openclaw__/canvas/documents/../../secret/index.html",
        "/__openclaw__/canvas/documents/cv_1%2f..%2fsecret/index.html",
        "/__openclaw__/canvas/documents/cv_2/index.html",
        "/health",
        "file:///etc/passwd",
        "",
    ],
)
def test_a_handle_that_points_elsewhere_is_never_fetched_and_the_reason_is_told(run, url):
    async def story():
        async with reading(a_page) as (gateway, documents, told):
            documents.request(WidgetBlock("cv_1", url, "Cat"))
            assert told[0][:2] == ("refused", "cv_1")
            assert told[0][2].startswith("This widget was not fetched: ")
            assert gateway.requests("canvas.document.view") == []
            assert gateway.http_requests == []

    run(story())


def test_a_document_that_the_gateway_no_longer_has_is_told_in_a_sentence(run):
    async def gone(_peer, _params):
        raise Failure("NOT_FOUND", "no such document")

    async def story():
        async with reading(gone) as (_, documents, told):
            documents.request(CAT)
            await until(lambda: told)
            kind, _, sentence = told[0]
            assert kind == "refused"
            assert sentence.endswith(".")

    run(story())
