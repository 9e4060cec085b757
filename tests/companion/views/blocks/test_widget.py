from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QWidget

import tests.support.engine  # noqa: F401 - before the application object
from companion.sandbox.sandbox import Sandbox
from companion.viewmodels.documents import DocumentsModel
from companion.views.blocks.widget import CAP_PX, WidgetFactory
from companion.views.theme import DARK, LIGHT
from gateway_client.client import GatewayClient
from gateway_client.options import ConnectOptions
from gateway_client.protocol.blocks import TextBlock, WidgetBlock
from gateway_client.protocol.handles import mint
from tests.support.fake_gateway import Failure, FakeGateway
from tests.support.qt_loop import drive, until

CAT = WidgetBlock("cv_cat", mint("cv_cat"), "Cat")
RED = "<!doctype html><body style='margin:0;background:#c00000'><h1>Cat</h1>"
TALL = (
    "<!doctype html><body style='margin:0'><div style='height:700px'>tall</div>"
    "<script>parent.postMessage({type:'openclaw:widget-size',height:700},'*')</script>"
)
COUNTING = (
    "<!doctype html><body><p id=n></p><script>window.loads=(window.loads||0)+1;"
    "addEventListener('message',e=>{if(e.data&&e.data.type==='openclaw:widget-theme')"
    "{document.body.style.background=e.data.tokens.card}});"
    "parent.postMessage({type:'openclaw:widget-bridge-ready'},'*')</script>"
)


@asynccontextmanager
async def stage(html=RED, *, with_sandbox=True, view=None):
    async def page(_peer, _params):
        return {"html": html}

    gateway = FakeGateway(
        on={"canvas.document.view": view or page},
        hello={"features": {"methods": ["canvas.document.view"], "events": []}},
    )
    async with gateway.running():
        client = GatewayClient(ConnectOptions("ws://127.0.0.1:1", token="secret"), opener=gateway.open)
        documents = DocumentsModel(client)
        sandbox = Sandbox() if with_sandbox else None
        factory = WidgetFactory(sandbox, documents)
        window = QWidget()
        window.resize(600, 500)
        window.show()
        factory.seen, factory.reasons, factory.client = [], [], client
        factory.painted.connect(lambda *told: factory.seen.append(told))
        factory.refused.connect(lambda *told: factory.reasons.append(told))
        await client.start()
        try:
            await client.wait_ready(5)
            yield factory, window, gateway
        finally:
            await documents.close()
            await client.close()
            if sandbox is not None:
                sandbox.close()
            window.deleteLater()


def frame_in(window, factory, block=CAT):
    frame = factory.create("run:1/0", block, window)
    frame.setGeometry(0, 0, 600, 300)
    frame.show()
    return frame


def words(frame):
    return " ".join(label.text() for label in frame.findChildren(QLabel) if label.isVisible())


def colour(window, x, y):
    return window.grab().toImage().pixelColor(x, y).name()


@pytest.fixture
def run(qapp):
    return lambda work: drive(qapp, work)


def test_a_widget_is_drawn_below_a_title_and_a_badge_of_ours(run):
    async def story():
        async with stage() as (factory, window, _):
            frame = frame_in(window, factory)
            await until(lambda: factory.seen, "the first paint")
            view_id, url, policy, paint_ms = factory.seen[0]
            assert (view_id, url) == ("cv_cat", mint("cv_cat"))
            assert "default-src 'none'" in policy
            assert paint_ms >= 0
            await until(lambda: colour(window, 300, CAP_PX + 150) == "#c00000", "the page's colour")
            assert "Cat show_widget · no network" in words(frame)

    run(story())


def test_only_widgets_are_handled(run):
    async def story():
        async with stage(with_sandbox=False) as (factory, _, _gateway):
            assert factory.handles(CAT)
            assert not factory.handles(TextBlock("x"))

    run(story())


