"""Which request of a page is answered, and with what. Pure.

Two doors stand behind each other. Every request of the web engine passes
`check_network`: only the exact addresses of live views go through. What goes
through is asked of the view's `Gate`, whose rules are:

1. Only GET.
2. `/`, our own document, only for a load that we started: such a request has no
   initiator, and the gate was armed for it.
3. `/page`, the foreign page, only when our own document of the same view asks.
   A sandboxed page has the initiator `null`, so it can neither reload itself
   nor read another view.
4. Each of the two once per load.
"""

from __future__ import annotations

import re
from collections.abc import Container
from enum import Enum
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from companion.domain.csp import SCHEME

Served: TypeAlias = Literal["outer", "page"]


class Refusal(Enum):
    """A rule that a request broke; the value is the sentence for the inspector."""

    METHOD = "only GET is answered"
    UNKNOWN_VIEW = "no open view has this address"
    UNKNOWN_PATH = "a view has two addresses, and this is neither"
    INITIATOR = "only our own document may ask for this"
    NOT_LOADING = "this address is answered once per load, and only while we load it"
    FOREIGN_ADDRESS = "a page reaches no address but its own"
    WRONG_KIND = "a view's address is a document, and nothing else may be made of it"
    NAVIGATION = "a page stays in its place"
    WINDOW = "a page opens no windows"
    DOWNLOAD = "a page downloads nothing"
    PERMISSION = "a page is given no permission"
    POLICY = "the policy of the page forbids it"

    @property
    def sentence(self) -> str:
        """What the rule says."""
        return self.value


def outer_address(view_id: str) -> str:
    """Return the address of our own document of a view."""
    return f"{SCHEME}://{view_id}/"


def page_address(view_id: str) -> str:
    """Return the address of the foreign page of a view."""
    return f"{SCHEME}://{view_id}/page"


def view_of(url: str) -> str:
    """Return the view id that stands in *url*, or an empty text if it is no address of ours."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.netloc if parts.scheme == SCHEME else ""


class Gate:
    """What one view still waits to be asked for.

    Args:
        view_id: The host of the view's addresses.
    """

    def __init__(self, view_id: str) -> None:
        self._view_id = view_id
        self._awaited: Served | None = None

    def arm(self) -> None:
        """Expect one load of the outer document, and after it one of the page."""
        self._awaited = "outer"

    def ask(self, method: str, url: str, initiator: str) -> Served | Refusal:
        """Decide a request of the scheme; an answered one is not answered again.

        Args:
            initiator: The origin that asked, as a text; empty or `null` if it has none.
        """
        if method != "GET":
            return Refusal.METHOD
        if url == outer_address(self._view_id):
            wanted: Served = "outer"
            is_ours = initiator in ("", "null")
        elif url == page_address(self._view_id):
            wanted = "page"
            is_ours = initiator.rstrip("/") == f"{SCHEME}://{self._view_id}"
        else:
            return Refusal.UNKNOWN_PATH
        if not is_ours:
            return Refusal.INITIATOR
        if self._awaited != wanted:
            return Refusal.NOT_LOADING
        self._awaited = "page" if wanted == "outer" else None
        return wanted


ResourceKind: TypeAlias = Literal["main", "frame", "other"]


def check_network(method: str, url: str, kind: ResourceKind, live: Container[str]) -> Refusal | None:
    """Return the rule that a request of the web engine breaks, or None if it may go on.

    Args:
        kind: What the engine wants the answer for: a top document, a document in a frame, or anything else.
        live: The ids of the views that are open.
    """
    view_id = view_of(url)
    if not view_id:
        return Refusal.FOREIGN_ADDRESS
    if view_id not in live:
        return Refusal.UNKNOWN_VIEW
    if method != "GET":
        return Refusal.METHOD
    allowed = {"main": outer_address(view_id), "frame": page_address(view_id)}
    if kind not in allowed:
        return Refusal.WRONG_KIND
    return None if url == allowed[kind] else Refusal.UNKNOWN_PATH


def may_navigate(url: str, *, is_main_frame: bool, view_id: str) -> bool:
    """Say whether a frame of view *view_id* may go to *url*: to its own address, or a fragment of it."""
    address = outer_address(view_id) if is_main_frame else page_address(view_id)
    return url.split("#", 1)[0] == address


_POLICY_LINE = re.compile(r"'([^']*)'.*violates the following Content Security Policy")
_OWN_HEADER_LINES = (
    "Error with Permissions-Policy header:",
    "Unrecognized Content-Security-Policy directive",
)


def refused_by_policy(console_line: str) -> str | None:
    """Return the address that the engine says a policy refused, or None if the line says no such thing.

    A page can write such a line itself: this is for the inspector, never for a decision.
    """
    found = _POLICY_LINE.search(console_line)
    return found.group(1) if found else None


def is_about_our_headers(console_line: str) -> bool:
    """Say whether the engine complains about a word in our own headers that it does not know."""
    return console_line.startswith(_OWN_HEADER_LINES)
