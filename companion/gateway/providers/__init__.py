"""Who answers: the Guide without a model, or any model behind an endpoint that speaks OpenAI's format."""

from __future__ import annotations

import os
from collections.abc import Mapping

from companion.config import ModelSettings
from companion.gateway.provider import Provider, ProviderError
from companion.gateway.providers.guide import Guide


def build(settings: ModelSettings, environ: Mapping[str, str] = os.environ) -> Provider:
    """Return the provider that the settings name; the Guide if they name no model.

    Raises:
        ProviderError: If the settings name a variable for the key that is not set.
    """
    if not settings.model:
        return Guide()
    api_key = None
    if settings.api_key_env:
        api_key = environ.get(settings.api_key_env)
        if not api_key:
            raise ProviderError(
                f"the settings take the model's key from the variable {settings.api_key_env!r}, "
                "which is not set. Set it, or remove api_key_env."
            )
    # Imported late: the model layer takes seconds to load, and most starts do not need it.
    from companion.gateway.providers.models import ModelProvider

    return ModelProvider(settings.model, base_url=settings.base_url, api_key=api_key)
