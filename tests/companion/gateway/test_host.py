from __future__ import annotations

import pytest

from companion.domain.a2ui.refusal import A2uiError
from companion.gateway.broker import Broker
from companion.gateway.host import SessionHost, canvas_policy
from companion.gateway.stores.database import Database
from companion.gateway.stores.documents import Documents
from tests.support.asynchronous import asynchronous


@pytest.mark.parametrize(
    ("bind", "is_enabled"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("gateway.example", False)],
)
def test_where_other_machines_reach_the_gateway_there_is_no_canvas(bind, is_enabled):
    policy = canvas_policy(bind)
    assert (policy.is_enabled, policy.has_eval) == (is_enabled, False)


@asynchronous
async def test_a_run_that_no_client_asked_for_has_no_canvas():
    broker = Broker(canvas_policy("127.0.0.1"))
    documents = Documents(Database(None), max_per_session=1)
    host = SessionHost("agent:main:main", "", documents, broker, lambda: 0)
    assert host.canvas_setting().policy is broker.policy
    with pytest.raises(A2uiError) as refused:
        await host.canvas_command({"type": "canvas_present"})
    assert refused.value.category == "not_websocket"
