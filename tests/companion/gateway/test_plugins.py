from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.gateway import plugins
from companion.gateway.providers.scripted import Scripted, call, say
from companion.gateway.tools import TOOLS
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import TOOL_EVENTS, WIDGETS, house
from tests.support.plugins import plugin

DISTRIBUTION = Path(__file__).parents[2] / "support" / "tool_plugin"


@pytest.fixture
def installed(monkeypatch):
    """The test distribution, found as an installed one is."""
    monkeypatch.syspath_prepend(str(DISTRIBUTION))
    yield plugins.installed()
    for name in ("companion_test_tools", "companion_test_broken"):
        sys.modules.pop(name, None)


def test_an_installed_distribution_brings_its_tools(installed):
    names = [tool.name for tool in plugins.assemble(TOOLS, installed).tools]
    assert names == [*(tool.name for tool in TOOLS), "count_characters", "blink"]


def test_a_fault_of_one_plugin_is_logged_with_its_reason_and_harms_no_other(installed, caplog):
    assembly = plugins.assemble(TOOLS, installed)
    reasons = {one.plugin: one.reason for one in assembly.refused}
    assert reasons.keys() == {"b_impostor", "c_not_a_tool", "d_missing", "e_broken", "f_same_again"}
    assert "belongs to this program" in reasons["b_impostor"]
    assert "is a int, not a Tool or a list of Tool" in reasons["c_not_a_tool"]
    assert "AttributeError" in reasons["d_missing"]
    assert "SystemExit: this plugin cannot start" in reasons["e_broken"]
    assert "belongs to plugin 'a_good_one'" in reasons["f_same_again"]
    assert all(reason in caplog.text for reason in reasons.values())


def test_the_order_in_which_plugins_were_found_changes_nothing(installed):
    assert plugins.assemble(TOOLS, installed) == plugins.assemble(TOOLS, tuple(reversed(installed)))


def test_the_core_keeps_its_own_tool_when_a_plugin_takes_its_name(installed):
    tools = {tool.name: tool for tool in plugins.assemble(TOOLS, installed).tools}
    assert tools["show_widget"] is TOOLS[0]


@asynchronous
async def test_an_installed_tool_answers_and_is_gated_like_ours_in_a_real_run():
    sys.path.insert(0, str(DISTRIBUTION))
    try:
        script = Scripted([call("count_characters", text="four"), say("a"), say("b")])
        async with house(script, plugins=plugins.installed()) as home:
            plain, drawing = await home.client(TOOL_EVENTS), await home.client(WIDGETS)
            await plain.ask("count", "k1")
            await drawing.ask("look", "k2")
            assert plain.tool_results()[0]["result"]["content"] == [{"type": "text", "text": "4"}]
            offered = [[spec.name for spec in request.tools] for request in script.requests]
            assert offered[0] == offered[1] == ["count_characters"]
            assert offered[2] == ["blink", "count_characters", "show_widget"]
            errors = (await plain.call("health"))["plugins"]["errors"]
            assert "b_impostor" in {one["id"] for one in errors}
    finally:
        sys.path.remove(str(DISTRIBUTION))
        sys.modules.pop("companion_test_tools", None)


def test_one_tool_and_a_tuple_of_them_are_taken_as_well():
    tool = TOOLS[0]
    assert plugins.assemble([], [plugin(tool)]).tools == (tool,)
    assert plugins.assemble([], [plugin((tool,))]).tools == (tool,)
    assert plugins.assemble([], [plugin([tool, 1])]).tools == ()
