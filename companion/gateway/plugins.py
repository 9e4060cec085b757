"""Tools that installed distributions bring, by entry points of group `companion.tools`.

An entry point gives a `Tool` or a list of them. Plugins have the same contract
as the core: same gating, same checks. A fault in one is logged with its reason
and leaves the others alone; a name that is taken stays with who had it first,
the core before all plugins, plugins in the order of their entry points' names.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from companion.gateway.tool import Tool

log = logging.getLogger(__name__)

GROUP = "companion.tools"


@dataclass(frozen=True, slots=True)
class Refused:
    """A plugin, or one tool of it, that is not used."""

    plugin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Assembly:
    """Every tool there is, and what was refused."""

    tools: tuple[Tool, ...]
    refused: tuple[Refused, ...]


def installed() -> tuple[EntryPoint, ...]:
    """Return the entry points of every installed plugin."""
    return tuple(entry_points(group=GROUP))


def assemble(core: Sequence[Tool], plugins: Iterable[EntryPoint]) -> Assembly:
    """Join the core's tools with those of *plugins*; never raises for a fault of a plugin."""
    taken = {tool.name: "this program" for tool in core}
    tools, refused = list(core), []
    for plugin in sorted(plugins, key=lambda entry: (entry.name, entry.value)):
        loaded, reason = _load(plugin)
        if reason:
            refused.append(Refused(plugin.name, reason))
        for tool in loaded:
            if tool.name in taken:
                why = f"the name {tool.name!r} belongs to {taken[tool.name]}; rename the tool"
                refused.append(Refused(plugin.name, why))
                continue
            taken[tool.name] = f"plugin {plugin.name!r}"
            tools.append(tool)
    for one in refused:
        log.warning("plugin %r: %s", one.plugin, one.reason)
    return Assembly(tuple(tools), tuple(refused))


def _load(plugin: EntryPoint) -> tuple[list[Tool], str]:
    try:
        value: object = plugin.load()
    # A boundary: whatever a plugin's import does, the gateway starts without it.
    except (Exception, SystemExit) as error:
        log.debug("plugin %r", plugin.name, exc_info=True)
        return [], f"it could not be loaded: {type(error).__name__}: {error}"
    items = [value] if isinstance(value, Tool) else value
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, Tool) for item in items):
        return [], f"{plugin.value!r} is a {type(value).__name__}, not a Tool or a list of Tool"
    return list(items), ""
