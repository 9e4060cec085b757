from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_client.protocol.blocks import WidgetBlock
from gateway_client.protocol.handles import DOCUMENTS_PATH, is_document_id, mint, path_refusal, refusal
from tests.support.values import texts

ID = "cv_" + "0a" * 16
GOOD = mint(ID)


def block(**changes):
    return WidgetBlock(**{"view_id": ID, "url": GOOD, **changes})


def test_the_handle_that_a_gateway_mints_may_be_followed():
    assert f"/__openclaw__/canvas/documents/{ID}/index.html" == GOOD
    assert refusal(block()) is None


TRICKS = {
    "": "no address",
    f"https://evil.example{GOOD}": "scheme",
    f"http:{GOOD}": "scheme",
    "javascript:alert(1)": "scheme",
    "data:text/html,x": "scheme",
    "file:///etc/passwd": "scheme",
    f"//evil.example{GOOD}": "host",
    f"\\\\evil.example{GOOD}": "host",
    f"{GOOD}?a=b": "query",
    f"{GOOD}#a": "query",
    f"{DOCUMENTS_PATH}../../secrets/index.html": "climbs",
    f"{DOCUMENTS_PATH}{ID}/../{ID}/index.html": "climbs",
    f"{DOCUMENTS_PATH}./{ID}/index.html": "climbs",
    f"{DOCUMENTS_PATH}%2e%2e/{ID}/index.html": "encoded",
    f"{DOCUMENTS_PATH}{ID}%2Findex.html": "encoded",
    f"{DOCUMENTS_PATH}{ID}\\index.html": "encoded",
    f"{DOCUMENTS_PATH}{ID}/index.html ": "encoded",
    f"{DOCUMENTS_PATH}{ID}/index.html\n": "encoded",
    f"{DOCUMENTS_PATH}{ID}\x00/index.html": "encoded",
    f"{DOCUMENTS_PATH}ｃv/index.html": "encoded",
    "/__openclaw__/canvas/index.html": "not under",
    "/__openclaw__/cap/abc/documents": "not under",
    "/etc/passwd": "not under",
    "index.html": "not under",
    f"{DOCUMENTS_PATH}{ID}/other.html": "not that of a document",
    f"{DOCUMENTS_PATH}{ID}/index.html/": "not that of a document",
    f"{DOCUMENTS_PATH}{ID}": "not that of a document",
    f"{DOCUMENTS_PATH}/{ID}/index.html": "not that of a document",
    f"{DOCUMENTS_PATH}-x/index.html": "not that of a document",
}


@pytest.mark.parametrize(("url", "reason"), TRICKS.items())
def test_an_address_that_points_elsewhere_is_refused_with_its_reason(url, reason):
    said = refusal(block(url=url))
    assert said is not None
    assert reason in said


def test_a_handle_of_another_kind_or_for_another_way_of_drawing_is_refused():
    assert "kind" in str(refusal(block(kind="frame")))
    assert "drawn" in str(refusal(block(render="html")))


def test_an_id_that_names_another_document_than_the_address_is_refused():
    assert "different documents" in str(refusal(block(view_id="cv_other")))
    assert refusal(block(view_id="")) is not None


@given(texts, texts)
def test_whatever_is_accepted_is_exactly_what_would_be_minted(view_id, url):
    if refusal(WidgetBlock(view_id, url)) is None:
        assert url == mint(view_id)
        assert is_document_id(view_id)


@given(
    st.lists(st.sampled_from([*DOCUMENTS_PATH.split("/"), "..", ".", "", ID, "index.html", "%2e", ":"])).map(
        "/".join
    )
)
def test_no_mixture_of_path_pieces_passes_but_the_minted_form(url):
    if path_refusal(url) is None:
        assert url.startswith(DOCUMENTS_PATH)
        assert url == mint(url.removeprefix(DOCUMENTS_PATH).removesuffix("/index.html"))


@pytest.mark.parametrize(
    ("text", "is_id"),
    [
        ("a", True),
        ("A-b_9", True),
        ("", False),
        ("_a", False),
        ("a" * 128, True),
        ("a" * 129, False),
        ("a/b", False),
        ("a\n", False),
    ],
)
def test_a_document_id_is_short_and_plain(text, is_id):
    assert is_document_id(text) is is_id
