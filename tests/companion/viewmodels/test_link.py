from __future__ import annotations

import pytest

from companion.viewmodels.link import LinkModel, refusal_sentence
from gateway_client.errors import ConnectRefused, NextStep
from gateway_client.status import LinkState, LinkStatus


@pytest.fixture
def link(qapp):
    return LinkModel("Embedded gateway")


def test_a_ready_link_says_its_round_trip_and_needs_no_sentence(link):
    link.show_status(LinkStatus(LinkState.READY, round_trip_ms=4))
    assert (link.text, link.tone, link.detail) == ("Embedded gateway · 4 ms", "ok", "")
    assert link.is_ready


def test_a_broken_link_says_why_and_when_it_is_tried_again(link):
    link.show_status(
        LinkStatus(LinkState.WAITING, reason="the gateway closed the connection", retry_in_s=3.2)
    )
    assert link.detail == "The gateway closed the connection. Next try in 3 s."
    assert not link.is_ready


def test_a_refusal_says_what_helps():
    error = ConnectRefused("AUTH_TOKEN_MISMATCH", "the token is wrong", next_step=NextStep.CHANGE_CREDENTIALS)
    status = LinkStatus(LinkState.REFUSED, reason="the token is wrong", error=error)
    assert refusal_sentence(status) == f"The token is wrong. {error.advice}"


def test_the_same_status_twice_is_announced_once(link, qtbot):
    told = []
    link.changed.connect(lambda: told.append(1))
    link.show_status(LinkStatus(LinkState.READY, round_trip_ms=4))
    link.show_status(LinkStatus(LinkState.READY, round_trip_ms=4))
    assert told == [1]


def test_a_lost_gateway_is_told_in_words(link):
    link.show_status(LinkStatus(LinkState.READY))
    link.show_problem("The embedded gateway ended (code -9). Starting it again…")
    assert "ended" in link.detail
    assert not link.is_ready
