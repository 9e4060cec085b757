from __future__ import annotations

from contextlib import asynccontextmanager

import httpx
import pytest

from companion.gateway.providers.scripted import Scripted, call, say
from companion.gateway.routes import document_policy
from companion.gateway.surfaces import LIFETIME_S
from tests.support.asynchronous import asynchronous
from tests.support.gateway_in_memory import TOKEN, WIDGETS, widgets_of
from tests.support.gateway_on_loopback import raw_client, serving


@asynccontextmanager
async def hosted():
    """A gateway with one widget: server, address with a capability, path of the document, HTTP client."""
    script = Scripted([call("show_widget", title="t", widget_code="<p>ü</p>"), say("a")])
    async with (
        serving(script) as server,
        raw_client(server.ws_url) as client,
        httpx.AsyncClient(trust_env=False) as http,
    ):
        hello = await client.connect(caps=[WIDGETS])
        path = widgets_of(await client.ask("draw"))[0]["preview"]["url"]
        yield server, hello["pluginSurfaceUrls"]["canvas"], path, http


@asynchronous
async def test_a_document_comes_with_its_policy_and_nothing_keeps_it():
    async with hosted() as (_, base, path, http):
        answer = await http.get(base + path)
        assert answer.status_code == 200
        assert "<p>ü</p>" in answer.text
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["content-security-policy"] == document_policy()
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers


def test_the_policy_closes_everything_and_opens_scripts_styles_and_fonts():
    policy = dict(part.split(" ", 1) for part in document_policy().split("; "))
    assert policy["default-src"] == "'none'"
    for closed in ("connect-src", "frame-src", "object-src", "form-action", "base-uri", "worker-src"):
        assert policy[closed] == "'none'"
    assert policy["webrtc"] == "'block'"
    assert policy["sandbox"] == "allow-scripts"
    assert "unsafe-eval" not in document_policy()
    assert "https:" not in {source for sources in policy.values() for source in sources.split()}


@asynchronous
async def test_head_tells_the_same_without_the_document():
    async with hosted() as (_, base, path, http):
        head, get = await http.head(base + path), await http.get(base + path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == get.headers["content-length"]


@asynchronous
async def test_without_a_capability_or_with_another_one_nothing_is_read():
    async with hosted() as (server, base, path, http):
        for address in (
            server.http_url + path,
            f"{server.http_url}/__openclaw__/cap/guess{path}",
            f"{base}x{path}",
        ):
            answer = await http.get(address)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
            assert "Refresh the surface" in answer.text


@asynchronous
async def test_a_capability_that_has_ended_is_refused_and_a_new_one_is_not():
    async with hosted() as (server, base, path, http):
        capabilities = server.gateway.capabilities
        begun = capabilities._clock()
        capabilities._clock = lambda: begun + LIFETIME_S + 1
        assert (await http.get(base + path)).status_code == 401
        fresh = f"{server.http_url}/__openclaw__/cap/{capabilities.mint()}"
        assert (await http.get(fresh + path)).status_code == 200


@asynchronous
@pytest.mark.parametrize(
    ("header", "status"),
    [
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        ("Bearer x", 401),
        (f"Basic {TOKEN}", 401),
        ("", 401),
    ],
)
async def test_the_gateway_s_own_token_opens_as_well(header, status):
    async with hosted() as (server, _, path, http):
        answer = await http.get(server.http_url + path, headers={"Authorization": header})
        assert answer.status_code == status


@asynchronous
async def test_an_unknown_document_is_not_found_and_no_path_leads_elsewhere():
    async with hosted() as (_, base, path, http):
        documents = path.rsplit("/", 2)[0]
        unknown = await http.get(f"{base}{documents}/cv_{'0' * 32}/index.html")
        assert unknown.status_code == 404
        assert "gone" in unknown.text
        for trick in (
            f"{documents}/../documents/x/index.html",
            f"{documents}/%2e%2e/index.html",
            f"{documents}/..%2fx/index.html",
            f"{documents}/{'a' * 200}/index.html",
            f"{documents}//index.html",
            path + "/more",
            path.replace("index.html", "other.html"),
        ):
            assert (await http.get(base + trick)).status_code == 404


@asynchronous
async def test_other_verbs_are_not_answered():
    async with hosted() as (_, base, path, http):
        for verb in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert (await http.request(verb, base + path)).status_code == 405


@asynchronous
async def test_health_needs_no_token_and_says_nothing_else():
    async with hosted() as (server, _, _, http):
        for path in ("/health", "/readyz"):
            answer = await http.get(server.http_url + path)
            assert answer.json().keys() == {"ok", "uptimeMs"}
        assert (await http.get(server.http_url + "/other")).status_code == 404


@asynchronous
@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Host": "localhost:1"}, {"Origin": "http://evil.example"}]
)
async def test_a_foreign_host_name_or_page_reads_nothing(headers):
    async with hosted() as (server, base, path, http):
        for address in (base + path, server.http_url + "/health"):
            answer = await http.get(address, headers={**headers, "Authorization": f"Bearer {TOKEN}"})
            assert answer.status_code == 403
            assert "<p>" not in answer.text
