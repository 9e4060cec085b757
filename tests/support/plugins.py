"""Entry points without an installation: what a plugin's distribution would have registered."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Any

from companion.gateway.plugins import GROUP


class Given(EntryPoint):
    """An entry point that loads the value it was given; an exception is raised instead."""

    def load(self) -> Any:
        value = vars(self)["given"]
        if isinstance(value, BaseException):
            raise value
        return value


def plugin(value: Any, name: str = "test-plugin") -> EntryPoint:
    """Return an entry point of our group that loads *value*."""
    entry = Given(name=name, value=f"{name}:TOOLS", group=GROUP)
    vars(entry)["given"] = value
    return entry
