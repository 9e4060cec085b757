from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEnginePage

from companion.sandbox.page import MAX_CONSOLE_LINES

_Level = QWebEnginePage.JavaScriptConsoleMessageLevel
_Typed = QWebEnginePage.NavigationType.NavigationTypeTyped


@pytest.fixture
def page(stage):
    return stage.open("x").live_page.page


def test_the_page_goes_nowhere_but_to_its_own_address(page):
    address = page.url().toString()
    refused = []
    page.refused_here.connect(lambda url, rule: refused.append((url, rule.name)))
    assert page.acceptNavigationRequest(QUrl(address), _Typed, True)
    for elsewhere in ("http://127.0.0.1/", "about:blank", "file:///etc/passwd", address + "page"):
        assert not page.acceptNavigationRequest(QUrl(elsewhere), _Typed, True)
    assert {rule for _, rule in refused} == {"NAVIGATION"}
    assert len(refused) == 4


def test_no_window_opens_and_no_file_is_chosen(page):
    assert page.createWindow(QWebEnginePage.WebWindowType.WebBrowserWindow) is None
    assert page.chooseFiles(QWebEnginePage.FileSelectionMode.FileSelectOpen, [], []) == []


def test_every_dialog_is_answered_with_nothing_and_noted(page):
    page.javaScriptAlert(QUrl(), "x")
    assert page.javaScriptConfirm(QUrl(), "x") is False
    assert page.javaScriptPrompt(QUrl(), "x", "d") == (False, "")
    assert page.asked == ["alert", "confirm", "prompt"]


def test_a_console_that_floods_keeps_its_last_lines_only(page):
    for number in range(10 * MAX_CONSOLE_LINES):
        page.javaScriptConsoleMessage(_Level.InfoMessageLevel, f"line {number} " + "x" * 9000, 1, "s")
    assert len(page.console) <= 2 * MAX_CONSOLE_LINES
    assert page.console[-1].startswith(f"line {10 * MAX_CONSOLE_LINES - 1} ")
    assert max(len(line) for line in page.console) == 2000


def test_the_engine_s_word_on_our_headers_is_not_shown_as_the_page_s(page):
    assert not any("Permissions-Policy" in line for line in page.console)


def test_a_page_that_asks_for_powers_is_denied_without_a_question(stage):
    view = stage.open("""<script>
        const tell = name => error => console.log(name + ' denied ' + (error.name || error.message || error));
        navigator.geolocation.getCurrentPosition(() => console.log('geo ok'), tell('geo'));
        navigator.mediaDevices.getUserMedia({audio: true}).then(() => console.log('mic ok'), tell('mic'));
        Notification.requestPermission().then(answer => console.log('note ' + answer));
    </script>""")
    for word in ("geo denied", "mic denied", "note denied"):
        stage.wait_for_line(view, word)
