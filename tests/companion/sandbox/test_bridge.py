from __future__ import annotations

from PySide6.QtWebEngineCore import QWebEngineScript

from companion.sandbox.bridge import Carrier


def test_what_the_outer_script_says_is_passed_on_as_it_came(qtbot):
    carrier = Carrier()
    with qtbot.waitSignal(carrier.received) as heard:
        carrier.receive('{"from":"page"}')
    assert heard.args == ['{"from":"page"}']


def test_the_channel_is_in_the_world_of_the_relay_and_in_no_other(stage):
    page = stage.open("x").live_page.page
    found = {}
    worlds = QWebEngineScript.ScriptWorldId
    for world in (worlds.MainWorld, worlds.UserWorld, worlds.ApplicationWorld):
        page.runJavaScript(
            "typeof qt", world.value, lambda kind, world=world: found.__setitem__(world.name, kind)
        )
    stage.qtbot.waitUntil(lambda: len(found) == 3, timeout=10_000)
    assert found == {"MainWorld": "undefined", "UserWorld": "undefined", "ApplicationWorld": "object"}
