from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListView, QPushButton

from companion.viewmodels.link import LinkModel
from companion.viewmodels.sessions import SessionsModel
from companion.views.sidebar import KEY_ROLE, Sidebar
from companion.views.theme import DARK, LIGHT
from gateway_client.protocol.methods import SessionEntry

NOW = int(time.time() * 1000)


@pytest.fixture
def sidebar(qtbot):
    sessions = SessionsModel("main")
    sessions.show_entries(
        [
            SessionEntry(key="agent:main:main", label="Tides", updated_at=NOW),
            SessionEntry(key="agent:main:b", label="Invoices", updated_at=NOW - 9 * 86_400_000),
        ]
    )
    sidebar = Sidebar(LinkModel("Embedded gateway"), sessions)
    qtbot.addWidget(sidebar)
    sidebar.resize(248, 700)
    sidebar.show()
    return sidebar


def rows(sidebar):
    model = sidebar.findChild(QListView).model()
    return [(model.item(i).text(), model.item(i).data(KEY_ROLE)) for i in range(model.rowCount())]


def test_conversations_stand_under_headings(sidebar):
    assert rows(sidebar) == [
        ("Today", None),
        ("Tides", "agent:main:main"),
        ("Earlier", None),
        ("Invoices", "agent:main:b"),
    ]


def test_a_click_on_a_conversation_chooses_it(sidebar, qtbot):
    chosen = []
    sidebar.session_chosen.connect(chosen.append)
    view = sidebar.findChild(QListView)
    place = view.visualRect(view.model().index(3, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert "agent:main:b" in chosen


def test_headings_can_not_be_chosen(sidebar, qtbot):
    chosen = []
    sidebar.session_chosen.connect(chosen.append)
    view = sidebar.findChild(QListView)
    place = view.visualRect(view.model().index(0, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == []


def test_the_search_field_filters_at_once(sidebar, qtbot):
    qtbot.keyClicks(sidebar.findChild(QLineEdit), "inv")
    assert [key for _, key in rows(sidebar) if key] == ["agent:main:b"]


def test_new_chat_is_asked_for_by_the_button(sidebar, qtbot):
    with qtbot.waitSignal(sidebar.new_chat_requested):
        qtbot.mouseClick(sidebar.findChild(QPushButton, "newChat"), Qt.MouseButton.LeftButton)


def test_the_list_is_painted_differently_in_light_and_dark(sidebar):
    pictures = []
    for theme in (LIGHT, DARK):
        sidebar.set_theme(theme)
        pictures.append(sidebar.grab().toImage())
    assert pictures[0] != pictures[1]
