"""`companion gateway`: runs the gateway headless. Imports no Qt."""

from __future__ import annotations

from companion.gateway.launch import add_arguments, run

__all__ = ["add_arguments", "run"]
