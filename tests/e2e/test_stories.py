from __future__ import annotations

import os
import signal

import pytest

from gateway_client.protocol.blocks import TextBlock, WidgetBlock
from tests.support.app import running
from tests.support.qt_loop import drive, until


@pytest.fixture
def run(qapp):
    return lambda work: drive(qapp, work, 180)


def texts(app):
    return [
        "".join(part.text for part in message.parts if isinstance(part, TextBlock))
        for message in app.chat.messages
        if message.role == "user"
    ]


def test_a_reader_sees_a_widget_beside_the_answer(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            answer = await driver.ask("widget svg")
            assert any(isinstance(part, WidgetBlock) for part in answer.parts)
            picture = await driver.picture("light", tmp_path / "light.png")
            assert driver.blank_widgets(picture) == []
            assert list(driver.widgets)

    run(story())


def test_a_killed_gateway_is_told_restarted_and_loses_nothing(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            app = driver.app
            await driver.ask("hello")
            await driver.ask("widget svg")
            before = texts(app)
            details = []
            app.link.changed.connect(lambda: details.append(app.link.detail))
            os.kill(app.endpoint.pid, signal.SIGKILL)
            await until(lambda: not app.link.is_ready, "the loss")
            app.chat.send("typed while it was down")
            await until(lambda: app.link.is_ready, "the restart")
            await until(
                lambda: app.chat.messages[-1].role == "assistant" and not app.chat.is_busy, "the answer"
            )
            assert any("ended" in detail for detail in details)
            assert texts(app) == [*before, "typed while it was down"]
            history = await app.client.history("main")
            told = [m["content"] for m in history.messages if m["role"] == "user"]
            assert len(told) == 3

    run(story())


def test_a_gateway_killed_while_it_answers_keeps_what_was_acknowledged(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            app = driver.app
            app.chat.send("slow")
            await until(lambda: app.chat.is_busy, "the answer's start")
            os.kill(app.endpoint.pid, signal.SIGKILL)
            await until(lambda: not app.link.is_ready, "the loss")
            await until(lambda: app.link.is_ready, "the restart")
            await until(lambda: not app.chat.is_busy, "the end of the lost run")
            assert texts(app) == ["slow"]

    run(story())


def test_stopping_a_slow_answer_keeps_its_words(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            app = driver.app
            app.chat.send("slow")
            await until(
                lambda: app.chat.messages[-1].role == "assistant" and app.chat.messages[-1].parts, "words"
            )
            app.chat.stop()
            await until(lambda: not app.chat.is_busy, "the stop")
            assert app.chat.messages[-1].state == "stopped"

    run(story())
