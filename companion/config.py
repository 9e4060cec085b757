"""Settings of the app and of the gateway: defaults, then a TOML file, then the environment.

    [gateway]
    port = 0
    max_widgets_per_session = 32

    [model]
    model = "qwen3:8b"
    base_url = "http://127.0.0.1:11434/v1"
    api_key_env = "OLLAMA_KEY"

The environment names a setting as `COMPANION_<TABLE>_<NAME>`, for example
`COMPANION_MODEL_BASE_URL`. Secrets are never settings: a setting names the
variable that holds one.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

PROFILE_VARIABLE = "COMPANION_PROFILE_DIR"
_PREFIX = "COMPANION"
FILE_NAME = "companion.toml"


class ConfigError(Exception):
    """A setting is wrong; the message names it, where it stands, and what would do."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelSettings(_Table):
    """Which model answers. Without a `model` it is the Guide, a script."""

    model: str = ""
    base_url: str | None = None
    """Of an endpoint that speaks OpenAI's format; None for OpenAI itself."""
    api_key_env: str | None = None
    """Name of the variable that holds the key; None if the endpoint wants none."""


class GatewaySettings(_Table):
    """Bounds and address of the embedded gateway."""

    bind: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    """0 takes a free one."""
    allowed_origins: tuple[str, ...] = ()
    """Origins of web pages that may connect; none by default."""
    max_widgets_per_session: Annotated[int, Field(ge=1, le=1000)] = 32
    max_turns_per_run: Annotated[int, Field(ge=1, le=200)] = 20
    max_payload_bytes: Annotated[int, Field(ge=65_536)] = 25 * 1024 * 1024
    max_buffered_bytes: Annotated[int, Field(ge=65_536)] = 50 * 1024 * 1024
    tick_interval_ms: Annotated[int, Field(ge=50)] = 30_000


class Settings(_Table):
    """Everything that can be set."""

    gateway: GatewaySettings = GatewaySettings()
    model: ModelSettings = ModelSettings()


def profile_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that holds all data of this person; it may not exist yet."""
    chosen = environ.get(PROFILE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    return Path(platformdirs.user_data_dir("Companion", appauthor=False))


def load(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings.

    Args:
        path: The TOML file; None takes the profile's own, if there is one.

    Raises:
        ConfigError: If the file is named but missing, is no TOML, or a setting is wrong.
    """
    chosen = path if path is not None else profile_dir(environ) / FILE_NAME
    values = _read(chosen, must_exist=path is not None)
    for table, name, variable in _variables():
        if variable in environ:
            values.setdefault(table, {})[name] = _from_text(name, environ[variable])
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = ".".join(str(step) for step in problem["loc"])
        raise ConfigError(
            f"the setting {name!r} is wrong: {problem['msg']}. Correct it in {chosen} or in the environment."
        ) from None


def _read(path: Path, *, must_exist: bool) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if must_exist:
            raise ConfigError(
                f"there is no file {path}. Name another, or leave it out to use the defaults."
            ) from None
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"the settings in {path} cannot be read: {error}. Correct the file.") from None


def _variables() -> list[tuple[str, str, str]]:
    return [
        (table, name, f"{_PREFIX}_{table}_{name}".upper())
        for table, model in (("gateway", GatewaySettings), ("model", ModelSettings))
        for name in model.model_fields
    ]


def _from_text(name: str, text: str) -> Any:
    if name == "allowed_origins":
        return tuple(origin for origin in text.replace(",", " ").split() if origin)
    return text
