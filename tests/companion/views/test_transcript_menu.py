from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from companion.views.transcript_menu import MAX_LINKS, TranscriptMenu


def test_a_menu_runs_what_is_chosen_and_deletes_itself(qtbot):
    parent, done = QWidget(), []
    qtbot.addWidget(parent)
    menu = TranscriptMenu(parent)
    menu.entry("Do it", lambda: done.append("it"))
    menu.entry("Not now", lambda: done.append("no"), enabled=False)
    menu.show_at(QPoint(10, 10))
    assert menu.isVisible()
    for action in menu.actions():
        action.trigger()
    assert done == ["it"]
    menu.close()
    qtbot.waitUntil(lambda: not isValid(menu))


def test_links_are_bounded_in_number_and_in_length(qtbot):
    parent, followed = QWidget(), []
    qtbot.addWidget(parent)
    menu = TranscriptMenu(parent)
    links = [f"https://example.org/{'x' * 100}/{number}" for number in range(MAX_LINKS + 5)]
    menu.link_entries(links, followed.append)
    assert len(menu.actions()) == MAX_LINKS
    assert all(len(action.text()) < 80 for action in menu.actions())
    menu.actions()[1].trigger()
    assert followed == [links[1]]
