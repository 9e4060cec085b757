from __future__ import annotations

import pytest

from companion.config import ModelSettings
from companion.gateway import providers
from companion.gateway.provider import ProviderError
from companion.gateway.providers.guide import Guide


def test_without_a_model_the_guide_answers():
    assert isinstance(providers.build(ModelSettings(), {}), Guide)


def test_a_model_is_built_with_the_key_from_the_variable_that_the_settings_name():
    settings = ModelSettings(model="m", base_url="http://127.0.0.1:1/v1", api_key_env="MY_KEY")
    provider = providers.build(settings, {"MY_KEY": "secret"})
    assert (provider.model, provider.name) == ("m", "openai-compatible")


def test_a_variable_that_is_not_set_is_named():
    with pytest.raises(ProviderError, match=r"'MY_KEY'.*Set it, or remove api_key_env"):
        providers.build(ModelSettings(model="m", api_key_env="MY_KEY"), {})


def test_openai_itself_needs_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ProviderError, match="needs a key"):
        providers.build(ModelSettings(model="m"), {})
