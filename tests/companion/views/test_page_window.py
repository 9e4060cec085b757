from __future__ import annotations

import tests.support.engine  # noqa: F401 - before any application object
from companion.sandbox.sandbox import Sandbox
from companion.sandbox.view import PageDocument
from companion.views.page_window import PageWindow
from companion.views.theme import LIGHT

PAGE = (
    "<!doctype html><body><script>onload = () =>"
    " parent.postMessage({type: 'openclaw:widget-size', height: 333}, '*')</script>"
)


def test_the_window_becomes_as_high_as_its_page_says_and_keeps_its_width(qtbot):
    sandbox, window = Sandbox(), PageWindow(420)
    try:
        view = window.open_page(sandbox, PageDocument("page", PAGE.encode(), "Page"), LIGHT)
        qtbot.waitUntil(lambda: window.sizes == [333], timeout=20_000)
        assert (window.width(), window.height()) == (view.width(), view.height()) == (420, 333)
    finally:
        sandbox.close()
        window.close()
        window.deleteLater()
