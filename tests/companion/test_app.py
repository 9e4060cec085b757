from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QLabel

from companion.app import CannotStart, CompanionApp, Target, declared_caps, engine_problem
from companion.config import Settings
from companion.views.theme import DARK, LIGHT
from gateway_client.protocol import caps
from gateway_client.protocol.blocks import TextBlock
from tests.support.app import running
from tests.support.qt_loop import drive, until

pytestmark = pytest.mark.xdist_group("screen")


@pytest.fixture
def run(qapp):
    return lambda work: drive(qapp, work, 120)


def text_of(message):
    return "".join(part.text for part in message.parts if isinstance(part, TextBlock))


def test_the_first_start_without_any_setting_has_a_guide_that_answers(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            answer = await driver.ask("hello")
            assert text_of(answer)
            header = [label.text() for label in driver.app.window.header.findChildren(QLabel)]
            assert "Guide (no model)" in header
            assert driver.app.link.text.startswith("Embedded gateway")

    run(story())


def test_a_page_fills_the_composer_and_sends_nothing(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            driver.app.widgets.prompt_offered.emit("from the page")
            assert driver.app.window.composer.draft() == "from the page"
            assert driver.app.chat.messages == ()

    run(story())


def test_what_is_written_in_one_conversation_waits_there(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            app = driver.app
            first = app.sessions.current
            app.window.composer.set_draft("half a thought")
            app.new_chat()
            assert app.window.composer.draft() == ""
            app.window.open_session(first)
            assert app.window.composer.draft() == "half a thought"

    run(story())


def test_what_is_written_is_still_there_at_the_next_start_and_gone_once_sent(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            driver.app.window.composer.set_draft("half a thought")
        async with running(tmp_path) as driver:
            assert driver.app.window.composer.draft() == "half a thought"
            driver.app.window.composer.submit()
            await until(
                lambda: not driver.app.chat.is_busy and len(driver.app.chat.messages) == 2, "an answer"
            )
        async with running(tmp_path) as driver:
            assert driver.app.window.composer.draft() == ""

    run(story())


def test_theme_and_conversation_are_as_they_were_at_the_next_start(run, tmp_path):
    async def story():
        async with running(tmp_path) as driver:
            driver.app.choose_theme("dark")
            driver.app.new_chat()
            key = driver.app.sessions.current
            await driver.ask("remember me")
        async with running(tmp_path) as driver:
            app = driver.app
            assert app.sessions.current == key
            assert app.window.palette().window().color().name() == DARK.bg
            await until(lambda: len(app.chat.messages) == 2, "the conversation")
            assert text_of(app.chat.messages[0]) == "remember me"
            app.choose_theme("light")
            assert app.window.palette().window().color().name() == LIGHT.bg

    run(story())


def test_a_gateway_that_does_not_start_is_told_in_the_window_and_can_be_tried_again(
    run, tmp_path, monkeypatch
):
    async def story():
        app = CompanionApp(tmp_path, Target(), Settings())
        good = list(app.supervisor._command)
        app.supervisor._command[:] = [sys.executable, "-c", "raise SystemExit('no room on the disk')"]
        try:
            app.show()
            await app.start()
            assert "did not start" in app.link.detail
            app.supervisor._command[:] = good
            app.reconnect()
            await until(lambda: app.link.is_ready, "the second try")
        finally:
            await app.stop()

    run(story())


def test_a_wrong_token_is_told_with_a_next_step(run, tmp_path):
    async def story():
        async with running(tmp_path / "a") as driver:
            url = driver.app.endpoint.ws_url
            app = CompanionApp(tmp_path / "b", Target(url, "wrong"), Settings())
            try:
                await app.start()
                await until(lambda: "refused" in app.link.text, "the refusal")
                assert "token" in app.link.detail.lower()
            finally:
                await app.stop()

    run(story())


def test_a_profile_folder_that_can_not_be_used_is_told_with_a_way_out(qapp, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CannotStart, match="Name another with --profile"):
        CompanionApp(tmp_path / "file" / "profile", Target(), Settings())


def test_pages_are_promised_only_where_they_can_be_drawn():
    assert caps.INLINE_WIDGETS in declared_caps(can_draw_pages=True)
    assert caps.INLINE_WIDGETS not in declared_caps(can_draw_pages=False)


def test_without_a_display_the_window_says_so_instead_of_crashing():
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    done = subprocess.run(
        [sys.executable, "-m", "companion"], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "no display" in done.stderr


def test_the_name_of_a_far_gateway_is_its_host():
    assert Target("wss://gateway.test:443/x").name == "gateway.test"
    assert Target().is_embedded


def test_root_gets_text_unless_the_engines_sandbox_was_switched_off_on_purpose(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert engine_problem({}) is not None
    assert engine_problem({"QTWEBENGINE_DISABLE_SANDBOX": "1"}) is None
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert engine_problem({}) is None
