from __future__ import annotations

from companion.views.window_memory import WindowMemory


def test_the_first_start_follows_the_system_at_normal_size(tmp_path, qapp):
    memory = WindowMemory(tmp_path)
    assert (memory.theme_choice, memory.zoom, memory.session_key) == ("system", 1.0, "")


def test_what_was_chosen_is_there_at_the_next_start(tmp_path, qapp):
    memory = WindowMemory(tmp_path)
    memory.theme_choice, memory.zoom, memory.session_key = "dark", 1.25, "chat-1"
    del memory
    again = WindowMemory(tmp_path)
    assert (again.theme_choice, again.zoom, again.session_key) == ("dark", 1.25, "chat-1")


def test_a_broken_file_counts_as_nothing_said(tmp_path, qapp):
    (tmp_path / "window.ini").write_text("[General]\ntheme=plaid\nzoom=large\ngeometry=?\n", encoding="utf-8")
    memory = WindowMemory(tmp_path)
    assert (memory.theme_choice, memory.zoom) == ("system", 1.0)
