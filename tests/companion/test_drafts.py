from __future__ import annotations

import pytest

from companion.drafts import Drafts


def test_a_draft_is_there_at_the_next_start(tmp_path):
    Drafts(tmp_path / "drafts.json", "here").keep("main", "half a thought 🙂")
    assert Drafts(tmp_path / "drafts.json", "here").text("main") == "half a thought 🙂"


def test_a_draft_belongs_to_one_conversation_of_one_gateway(tmp_path):
    Drafts(tmp_path / "drafts.json", "here").keep("main", "mine")
    assert Drafts(tmp_path / "drafts.json", "here").text("other") == ""
    there = Drafts(tmp_path / "drafts.json", "there")
    assert there.text("main") == ""
    there.keep("main", "theirs")
    assert Drafts(tmp_path / "drafts.json", "here").text("main") == "mine"


def test_an_emptied_draft_is_forgotten(tmp_path):
    drafts = Drafts(tmp_path / "drafts.json", "here")
    drafts.keep("main", "x")
    drafts.keep("main", "")
    assert "main" not in (tmp_path / "drafts.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("broken", ["{", "[1]", '{"here": 3}', "\x00"])
def test_a_broken_file_is_set_aside_and_never_lost(tmp_path, broken, caplog):
    path = tmp_path / "drafts.json"
    path.write_text(broken, encoding="utf-8")
    drafts = Drafts(path, "here")
    assert drafts.text("main") == ""
    drafts.keep("main", "new")
    assert (tmp_path / "drafts.damaged").read_text(encoding="utf-8") == broken


def test_a_disk_that_refuses_is_told_to_the_log_and_memory_has_it(tmp_path, caplog):
    drafts = Drafts(tmp_path / "no" / "folder" / "drafts.json", "here")
    drafts.keep("main", "x")
    assert drafts.text("main") == "x"
    assert "could not be written" in caplog.text


def test_without_a_file_drafts_live_in_memory():
    drafts = Drafts(None, "here")
    drafts.keep("main", "x")
    assert drafts.text("main") == "x"
