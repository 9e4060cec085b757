"""Colours, sizes and fonts as named values: one set drives everything that is drawn.

Palette, style sheet, painted text, charts and the variables given to pages all
come from here. Contrast is measured in the tests: 4.5:1 for text, 3:1 for what
one must see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette

SchemeName: TypeAlias = Literal["light", "dark", "high-contrast"]

GRID_PX = 4
RADIUS_PX = 8
RADIUS_COMPOSER_PX = 12
RADIUS_USER_PX = 10
READING_WIDTH_PX = 860
BODY_PX = 14
LINE_HEIGHT_PX = 21
SMALL_PX = 12
TINY_PX = 11


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours as CSS texts, with the name of the scheme it belongs to."""

    name: SchemeName
    is_dark: bool
    bg: str
    side: str
    card: str
    raise_: str
    line: str
    line2: str
    text: str
    strong: str
    muted: str
    accent: str
    accent_soft: str
    on_accent: str
    user: str
    ok: str
    warn: str
    danger: str
    code: str
    border_px: int = 1

    def color(self, token: str) -> QColor:
        """Return the colour of *token*, for painting."""
        return QColor(getattr(self, token))

    def palette(self) -> QPalette:
        """Return the colours as Qt's own roles, for every control without a style of ours."""
        palette = QPalette()
        roles = {
            QPalette.ColorRole.Window: self.bg,
            QPalette.ColorRole.WindowText: self.text,
            QPalette.ColorRole.Base: self.raise_,
            QPalette.ColorRole.AlternateBase: self.card,
            QPalette.ColorRole.Text: self.text,
            QPalette.ColorRole.PlaceholderText: self.muted,
            QPalette.ColorRole.Button: self.raise_,
            QPalette.ColorRole.ButtonText: self.strong,
            QPalette.ColorRole.BrightText: self.danger,
            QPalette.ColorRole.Highlight: self.accent,
            QPalette.ColorRole.HighlightedText: self.on_accent,
            QPalette.ColorRole.Link: self.accent,
            QPalette.ColorRole.LinkVisited: self.accent,
            QPalette.ColorRole.ToolTipBase: self.card,
            QPalette.ColorRole.ToolTipText: self.text,
            QPalette.ColorRole.Light: self.line,
            QPalette.ColorRole.Midlight: self.line,
            QPalette.ColorRole.Mid: self.line2,
            QPalette.ColorRole.Dark: self.line2,
            QPalette.ColorRole.Shadow: self.line2,
        }
        for role, value in roles.items():
            palette.setColor(role, QColor(value))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(self.muted))
        return palette

    def page_tokens(self) -> dict[str, str]:
        """Return the variables that a page is given, named as `openclaw:widget-theme` names them."""
        return {
            "surface": self.bg,
            "card": self.card,
            "elevated": self.raise_,
            "text": self.text,
            "text-strong": self.strong,
            "muted": self.muted,
            "border": self.line,
            "border-strong": self.line2,
            "accent": self.accent,
            "accent-fill": self.accent,
            "accent-fg": self.on_accent,
            "ok": self.ok,
            "warn": self.warn,
            "danger": self.danger,
            "info": self.accent,
            "radius": f"{RADIUS_PX}px",
            "font-body": "system-ui, sans-serif",
            "font-mono": "ui-monospace, monospace",
        }


LIGHT = Theme(
    name="light",
    is_dark=False,
    bg="#fbfaf8",
    side="#f3f1ed",
    card="#ffffff",
    raise_="#ffffff",
    line="#e4e0d8",
    line2="#d3cdc2",
    text="#2b2a27",
    strong="#171613",
    muted="#6b675e",
    accent="#2f6f5e",
    accent_soft="#e3efeb",
    on_accent="#ffffff",
    user="#eef3f1",
    ok="#1f7a3d",
    warn="#9a5b00",
    danger="#b3261e",
    code="#f4f2ee",
)

DARK = Theme(
    name="dark",
    is_dark=True,
    bg="#16171a",
    side="#111215",
    card="#1d1f23",
    raise_="#24262b",
    line="#2c2f35",
    line2="#3b3f47",
    text="#d6d4cf",
    strong="#f2f0eb",
    muted="#9a978f",
    accent="#6fc3ab",
    accent_soft="#1f322d",
    on_accent="#10231d",
    user="#20272a",
    ok="#5ec27f",
    warn="#e0a84a",
    danger="#f2857d",
    code="#202227",
)

HIGH_CONTRAST = Theme(
    name="high-contrast",
    is_dark=True,
    bg="#000000",
    side="#000000",
    card="#000000",
    raise_="#000000",
    line="#ffffff",
    line2="#ffffff",
    text="#ffffff",
    strong="#ffffff",
    muted="#ffffff",
    accent="#ffe500",
    accent_soft="#000000",
    on_accent="#000000",
    user="#000000",
    ok="#7dff9b",
    warn="#ffd24a",
    danger="#ff9c94",
    code="#000000",
    border_px=2,
)

THEMES: dict[SchemeName, Theme] = {theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST)}


def body_font(px: int = BODY_PX, *, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the system's font for text at *px* pixels."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(px)
    font.setWeight(weight)
    return font


def mono_font(px: int = 13) -> QFont:
    """Return the system's fixed-width font at *px* pixels."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(px)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font
