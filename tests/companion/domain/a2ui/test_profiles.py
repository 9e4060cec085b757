from __future__ import annotations

from companion.domain.a2ui.profiles import Profile, names

READY = Profile().after({"type": "canvas_ready", "capabilities": ["A"], "supportedCatalogIds": ["c"]})


def test_ready_replaces_the_profile_and_others_update_what_they_name():
    assert READY.after({"type": "canvas_ack", "supportedCatalogIds": ["d"]}) == Profile(("A",), ("d",))
    assert READY.after({"type": "canvas_ack", "capabilities": []}) == READY
    assert READY.after({"type": "canvas_ready"}) == Profile()


def test_names_are_trimmed_and_the_first_spelling_stays():
    assert names([" A ", "a", "", 5, "b"]) == ("A", "b")
    assert names("A") == ()


def test_capabilities_are_compared_without_case():
    assert READY.has("a")
    assert not READY.has("b")
