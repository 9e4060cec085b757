from __future__ import annotations

import pytest

from companion.domain.a2ui.commands import Setting
from companion.domain.a2ui.refusal import A2uiError
from companion.domain.a2ui.replies import Result
from companion.gateway.canvas_tool import SURFACE, canvas_tool
from companion.gateway.tool import ToolContext, ToolError
from gateway_client.protocol.canvas import PRESENT
from tests.support.asynchronous import asynchronous


class Host:
    def __init__(self, answer):
        self.answer = answer
        self.commands = []

    def canvas_setting(self):
        return Setting()

    async def canvas_command(self, command):
        self.commands.append(command)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


TOOL = canvas_tool("canvas_present", "Show it.", {"surfaceId": SURFACE})


async def called(answer, tool=TOOL, **arguments):
    host = Host(answer)
    tool.check(arguments)
    result = await tool.run(ToolContext("main", "run", frozenset({PRESENT}), host), arguments)
    return result.text, host.commands


@asynchronous
async def test_without_data_the_request_is_named():
    text, commands = await called(Result("r7"), surfaceId=5)
    assert "r7" in text
    assert commands == [{"type": "canvas_present", "surfaceId": "main"}]


@asynchronous
async def test_data_of_the_client_is_the_answer_unchanged():
    assert (await called(Result("r", value_json='{"n": 1}')))[0] == '{"n": 1}'


@asynchronous
async def test_what_goes_wrong_is_told_as_an_error():
    with pytest.raises(ToolError, match=r"^Error: the client left"):
        await called(A2uiError("disconnected", "the client left."))


@asynchronous
async def test_what_is_refused_is_not_sent():
    push = canvas_tool("a2ui_push", "Push.", {})
    with pytest.raises(ToolError, match=r"^Error: frames is missing"):
        await called(Result("r"), push)


def test_a_tool_is_offered_to_clients_with_its_capability():
    assert TOOL.requires == {PRESENT}
