from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette

from companion.views.theme import THEMES, body_font, mono_font

TEXT_PAIRS = [
    ("text", "bg"),
    ("text", "card"),
    ("text", "raise_"),
    ("text", "user"),
    ("strong", "side"),
    ("strong", "accent_soft"),
    ("muted", "bg"),
    ("muted", "side"),
    ("muted", "card"),
    ("muted", "accent_soft"),
    ("on_accent", "accent"),
    ("accent", "bg"),
    ("ok", "bg"),
    ("warn", "bg"),
    ("warn", "card"),
    ("danger", "bg"),
    ("text", "code"),
]


def luminance(color: QColor) -> float:
    def linear(share):
        return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


def contrast(a: QColor, b: QColor) -> float:
    """Return the contrast ratio of two colours, by the formula of WCAG 2."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", list(THEMES))
@pytest.mark.parametrize(("ink", "ground"), TEXT_PAIRS)
def test_text_can_be_read_in_every_theme(name, ink, ground):
    theme = THEMES[name]
    assert contrast(theme.color(ink), theme.color(ground)) >= 4.5


@pytest.mark.parametrize("name", list(THEMES))
def test_what_one_must_see_stands_out_in_every_theme(name):
    theme = THEMES[name]
    for token in ("accent", "ok", "warn", "danger"):
        assert contrast(theme.color(token), theme.color("side")) >= 3


@pytest.mark.parametrize("name", list(THEMES))
def test_a_page_is_given_the_same_colours(name):
    theme, tokens = THEMES[name], THEMES[name].page_tokens()
    assert tokens["text"] == theme.text
    assert tokens["accent-fg"] == theme.on_accent
    assert all(value for value in tokens.values())


def test_controls_without_a_style_of_ours_get_the_same_colours(qapp):
    palette = THEMES["dark"].palette()
    assert palette.color(QPalette.ColorRole.Window).name() == THEMES["dark"].bg
    assert palette.color(QPalette.ColorRole.Highlight).name() == THEMES["dark"].accent


def test_fonts_are_as_high_as_they_are_asked_to_be(qapp):
    assert body_font(14).pixelSize() == 14
    assert mono_font(13).pixelSize() == 13
