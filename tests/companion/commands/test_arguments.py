from __future__ import annotations

import pytest

from companion.commands.arguments import WrongInput, complain, read_token


def test_no_file_is_no_token():
    assert read_token(None) is None


def test_a_token_is_read_without_its_line_end(tmp_path):
    (tmp_path / "token").write_text("secret\n", encoding="utf-8")
    assert read_token(str(tmp_path / "token")) == "secret"


def test_a_missing_an_empty_and_a_binary_file_are_each_told(tmp_path):
    (tmp_path / "empty").write_text("  \n", encoding="utf-8")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name, words in (("nowhere", "can not be read"), ("empty", "is empty"), ("binary", "can not be read")):
        with pytest.raises(WrongInput, match=words):
            read_token(str(tmp_path / name))


def test_a_complaint_goes_to_standard_error_and_returns_its_code(capsys):
    assert complain("companion demo", "no such folder", 2) == 2
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "companion demo: no such folder\n")