def test_the_height_that_a_page_reports_is_taken_and_remembered(run):
    async def story():
        async with stage(TALL) as (factory, window, _):
            frame, wanted = frame_in(window, factory), []
            frame.height_changed.connect(wanted.append)
            await until(lambda: wanted, "a height")
            assert wanted[-1] == 700 + CAP_PX + 2
            assert factory.remembered_height("another/key", CAT) == wanted[-1]

    run(story())


def test_a_preferred_height_is_kept_free_before_the_first_paint(run):
    async def story():
        async with stage(with_sandbox=False) as (factory, _, _gateway):
            block = WidgetBlock("cv_new", mint("cv_new"), "New", preferred_height_px=333)
            assert factory.remembered_height("k", block) == 333 + CAP_PX + 2
            block = WidgetBlock("cv_huge", mint("cv_huge"), "Huge", preferred_height_px=10**9)
            assert factory.remembered_height("k", block) == 8000 + CAP_PX + 2

    run(story())


def test_a_handle_that_points_elsewhere_stands_as_its_text_with_the_reason(run):
    async def story():
        async with stage() as (factory, window, gateway):
            block = WidgetBlock("cv_cat", "https://elsewhere.test/x", "Cat")
            frame = frame_in(window, factory, block)
            assert "[widget: Cat]" in words(frame)
            assert "a scheme of its own" in words(frame)
            assert gateway.requests("canvas.document.view") == []

    run(story())


def test_a_widget_that_is_gone_says_so_and_can_be_tried_again(run):
    answers = [Failure("NOT_FOUND", "no such document")]

    async def view(_peer, _params):
        if answers:
            raise answers.pop()
        return {"html": RED}

    async def story():
        async with stage(view=view) as (factory, window, _):
            frame = frame_in(window, factory)
            await until(lambda: factory.reasons, "a reason")
            assert "[widget: Cat]" in words(frame)
            reload_button = next(b for b in frame.findChildren(QPushButton) if b.text() == "reload")
            reload_button.click()
            await until(lambda: factory.seen, "the first paint")

    run(story())


def test_where_no_page_may_be_drawn_the_text_says_so(run):
    async def story():
        async with stage(with_sandbox=False) as (factory, window, gateway):
            frame = frame_in(window, factory)
            assert "not drawn on this machine" in words(frame)
            assert gateway.requests("canvas.document.view") == []

    run(story())


def test_a_new_theme_reaches_the_page_without_a_new_load(run):
    async def story():
        async with stage(COUNTING) as (factory, window, gateway):
            frame = frame_in(window, factory)
            await until(lambda: factory.seen, "the first paint")
            await until(lambda: colour(window, 300, CAP_PX + 150) == LIGHT.card, "the light page")
            frame.set_theme(DARK)
            await until(lambda: colour(window, 300, CAP_PX + 150) == DARK.card, "the dark page")
            assert len(factory.seen) == 1
            assert len(gateway.requests("canvas.document.view")) == 1

    run(story())


def test_a_widget_is_saved_as_a_picture(run, tmp_path):
    async def story():
        async with stage() as (factory, window, _):
            frame = frame_in(window, factory)
            await until(lambda: factory.seen, "the first paint")
            frame._save.trigger()
            dialog = frame.findChild(QFileDialog)
            dialog.fileSelected.emit(str(tmp_path / "cat.png"))
            assert (tmp_path / "cat.png").stat().st_size > 100
            problems = []
            frame.problem.connect(problems.append)
            dialog.fileSelected.emit(str(tmp_path / "no" / "such" / "folder.png"))
            assert "could not be written" in problems[0]
            dialog.close()

    run(story())


def test_closing_the_frame_ends_its_page(run):
    async def story():
        async with stage() as (factory, window, _):
            frame = frame_in(window, factory)
            await until(lambda: factory.seen, "the first paint")
            assert factory.sandbox.live_ids
            frame.closing()
            assert not factory.sandbox.live_ids

    run(story())
