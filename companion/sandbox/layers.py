"""The layers that stand between a page and everything else, by name.

All are on, always. They have names so that a test can leave one out and see
what then gets through: a layer whose absence nobody notices proves nothing.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Layer: TypeAlias = Literal["policy", "interceptor", "profile", "flags", "settings", "script", "handlers"]

ALL_LAYERS: frozenset[Layer] = frozenset(get_args(Layer))
