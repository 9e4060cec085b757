"""What a model gives `show_widget`: which input is taken, and the document that comes of it. Pure.

Rules:

1. A title has 1 to 120 characters, `widget_code` up to 262,144. Characters are
   Unicode code points, counted before anything is trimmed.
2. Text that begins with `<svg`, trimmed, is a drawing and is centred; anything
   else with at least one tag is a fragment of HTML and becomes the body. A whole
   document is taken as the fragment it contains: parsers merge its parts.
3. Nothing is sanitised here. The document runs in a sandbox, and its safety
   rests on that alone.
"""

from __future__ import annotations

import html
import re
from typing import Final

MAX_TITLE_CHARS: Final = 120
MAX_MARKUP_CHARS: Final = 262_144

_TAG = re.compile(r"<(?:!doctype\b|!--|/?[a-z][^\s<>/]*(?:\s|/|>))", re.IGNORECASE)
_SVG = re.compile(r"<svg(?=[\s/>])", re.IGNORECASE)


class MarkupError(ValueError):
    """The input is refused; the model reads the message, which names the bound and what to do."""


def check_title(title: str) -> str:
    """Return *title* trimmed.

    Raises:
        MarkupError: If it is blank, too long, or has characters that are no text.
    """
    _check_text(title, "title")
    if len(title) > MAX_TITLE_CHARS:
        raise MarkupError(f"title is {len(title)} characters; the limit is {MAX_TITLE_CHARS}. Shorten it.")
    trimmed = " ".join(title.split())
    if not trimmed:
        raise MarkupError("title is blank; give the widget a title of 1 to 120 characters.")
    return trimmed


def check_markup(code: str) -> str:
    """Return *code* trimmed.

    Raises:
        MarkupError: If it is blank, too long, no markup, or has characters that are no text.
    """
    if len(code) > MAX_MARKUP_CHARS:
        raise MarkupError(
            f"widget_code is {len(code)} characters; the limit is {MAX_MARKUP_CHARS}. "
            "Draw less, or leave out data that is not shown."
        )
    _check_text(code, "widget_code")
    trimmed = code.strip()
    if not trimmed:
        raise MarkupError("widget_code is blank; give an <svg> drawing or a fragment of HTML.")
    if _TAG.search(trimmed) is None:
        raise MarkupError(
            "widget_code has no tag in it; give an <svg> drawing or a fragment of HTML, "
            "and put plain words into your answer instead."
        )
    return trimmed


def is_svg(code: str) -> bool:
    """Whether *code*, trimmed, is a drawing."""
    return _SVG.match(code.strip()) is not None


def build_document(title: str, code: str, *, shim: str, style: str) -> str:
    """Return the whole HTML document for checked input.

    Args:
        shim: Script of ours that talks to the host; runs before anything of the page.
        style: Style sheet of ours; the page's own rules come after it and win.
    """
    body = f'<div class="drawing">{code}</div>' if is_svg(code) else code
    return (
        "<!doctype html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{html.escape(title)}</title>\n"
        f"<style>\n{style}</style>\n<script>\n{shim}</script>\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _check_text(text: str, name: str) -> None:
    if "\x00" in text:
        raise MarkupError(f"{name} contains a NUL character; remove it.")
    lone = next((place for place, letter in enumerate(text) if "\ud800" <= letter <= "\udfff"), None)
    if lone is not None:
        raise MarkupError(
            f"{name} contains half of a surrogate pair at character {lone + 1}; write the whole character."
        )
