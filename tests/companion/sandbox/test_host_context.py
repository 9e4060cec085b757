from __future__ import annotations

import json

from companion.sandbox.host_context import host_context


def test_a_page_learns_its_width_theme_and_language_and_nothing_of_the_machine():
    context = host_context(is_dark=True, width_px=640)
    assert context["theme"] == "dark"
    assert context["containerDimensions"]["width"] == 640
    words = "theme displayMode availableDisplayModes containerDimensions locale timeZone platform"
    assert sorted(context) == sorted(words.split())
    json.dumps(context)
