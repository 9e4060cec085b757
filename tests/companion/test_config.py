from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion import config
from companion.config import ConfigError, Settings


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_and_a_variable_every_setting_is_its_default(tmp_path):
    assert config.load(environ={"COMPANION_PROFILE_DIR": str(tmp_path)}) == Settings()


def test_the_guide_answers_and_only_this_machine_is_listened_on_by_default():
    assert Settings().model.model == ""
    assert Settings().gateway.bind == "127.0.0.1"
    assert Settings().gateway.allowed_origins == ()


def test_the_profile_s_own_file_is_read(tmp_path):
    written(tmp_path, "[gateway]\nmax_widgets_per_session = 3\n")
    settings = config.load(environ={"COMPANION_PROFILE_DIR": str(tmp_path)})
    assert settings.gateway.max_widgets_per_session == 3


def test_the_environment_outranks_the_file(tmp_path):
    path = written(tmp_path, '[model]\nmodel = "a"\nbase_url = "http://127.0.0.1:1/v1"\n')
    settings = config.load(path, {"COMPANION_MODEL_MODEL": "b"})
    assert (settings.model.model, settings.model.base_url) == ("b", "http://127.0.0.1:1/v1")


def test_numbers_and_lists_are_read_from_the_environment(tmp_path):
    environ = {
        "COMPANION_PROFILE_DIR": str(tmp_path),
        "COMPANION_GATEWAY_PORT": "8123",
        "COMPANION_GATEWAY_ALLOWED_ORIGINS": "http://a.example, http://b.example",
    }
    gateway = config.load(environ=environ).gateway
    assert (gateway.port, gateway.allowed_origins) == (8123, ("http://a.example", "http://b.example"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[gateway]\nport = 70000\n", "gateway.port"),
        ("[gateway]\nmax_widgets_per_session = 0\n", "gateway.max_widgets_per_session"),
        ("[gateway]\ncolour = 1\n", "gateway.colour"),
        ("[other]\n", "other"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(tmp_path, text, named):
    path = written(tmp_path, text)
    with pytest.raises(ConfigError, match=named) as caught:
        config.load(path, {})
    assert str(path) in str(caught.value)


def test_a_file_that_is_no_toml_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"cannot be read.*Correct the file"):
        config.load(written(tmp_path, "port ="), {})


def test_a_file_that_was_named_must_exist(tmp_path):
    with pytest.raises(ConfigError, match="there is no file"):
        config.load(tmp_path / "none.toml", {})


def test_the_profile_folder_is_the_variable_s_or_the_system_s(tmp_path):
    assert config.profile_dir({"COMPANION_PROFILE_DIR": str(tmp_path)}) == tmp_path
    assert config.profile_dir({}).name == "Companion"
    assert config.profile_dir({}).is_absolute() or sys.platform == "win32"
