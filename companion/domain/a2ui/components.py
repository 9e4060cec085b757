"""The strings of v0.9 operations: components, data models, metadata. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.domain.a2ui import catalogs, strict_json
from companion.domain.a2ui.refusal import A2uiError


def parse(texts: Sequence[str], catalog_id: str | None) -> list[dict[str, Any]]:
    """Return the components of a list.

    Args:
        catalog_id: The catalog whose types are allowed; None allows every type.

    Raises:
        A2uiError: With the first entry that is wrong.
    """
    return [_component(text, number, catalog_id) for number, text in enumerate(texts, 1)]


def _component(text: str, number: int, catalog_id: str | None) -> dict[str, Any]:
    def refusal(category: str, reason: str) -> A2uiError:
        return A2uiError(category, f"component {number}: {reason}", frame=number)

    if not text.strip():
        raise refusal("component_empty", "is empty.")
    try:
        item = strict_json.parse(text)
    except (ValueError, RecursionError):
        raise refusal("component_invalid_json", "is not JSON.") from None
    if not isinstance(item, dict):
        raise refusal("component_not_object", "is not a JSON object.")
    kind = item.get("type")
    if not isinstance(kind, str):
        hint = " 'component' is the official form and needs the official catalog." * ("component" in item)
        raise refusal("component_missing_type", f"has no text 'type'.{hint}")
    if not isinstance(item.get("id"), str) or not item["id"].strip():
        raise refusal("component_missing_id", "has no text 'id'.")
    if catalog_id is not None and catalogs.resolve(kind, catalog_id) is None:
        names = ", ".join(catalogs.TYPES[catalog_id])
        raise refusal("component_unsupported_type", f"type {kind[:60]!r} is none of: {names}.")
    return item


def data_model(text: str | None, *, is_required: bool = False) -> dict[str, Any] | None:
    """Return the data model of a string; blank is none.

    Raises:
        A2uiError: `data_model_required`, `data_model_invalid_json` or `data_model_not_object`.
    """
    return _object(text, "data_model", "dataModelJson", is_required=is_required)


def metadata(text: str | None) -> dict[str, Any] | None:
    """Return the metadata of a string; blank is none.

    Raises:
        A2uiError: `metadata_invalid_json` or `metadata_not_object`.
    """
    return _object(text, "metadata", "metadata")


def _object(text: str | None, word: str, name: str, *, is_required: bool = False) -> dict[str, Any] | None:
    if text is None or not text.strip():
        if is_required:
            raise A2uiError(f"{word}_required", f"{name} is missing; give a string that holds a JSON object.")
        return None
    try:
        value = strict_json.parse(text)
    except (ValueError, RecursionError):
        raise A2uiError(f"{word}_invalid_json", f"{name} is not JSON.") from None
    if not isinstance(value, dict):
        raise A2uiError(f"{word}_not_object", f"{name} must be a string that holds a JSON object.")
    return value
