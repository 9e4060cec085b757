"""Which component types a surface may use, their aliases, and how a catalog is chosen. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.domain.a2ui.refusal import A2uiError

AGENUI: Final = "urn:a2ui:catalog:agenui_catalog"
OPENCLAW_V08: Final = "urn:a2ui:catalog:openclaw_v0_8"

TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    AGENUI: (
        *("Text", "Image", "Icon", "Divider", "Video", "AudioPlayer", "Markdown", "Button", "TextField"),
        *("CheckBox", "Slider", "ChoicePicker", "DateTimeInput", "Row", "Column", "Card", "List", "Tabs"),
        *("Modal", "Table", "Carousel", "Web", "RichText", "Chart"),
    ),
    OPENCLAW_V08: (
        *("Text", "Markdown", "Card", "Button", "TextField", "ChoicePicker", "CheckBox", "Table"),
        *("Image", "Slider", "Chart"),
    ),
}
ALIASES: Final[Mapping[str, str]] = {
    "text": "Text",
    "markdown": "Markdown",
    "card": "Card",
    "button": "Button",
    "input": "TextField",
    "select": "ChoicePicker",
    "checklist": "CheckBox",
    "table": "Table",
    "image": "Image",
    "progress": "Slider",
    "chart": "Chart",
}


def known(catalog_id: str) -> str | None:
    """Return a catalog's id as it is spelled here, or None; case does not count."""
    wanted = catalog_id.casefold()
    return next((one for one in TYPES if one.casefold() == wanted), None)


def resolve(type_name: str, catalog_id: str = AGENUI) -> str | None:
    """Return the canonical type that a name or an alias stands for, or None; case does not count."""
    wanted = type_name.casefold()
    types = TYPES[catalog_id]
    found = next((one for one in types if one.casefold() == wanted), None)
    return found or ALIASES.get(wanted)


def choose(asked: str | None, advertised: Sequence[str]) -> str:
    """Return the catalog that a command uses.

    Args:
        asked: What the command names; None or blank takes the preferred one.
        advertised: What the client can draw; nothing stands for all.

    Raises:
        A2uiError: `unknown_catalog`, `catalog_not_advertised` or `no_catalog`.
    """
    offered = [one for one in map(known, advertised) if one is not None]
    if asked is not None and asked.strip():
        return _asked(asked.strip(), advertised, offered)
    if AGENUI in offered or not advertised:
        return AGENUI
    if not offered:
        raise A2uiError("no_catalog", "the client advertises no catalog that this gateway knows.")
    return offered[0]


def _asked(asked: str, advertised: Sequence[str], offered: Sequence[str]) -> str:
    found = known(asked)
    if found is None:
        names = ", ".join(TYPES)
        raise A2uiError("unknown_catalog", f"there is no catalog {asked[:200]!r}. The catalogs are: {names}.")
    if advertised and found not in offered:
        names = ", ".join(advertised)
        raise A2uiError(
            "catalog_not_advertised", f"the client does not draw catalog {found}. It draws: {names[:400]}."
        )
    return found
