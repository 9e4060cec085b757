from __future__ import annotations

import pytest

from companion.domain.csp import headers, outer_policy, page_policy, permissions_policy

SCRIPTS = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "font-src data:; media-src data: blob:; connect-src 'none'; frame-src 'none'; child-src 'none'; "
    "worker-src 'none'; object-src 'none'; manifest-src 'none'; base-uri 'none'; form-action 'none'; "
    "webrtc 'block'; sandbox allow-scripts allow-forms"
)


def test_the_policy_of_a_page_is_the_one_of_the_design_letter_for_letter():
    assert page_policy("scripts").text() == SCRIPTS


def test_the_strict_tier_runs_no_script():
    strict = page_policy("strict")
    assert strict.sources("script-src") == ()
    assert strict.sources("default-src") == ("'none'",)
    assert strict.sources("sandbox") == ("allow-forms",)


def test_the_strict_tier_differs_in_nothing_but_scripts():
    strict, scripts = page_policy("strict"), page_policy("scripts")
    differing = {name for name, _ in scripts.directives if strict.sources(name) != scripts.sources(name)}
    assert differing == {"script-src", "sandbox"}


@pytest.mark.parametrize("tier", ["strict", "scripts"])
def test_no_page_shares_an_origin_or_reaches_a_network(tier):
    policy = page_policy(tier)
    assert "allow-same-origin" not in policy.text()
    loads = {source for name, sources in policy.directives if name.endswith("-src") for source in sources}
    assert loads <= {"'none'", "'unsafe-inline'", "data:", "blob:"}


def test_our_own_document_frames_the_one_page_and_nothing_else():
    policy = outer_policy("ab12")
    assert policy.sources("frame-src") == ("companion-view://ab12/page",)
    assert policy.sources("default-src") == ("'none'",)
    assert policy.sources("script-src") == ()


def test_every_feature_is_given_to_nobody():
    assert {entry.split("=")[1] for entry in permissions_policy().split(", ")} == {"()"}
    assert "camera=()" in permissions_policy()


def test_headers_say_the_policy_once_and_keep_nothing():
    sent = dict(headers(page_policy("scripts")))
    assert sent["Content-Security-Policy"] == SCRIPTS
    assert sent["Cache-Control"] == "no-store"
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert sent["Referrer-Policy"] == "no-referrer"
    assert sent["X-DNS-Prefetch-Control"] == "off"
    assert sent["Cross-Origin-Opener-Policy"] == "same-origin"
    assert len(sent) == len(headers(page_policy("scripts")))


@pytest.mark.parametrize(
    "text", [value for policy in (page_policy("strict"), outer_policy("ff")) for _, value in headers(policy)]
)
def test_no_header_has_a_line_break(text):
    assert text.isprintable()
