from __future__ import annotations

import pytest

from companion.sandbox.interceptor import Interceptor
from companion.sandbox.layers import ALL_LAYERS
from companion.sandbox.sandbox import Sandbox
from tests.companion.sandbox.conftest import Stage


def test_a_request_the_policy_would_let_through_is_refused_with_the_view_that_made_it(qtbot, qapp):
    told = []
    sandbox = Sandbox(layers=ALL_LAYERS - {"policy"})
    sandbox.refused.connect(lambda *refusal: told.append(refusal))
    stage = Stage(qtbot, sandbox)
    view = stage.open("<script>new Image().src = 'http://127.0.0.1:9/x.png'</script>")
    qtbot.waitUntil(lambda: bool(told), timeout=10_000)
    assert told[0] == (view.view_id, "http://127.0.0.1:9/x.png", "foreign_address")
    sandbox.close()


class Broken:
    """A request that can not be read."""

    def __init__(self):
        self.was_blocked = False

    def requestUrl(self):
        raise RuntimeError("unreadable")

    def block(self, should_block):
        self.was_blocked = should_block


def test_a_request_that_can_not_be_judged_is_blocked(qapp):
    request, told = Broken(), []
    door = Interceptor(frozenset(), lambda *refusal: told.append(refusal), qapp)
    with pytest.raises(RuntimeError, match="unreadable"):
        door.interceptRequest(request)
    assert request.was_blocked
    assert told == []
