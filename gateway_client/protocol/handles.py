"""The address of a hosted widget document, and which addresses may be followed. Pure.

A handle is accepted only if it names a document of the gateway we are connected
to, in exactly the form that gateways mint. Everything else stands as its text
with the reason: a page may not choose where the client reads.
"""

from __future__ import annotations

import re

from gateway_client.protocol.blocks.widget import WidgetBlock

DOCUMENTS_PATH = "/__openclaw__/canvas/documents/"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def mint(document_id: str) -> str:
    """Return the path under which a gateway serves a document."""
    return f"{DOCUMENTS_PATH}{document_id}/index.html"


def is_document_id(text: str) -> bool:
    """Whether *text* has the form of a document's id."""
    return _ID.fullmatch(text) is not None


def refusal(block: WidgetBlock) -> str | None:
    """Return why the handle of *block* may not be followed, or None if it may."""
    if block.kind != "canvas":
        return f"its kind is {block.kind!r}, not 'canvas'"
    if block.render != "url":
        return f"it asks to be drawn as {block.render!r}, not from an address"
    return path_refusal(block.url) or _id_refusal(block)


def path_refusal(url: str) -> str | None:  # noqa: PLR0911 - one line for each trick is the clearest list
    """Return why *url* is not the path of a document on this gateway, or None if it is."""
    if not url:
        return "it has no address"
    if _SCHEME.match(url):
        return "its address has a scheme of its own"
    if url.startswith(("//", "\\")):
        return "its address names another host"
    if any(letter in url for letter in "?#"):
        return "its address carries a query or a fragment"
    if not all(letter.isprintable() and letter.isascii() for letter in url) or any(
        letter in url for letter in "%\\ "
    ):
        return "its address is encoded, and plain ones are enough"
    if ".." in url.split("/") or "." in url.split("/"):
        return "its address climbs out of its folder"
    if not url.startswith(DOCUMENTS_PATH):
        return "its address is not under the documents of this gateway"
    document_id, _, rest = url.removeprefix(DOCUMENTS_PATH).partition("/")
    if not is_document_id(document_id) or rest != "index.html":
        return "its address is not that of a document"
    return None


def _id_refusal(block: WidgetBlock) -> str | None:
    if block.url != mint(block.view_id):
        return "its id and its address name different documents"
    return None
