from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

import tests.support.engine  # noqa: F401 - before the application object
from companion.viewmodels.chat import ChatModel
from companion.viewmodels.documents import DocumentsModel
from companion.viewmodels.link import LinkModel
from companion.viewmodels.sessions import SessionsModel
from companion.views.blocks.widget import WidgetFactory
from companion.views.main_window import MainWindow
from companion.views.theme import THEMES
from gateway_client.client import GatewayClient
from gateway_client.options import ConnectOptions
from gateway_client.status import LinkState, LinkStatus
from tests.support.qt_loop import drive


@pytest.fixture
def window(qtbot):
    client = GatewayClient(ConnectOptions("ws://127.0.0.1:9"))
    link = LinkModel("Embedded gateway")
    chat = ChatModel(client, "main")
    window = MainWindow(link, SessionsModel(), chat, WidgetFactory(None, DocumentsModel(client)))
    window.link_model, window.chat_model = link, chat
    qtbot.addWidget(window)
    window.show()
    return window


def test_an_empty_conversation_says_what_can_be_tried(window):
    assert window._empty.isVisible()
    assert "widget" in window._empty.text()
    assert not window.transcript.isVisible()


def test_the_strip_appears_only_when_the_link_needs_words(window):
    assert not window.strip.isVisible()
    window.link_model.show_status(LinkStatus(LinkState.WAITING, reason="the gateway went away", retry_in_s=2))
    assert window.strip.isVisible()
    window.link_model.show_status(LinkStatus(LinkState.READY))
    assert not window.strip.isVisible()


def test_a_problem_stays_until_it_is_dismissed_whatever_the_link_does(window, qtbot):
    window.strip.say_problem("The picture could not be written.")
    window.link_model.show_status(LinkStatus(LinkState.WAITING, reason="the gateway went away"))
    window.link_model.show_status(LinkStatus(LinkState.READY))
    assert window.strip.isVisible()
    button = next(b for b in window.strip.findChildren(QPushButton) if b.text() == "Dismiss")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not window.strip.isVisible()


def test_retry_now_asks_to_reconnect(window, qtbot):
    window.link_model.show_status(LinkStatus(LinkState.WAITING, reason="the gateway went away"))
    button = next(b for b in window.strip.findChildren(QPushButton) if b.text() == "Retry now")
    with qtbot.waitSignal(window.reconnect_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("name", list(THEMES))
def test_every_theme_colours_the_whole_window(window, name):
    theme = THEMES[name]
    window.set_theme(theme, name)
    image = window.grab().toImage()
    assert image.pixelColor(4, image.height() // 2).name() == theme.side
    assert image.pixelColor(image.width() - 4, image.height() // 2).name() == theme.bg


def test_text_size_stays_within_its_bounds(window):
    factors = []
    window.zoom_changed.connect(factors.append)
    for _ in range(30):
        window._zoom_by(1)
    assert factors[-1] == 2.0
    for _ in range(30):
        window._zoom_by(-1)
    assert factors[-1] == 0.7
    window._zoom_by(0)
    assert factors[-1] == 1.0


def test_the_window_fits_the_smallest_screen(window):
    window.resize(640, 480)
    assert (window.width(), window.height()) == (640, 480)
    assert window.composer.text.width() > 150


def test_closing_is_told(window, qtbot):
    with qtbot.waitSignal(window.closed):
        window.close()


def test_a_draft_is_told_after_a_pause(window, qtbot):
    told = []
    window.draft_changed.connect(lambda *draft: told.append(draft))
    with qtbot.waitSignal(window.draft_changed):
        qtbot.keyClicks(window.composer.text, "abc")
    assert told == [("main", "abc")]


def test_opening_another_conversation_tells_the_draft_of_this_one_at_once(window, qapp):
    told = []
    window.draft_changed.connect(lambda *draft: told.append(draft))
    window.draft_wanted.connect(told.append)

    async def story():
        window.composer.set_draft("abcd")
        window.open_session("other")
        await window.chat_model.close()

    drive(qapp, story())
    assert told == [("main", "abcd"), "other"]
