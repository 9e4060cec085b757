"""The style sheet of the window, made from the tokens of a theme."""

from __future__ import annotations

from companion.views.theme import RADIUS_COMPOSER_PX, RADIUS_PX, SMALL_PX, TINY_PX, Theme


def style_sheet(theme: Theme) -> str:
    """Return the style sheet for *theme*; sizes are pixels on the 4 px grid."""
    t, edge = theme, theme.border_px
    ring = f"{max(2, edge)}px solid {t.accent}"
    return f"""
QMainWindow, #conversation {{ background: {t.bg}; }}
#sidebar {{ background: {t.side}; border-right: {edge}px solid {t.line}; }}
#sessionList {{ border: none; background: {t.side}; outline: none; }}
QToolTip {{ background: {t.card}; color: {t.text}; border: {edge}px solid {t.line2}; padding: 4px; }}

QPushButton {{
    background: {t.raise_}; color: {t.strong}; border: {edge}px solid {t.line2};
    border-radius: {RADIUS_PX}px; padding: 7px 12px; font-size: 13px;
}}
QPushButton:hover {{ background: {t.accent_soft}; }}
QPushButton:focus {{ border: {ring}; padding: 6px 11px; }}
QPushButton:disabled {{ color: {t.muted}; }}
QPushButton#newChat {{ text-align: left; }}
QPushButton#sendButton {{
    background: {t.accent}; color: {t.on_accent}; border: {edge}px solid {t.accent}; padding: 6px 13px;
}}
QPushButton#sendButton:disabled {{ background: {t.accent_soft}; color: {t.muted}; border-color: {t.line2}; }}
QPushButton#sendButton:focus {{ border: {max(2, edge)}px solid {t.strong}; padding: 5px 12px; }}
QPushButton#pill {{
    background: transparent; color: {t.muted}; border: {edge}px solid {t.line};
    border-radius: 10px; padding: 3px 10px; font-size: {SMALL_PX}px;
}}
QPushButton#pill:hover {{ color: {t.strong}; border-color: {t.line2}; }}
QPushButton#pill:focus {{ border: {ring}; padding: 2px 9px; }}
QPushButton#quiet {{
    background: transparent; border: {edge}px solid transparent; color: {t.muted};
    font-size: {SMALL_PX}px; padding: 2px 6px; border-radius: 4px;
}}
QPushButton#quiet:hover {{ color: {t.strong}; }}
QPushButton#quiet:focus {{ border: {ring}; padding: 1px 5px; color: {t.strong}; }}

QLineEdit {{
    background: {t.bg}; color: {t.text}; border: {edge}px solid {t.line}; border-radius: {RADIUS_PX}px;
    padding: 7px 10px; font-size: 13px; placeholder-text-color: {t.muted};
    selection-background-color: {t.accent};
    selection-color: {t.on_accent};
}}
QLineEdit:focus {{ border: {ring}; padding: 6px 9px; }}

#header {{ background: {t.bg}; border-bottom: {edge}px solid {t.line}; }}
#headerTitle {{ color: {t.strong}; font-size: 14px; font-weight: 600; }}
#strip {{ background: {t.card}; border-bottom: {edge}px solid {t.line}; }}
#stripText {{ color: {t.warn}; font-size: {SMALL_PX}px; }}
#findBar {{ background: {t.card}; border-bottom: {edge}px solid {t.line}; }}
#small {{ color: {t.muted}; font-size: {SMALL_PX}px; }}
#tiny {{ color: {t.muted}; font-size: {TINY_PX}px; }}

#composerBox {{
    background: {t.raise_}; border: {edge}px solid {t.line2}; border-radius: {RADIUS_COMPOSER_PX}px;
}}
#composerBox[focused="true"] {{ border: {edge}px solid {t.accent}; }}
#composerText {{
    background: transparent; border: none; color: {t.text}; font-size: 14px;
    placeholder-text-color: {t.muted};
}}

#widgetFrame {{ background: {t.card}; border: {edge}px solid {t.line}; border-radius: {RADIUS_PX}px; }}
#widgetCap {{ border-bottom: {edge}px solid {t.line}; }}
#widgetTitle {{ color: {t.strong}; font-size: {SMALL_PX}px; font-weight: 600; }}
#badge {{
    color: {t.muted}; font-size: 10px; border: {edge}px solid {t.line2}; border-radius: 5px; padding: 1px 6px;
}}
#widgetNote {{ color: {t.text}; font-size: 13px; padding: 12px; }}

QMenu {{
    background: {t.raise_}; color: {t.text}; border: {edge}px solid {t.line2};
    border-radius: {RADIUS_PX}px; padding: 4px;
}}
QMenu::item {{ padding: 6px 16px; border-radius: 4px; }}
QMenu::item:selected {{ background: {t.accent_soft}; color: {t.strong}; }}
QMenu::item:disabled {{ color: {t.muted}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}

QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {t.line2}; border-radius: 4px; min-height: 32px; margin: 1px; }}
QScrollBar::handle:vertical:hover {{ background: {t.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""
