from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.serving import (
    Gate,
    Refusal,
    check_network,
    is_about_our_headers,
    may_navigate,
    outer_address,
    page_address,
    refused_by_policy,
    view_of,
)

ID, OTHER = "a" * 32, "b" * 32
OUTER, PAGE = outer_address(ID), page_address(ID)
OURS = f"companion-view://{ID}"


def armed() -> Gate:
    gate = Gate(ID)
    gate.arm()
    return gate


def loaded() -> Gate:
    gate = armed()
    assert gate.ask("GET", OUTER, "") == "outer"
    return gate


def test_a_load_of_ours_gets_the_outer_document_and_then_the_page():
    assert loaded().ask("GET", PAGE, OURS) == "page"


def test_nothing_is_answered_before_we_load():
    assert Gate(ID).ask("GET", OUTER, "") is Refusal.NOT_LOADING
    assert Gate(ID).ask("GET", PAGE, OURS) is Refusal.NOT_LOADING


def test_the_page_is_not_answered_before_the_outer_document():
    assert armed().ask("GET", PAGE, OURS) is Refusal.NOT_LOADING


def test_each_address_is_answered_once_per_load():
    gate = loaded()
    assert gate.ask("GET", OUTER, "") is Refusal.NOT_LOADING
    assert gate.ask("GET", PAGE, OURS) == "page"
    assert gate.ask("GET", PAGE, OURS) is Refusal.NOT_LOADING


def test_a_new_load_of_ours_opens_the_gate_again():
    gate = loaded()
    gate.ask("GET", PAGE, OURS)
    gate.arm()
    assert gate.ask("GET", OUTER, "") == "outer"
    assert gate.ask("GET", PAGE, OURS) == "page"


@pytest.mark.parametrize(
    "initiator", ["null", "", f"companion-view://{OTHER}", "http://127.0.0.1:80", OURS + "x"]
)
def test_a_page_can_not_ask_for_a_page(initiator):
    assert loaded().ask("GET", PAGE, initiator) is Refusal.INITIATOR


@pytest.mark.parametrize("initiator", [OURS, f"companion-view://{OTHER}"])
def test_no_document_can_ask_for_the_outer_one(initiator):
    assert armed().ask("GET", OUTER, initiator) is Refusal.INITIATOR


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "get", ""])
def test_only_get_is_answered(method):
    assert armed().ask(method, OUTER, "") is Refusal.METHOD


@pytest.mark.parametrize(
    "url", [PAGE + "?a", PAGE + "/", PAGE + "#x", OUTER + "index", outer_address(OTHER), "", OURS]
)
def test_a_gate_knows_its_two_addresses_and_no_other(url):
    assert armed().ask("GET", url, OURS) is Refusal.UNKNOWN_PATH


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["GET", "POST"]),
            st.sampled_from([OUTER, PAGE]),
            st.sampled_from(["", "null", OURS]),
        )
    )
)
def test_no_order_of_requests_gets_a_document_twice_from_one_load(requests):
    gate = armed()
    answers = [answer for ask in requests if isinstance(answer := gate.ask(*ask), str)]
    assert answers in ([], ["outer"], ["outer", "page"])


def test_the_network_sees_the_addresses_of_live_views_alone():
    assert check_network("GET", OUTER, "main", {ID}) is None
    assert check_network("GET", PAGE, "frame", {ID}) is None


@pytest.mark.parametrize(
    ("method", "url", "kind", "rule"),
    [
        ("GET", "http://127.0.0.1:8080/", "main", Refusal.FOREIGN_ADDRESS),
        ("GET", "https://example.test/x.png", "other", Refusal.FOREIGN_ADDRESS),
        ("GET", "file:///etc/passwd", "frame", Refusal.FOREIGN_ADDRESS),
        ("GET", "data:text/html,x", "frame", Refusal.FOREIGN_ADDRESS),
        ("GET", "http://[", "other", Refusal.FOREIGN_ADDRESS),
        ("GET", page_address(OTHER), "frame", Refusal.UNKNOWN_VIEW),
        ("POST", PAGE, "frame", Refusal.METHOD),
        ("GET", PAGE, "other", Refusal.WRONG_KIND),
        ("GET", PAGE, "main", Refusal.UNKNOWN_PATH),
        ("GET", OUTER, "frame", Refusal.UNKNOWN_PATH),
        ("GET", PAGE + "?a=1", "frame", Refusal.UNKNOWN_PATH),
        ("GET", f"companion-view://user@{ID}/page", "frame", Refusal.UNKNOWN_VIEW),
        ("GET", f"companion-view://{ID}:80/page", "frame", Refusal.UNKNOWN_VIEW),
    ],
)
def test_the_network_refuses_everything_else(method, url, kind, rule):
    assert check_network(method, url, kind, {ID}) is rule


@given(st.text(), st.sampled_from(["main", "frame", "other"]))
def test_no_address_but_the_two_ever_passes(url, kind):
    assert url in (OUTER, PAGE) or check_network("GET", url, kind, {ID}) is not None


def test_a_frame_may_move_within_its_own_document_only():
    assert may_navigate(PAGE + "#part", is_main_frame=False, view_id=ID)
    assert may_navigate(OUTER, is_main_frame=True, view_id=ID)
    assert not may_navigate(PAGE, is_main_frame=True, view_id=ID)
    assert not may_navigate(PAGE + "?x", is_main_frame=False, view_id=ID)
    assert not may_navigate("about:blank", is_main_frame=False, view_id=ID)
    assert not may_navigate(page_address(OTHER), is_main_frame=False, view_id=ID)


def test_every_refusal_is_a_sentence_of_its_own():
    assert len({refusal.sentence for refusal in Refusal}) == len(Refusal)
    assert all(len(refusal.sentence.split()) > 3 for refusal in Refusal)


def test_a_view_is_read_from_its_address():
    assert view_of(PAGE) == ID
    assert view_of("http://x/") == ""


@pytest.mark.parametrize(
    ("line", "url"),
    [
        (
            "Refused to load the image 'http://a.test/x.png' because it "
            'violates the following Content Security Policy directive: "img-src data:".',
            "http://a.test/x.png",
        ),
        ("hello", None),
        ("it's 'quoted' but harmless", None),
    ],
)
def test_a_policy_s_refusal_is_read_from_the_console(line, url):
    assert refused_by_policy(line) == url


def test_complaints_about_words_in_our_headers_are_told_from_the_page_s_lines():
    assert is_about_our_headers("Error with Permissions-Policy header: Unrecognized feature: 'usb'.")
    assert not is_about_our_headers("Error in the page")
