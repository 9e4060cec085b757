from __future__ import annotations

import pytest

from companion.domain.a2ui.policy import CanvasPolicy
from companion.domain.a2ui.refusal import A2uiError
from companion.domain.a2ui.replies import judge

SYNC = {"type": "a2ui_sync_ui_to_data", "requestId": "r", "sessionId": "s"}


def test_the_data_of_a_sync_stands_in_for_a_value_that_is_missing():
    reply = {"type": "a2ui_sync_result", "dataModelJson": '{"a":1}'}
    assert judge(SYNC, reply, CanvasPolicy()).data == '{"a":1}'


@pytest.mark.parametrize(
    ("reply", "category"),
    [
        ({"type": "a2ui_sync_result"}, "invalid_result"),
        ({"type": "a2ui_sync_result", "valueJson": "{"}, "invalid_result"),
        ({"type": "a2ui_sync_result", "valueJson": "1", "sessionId": "t"}, "session_mismatch"),
        ({"type": "canvas_ack"}, "unexpected_reply"),
        ({"type": "a2ui_error"}, "client_failed"),
    ],
)
def test_an_answer_that_is_no_good_is_refused(reply, category):
    with pytest.raises(A2uiError) as refused:
        judge(SYNC, reply, CanvasPolicy())
    assert refused.value.category == category


def test_the_reason_of_a_client_is_cut():
    with pytest.raises(A2uiError) as refused:
        judge(SYNC, {"type": "canvas_ack", "error": "x" * 5000}, CanvasPolicy())
    assert len(str(refused.value)) == 2000
