from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest

from companion.viewmodels.sessions import NEW_TITLE, SessionRow, SessionsModel, heading_for, is_same_session
from gateway_client.protocol.methods import SessionEntry

TODAY = date(2026, 12, 1)


def at(day, hour=10):
    return int(datetime.combine(day, time(hour)).astimezone().timestamp() * 1000)


def entry(key, title, updated):
    return SessionEntry(key=key, label=title, updated_at=updated)


@pytest.fixture
def sessions(qapp):
    model = SessionsModel("main")
    model.show_entries(
        [
            entry("agent:main:old", "Old", at(TODAY - timedelta(days=9))),
            entry("agent:main:main", "Tides", at(TODAY)),
            entry("agent:main:b", "Invoices", at(TODAY - timedelta(days=1))),
        ]
    )
    return model


def test_conversations_stand_under_their_day_newest_first(sessions):
    groups = [(group.heading, [row.title for row in group.rows]) for group in sessions.groups(TODAY)]
    assert groups == [("Today", ["Tides"]), ("Yesterday", ["Invoices"]), ("Earlier", ["Old"])]


def test_the_open_conversation_is_found_by_its_canonical_name_too(sessions):
    assert sessions.current_title == "Tides"


def test_a_new_conversation_is_listed_before_the_gateway_knows_it(sessions):
    sessions.open("chat-1")
    assert sessions.groups(TODAY)[0].rows[0] == SessionRow("chat-1", NEW_TITLE, 0)
    assert sessions.current_title == NEW_TITLE


def test_opening_the_open_conversation_announces_nothing(sessions):
    told = []
    sessions.current_changed.connect(told.append)
    sessions.open("main")
    sessions.open("agent:main:b")
    assert told == ["agent:main:b"]


def test_the_filter_ignores_case(sessions):
    sessions.set_filter("INVO")
    assert [row.title for group in sessions.groups(TODAY) for row in group.rows] == ["Invoices"]


def test_an_equal_list_is_not_announced_again(sessions):
    told = []
    sessions.changed.connect(lambda: told.append(1))
    sessions.show_entries([entry("x", "X", 1)])
    sessions.show_entries([entry("x", "X", 1)])
    assert told == [1]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("main", "agent:main:main", True),
        ("agent:main:main", "agent:main:main", True),
        ("main", "other", False),
        ("agent:main:a", "agent:main:b", False),
        ("a:b:c", "c", False),
    ],
)
def test_keys_are_compared_as_gateways_name_them(a, b, same):
    assert is_same_session(a, b) is same


def test_times_are_short(sessions):
    def words(when):
        return SessionsModel.time_text(SessionRow("k", "t", when), TODAY)

    assert words(at(TODAY, 9)) == "09:00"
    assert words(at(TODAY - timedelta(days=1))) == "Mon"
    assert words(at(date(2026, 11, 2))) == "2 Nov"
    assert words(0) == ""


def test_a_time_in_the_future_counts_as_today():
    assert heading_for(at(TODAY + timedelta(days=1)), TODAY) == "Today"


def test_a_conversation_without_a_title_is_not_called_by_its_whole_key(qapp):
    model = SessionsModel("x")
    model.show_entries([SessionEntry(key="agent:main:main"), SessionEntry(key="agent:main:trip")])
    assert sorted(row.title for group in model.groups(TODAY) for row in group.rows) == [
        "Main",
        NEW_TITLE,
        "trip",
    ]
