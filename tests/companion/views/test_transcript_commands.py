from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication

from companion.domain.selection import Place, Selection
from companion.views.renderer import Action
from tests.support.transcripts import point_of, said, shown, talk


def words(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def choose(qtbot, view, entry):
    menu = view._commands.menu
    next(action for action in menu.actions() if action.text() == entry).trigger()
    menu.close()
    qtbot.waitUntil(lambda: view._commands.menu is None)


def open_menu(view, point):
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, view.viewport().mapToGlobal(point))
    QApplication.sendEvent(view.viewport(), event)
    return view._commands.menu


def test_the_menu_copies_as_text_and_as_markdown(qtbot):
    view = shown(qtbot, (said("a", "Some **bold** words."), said("b", "end")))
    view._selected.set(Selection(Place(0, 0, 0), Place(1, 0, 3)))
    open_menu(view, point_of(view, 0, 0, 3))
    choose(qtbot, view, "Copy as Markdown")
    assert QGuiApplication.clipboard().text() == "Some **bold** words.\n\nend"
    open_menu(view, point_of(view, 0, 0, 3))
    choose(qtbot, view, "Copy")
    assert QGuiApplication.clipboard().text() == "Some bold words.\n\nend"


def test_without_a_selection_only_the_message_can_be_copied(qtbot):
    view = shown(qtbot, (said("a", "Some **bold** words."),))
    menu = open_menu(view, point_of(view, 0, 0, 3))
    enabled = {action.text(): action.isEnabled() for action in menu.actions()}
    assert not enabled["Copy"]
    assert "Retry" not in enabled
    choose(qtbot, view, "Copy message as Markdown")
    assert QGuiApplication.clipboard().text() == "Some **bold** words."


def test_the_menu_over_a_link_opens_and_copies_it(qtbot):
    view, followed = shown(qtbot, (said("a", "go [there](https://example.org/a?b&c)"),)), []
    view.link_activated.connect(followed.append)
    menu = open_menu(view, point_of(view, 0, 0, 5))
    assert words(menu)[:2] == ["Open https://example.org/a?b&&c", "Copy link"]
    choose(qtbot, view, "Copy link")
    assert QGuiApplication.clipboard().text() == "https://example.org/a?b&c"
    open_menu(view, point_of(view, 0, 0, 5))
    choose(qtbot, view, "Open https://example.org/a?b&&c")
    assert followed == ["https://example.org/a?b&c"]


def test_the_keyboard_reaches_every_link_of_the_focused_message(qtbot):
    view = shown(qtbot, (said("a", "[one](https://one.example) and\n\n[two](https://two.example)"),))
    view._commands.focus.set(0)
    view._commands.show_menu(0)
    assert words(view._commands.menu)[:2] == ["Open https://one.example", "Open https://two.example"]
    choose(qtbot, view, "Select all")
    assert view.selected_text() == "one and\n\ntwo"


def test_a_failed_message_can_be_sent_again_from_its_menu(qtbot):
    view, asked = shown(qtbot, (said("user:1", "Hi", role="user", state="failed"),)), []
    view.retry_requested.connect(asked.append)
    open_menu(view, point_of(view, 0, 0, 1))
    choose(qtbot, view, "Retry")
    assert asked == ["user:1"]


def test_a_failed_message_can_be_forgotten_from_its_menu(qtbot):
    view, asked = shown(qtbot, (said("user:1", "Hi", role="user", state="failed"),)), []
    view.discard_requested.connect(asked.append)
    open_menu(view, point_of(view, 0, 0, 1))
    choose(qtbot, view, "Discard")
    assert asked == ["user:1"]


def test_an_address_nobody_may_be_sent_to_is_not_followed(qtbot):
    view, followed = shown(qtbot, talk(1)), []
    view.link_activated.connect(followed.append)
    view._commands.follow_link("file:///etc/passwd")
    assert followed == []


def test_copying_code_puts_its_source_on_the_clipboard(qtbot):
    view = shown(qtbot, (said("a", "```py\nx = 1\n```"),))
    view._commands.act(Action("copy", "x = 1"), view._spots.nearest(QPoint(50, 50)))
    assert QGuiApplication.clipboard().text() == "x = 1"
