from __future__ import annotations

import re

import pytest
from PySide6.QtWidgets import QPushButton

from companion.views.style import style_sheet
from companion.views.theme import THEMES


@pytest.mark.parametrize("name", list(THEMES))
def test_every_colour_of_the_sheet_is_a_token_of_the_theme(name):
    theme = THEMES[name]
    tokens = {
        getattr(theme, field) for field in theme.__slots__ if str(getattr(theme, field)).startswith("#")
    }
    assert set(re.findall(r"#[0-9a-f]{6}\b", style_sheet(theme))) <= tokens


@pytest.mark.parametrize("name", list(THEMES))
def test_qt_understands_the_sheet(name, qtbot, qtlog):
    button = QPushButton("x")
    qtbot.addWidget(button)
    button.setStyleSheet(style_sheet(THEMES[name]))
    button.show()
    assert not [record for record in qtlog.records if "parse" in record.message.lower()]
