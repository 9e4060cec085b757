from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWebEngineCore import QWebEngineUrlScheme

from companion.sandbox.layers import ALL_LAYERS
from companion.sandbox.setup import FLAGS_VARIABLE, join_flags, our_flags, prepare

OURS = our_flags(4000)


def dead_port(flags):
    return int(flags.partition("--proxy-server=127.0.0.1:")[2].split()[0])


def test_all_flags_of_the_design_are_set():
    environ = {}
    prepare(environ)
    flags = environ[FLAGS_VARIABLE]
    for flag in (
        '--host-resolver-rules="MAP * ~NOTFOUND"',
        "--proxy-bypass-list=<-loopback>",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-features=NetworkPrediction,Prerender2,SpeculationRulesPrefetchFuture",
        "--dns-prefetch-disable",
        "--disable-background-networking",
    ):
        assert flag in flags


def test_the_proxy_s_port_refuses_and_nobody_else_can_take_it():
    environ = {}
    prepare(environ)
    port = dead_port(environ[FLAGS_VARIABLE])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", port))


def test_what_a_person_set_stays_and_what_would_loosen_ours_does_not():
    joined = join_flags(
        "--force-dark-mode --proxy-server=10.0.0.1:80 --disable-features=Mine,Prerender2", OURS
    )
    assert joined.startswith("--force-dark-mode ")
    assert "10.0.0.1" not in joined
    assert "--disable-features=NetworkPrediction,Prerender2,SpeculationRulesPrefetchFuture,Mine" in joined


flags = st.lists(
    st.sampled_from(
        ["--a", "--b=1", "--c=x y", "--disable-features=P,Q", "--proxy-server=z", "--dns-prefetch-disable"]
    )
)


@given(flags)
def test_joining_twice_is_joining_once(given_flags):
    once = join_flags(" ".join(f'"{flag}"' for flag in given_flags), OURS)
    assert join_flags(once, OURS) == once


def test_preparing_twice_changes_nothing():
    environ = {}
    prepare(environ)
    first = environ[FLAGS_VARIABLE]
    prepare(environ)
    assert environ[FLAGS_VARIABLE] == first


def test_without_the_layer_no_flag_is_set():
    environ = {}
    prepare(environ, layers=ALL_LAYERS - {"flags"})
    assert environ == {}


def test_the_scheme_is_secure_and_nothing_more():
    scheme = QWebEngineUrlScheme.schemeByName(b"companion-view")
    assert scheme.flags() == QWebEngineUrlScheme.Flag.SecureScheme
    assert scheme.syntax() == QWebEngineUrlScheme.Syntax.Host
