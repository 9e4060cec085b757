"""What a client said it can show: capabilities and catalogs. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gateway_client.protocol.canvas import READY


@dataclass(frozen=True, slots=True)
class Profile:
    """The last word of a client; names are compared without case."""

    capabilities: tuple[str, ...] = ()
    catalogs: tuple[str, ...] = ()

    def has(self, capability: str) -> bool:
        """Whether the client has a capability."""
        return capability.casefold() in {one.casefold() for one in self.capabilities}

    def after(self, envelope: Mapping[str, Any]) -> Profile:
        """Return the profile after an envelope: `canvas_ready` replaces it, others update what they name."""
        capabilities = names(envelope.get("capabilities"))
        catalogs = names(envelope.get("supportedCatalogIds"))
        if envelope.get("type") == READY:
            return Profile(capabilities, catalogs)
        return replace(
            self, capabilities=capabilities or self.capabilities, catalogs=catalogs or self.catalogs
        )


def names(value: object) -> tuple[str, ...]:
    """Return the names of a list: trimmed, without blanks, the first spelling of each."""
    entries: Iterable[Any] = value if isinstance(value, list | tuple | set | frozenset) else ()
    found: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, str) and entry.strip():
            found.setdefault(entry.strip().casefold(), entry.strip())
    return tuple(found.values())
