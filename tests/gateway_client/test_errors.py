from __future__ import annotations

import pytest

from gateway_client import errors
from gateway_client.errors import (
    CallFailed,
    ConnectRefused,
    GatewayError,
    InvalidRequest,
    LinkClosed,
    NextStep,
)


def test_whoever_catches_the_root_catches_all():
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    own = [c for c in classes if issubclass(c, Exception)]
    assert len(own) >= 9
    assert all(issubclass(c, GatewayError) for c in own)


def test_a_refusal_is_a_closed_link_and_a_wrong_argument_a_value_error():
    assert issubclass(ConnectRefused, LinkClosed)
    assert issubclass(InvalidRequest, ValueError)


@pytest.mark.parametrize("step", NextStep)
def test_every_next_step_has_a_sentence_for_a_person(step):
    advice = ConnectRefused("C", "no", next_step=step).advice
    assert len(advice.split()) >= 4
    assert advice[0].isupper()


def test_only_a_gateway_that_starts_is_worth_another_try():
    final = {step for step in NextStep if ConnectRefused("C", "no", next_step=step).is_final}
    assert final == set(NextStep) - {NextStep.RETRY}


def test_a_failed_call_names_its_method_and_keeps_the_gateways_words():
    error = CallFailed("chat.send", "FORBIDDEN", "missing scope", details={"code": "MISSING_SCOPE"})
    assert str(error) == "chat.send failed: missing scope"
    assert (error.code, error.message, error.details["code"]) == (
        "FORBIDDEN",
        "missing scope",
        "MISSING_SCOPE",
    )
