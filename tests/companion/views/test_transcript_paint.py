from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint

from companion.domain.transcript import Notice, ToolActivity
from companion.views.theme import DARK, HIGH_CONTRAST, LIGHT, THEMES
from gateway_client.protocol.blocks import TextBlock, ThinkingBlock, UnknownBlock
from tests.support.transcripts import said, shown


def picture(view):
    return view.viewport().grab().toImage()


def colors(view, rect=None):
    image = picture(view)
    area = (rect or view.viewport().rect()).intersected(image.rect())
    return {
        image.pixelColor(x, y).name()
        for x in range(area.left(), area.right(), 2)
        for y in range(area.top(), area.bottom(), 1)
    }


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_every_kind_of_part_is_painted_in_the_colours_of_the_theme(qtbot, theme):
    parts = (
        ThinkingBlock("hm"),
        TextBlock("# T\n\ntext `code` [l](https://example.org)\n\n> q\n\n| a |\n|---|\n| b |\n\n```\nx\n```"),
        ToolActivity("1", "browse", "failed"),
        UnknownBlock("x", "y"),
        Notice("Oh.", "error"),
    )
    messages = (said("q", "Hi", role="user", state="failed"), replace(said("a"), parts=parts))
    view = shown(qtbot, messages, theme=theme, size=(500, 900))
    seen = colors(view)
    assert {theme.bg, theme.text, theme.user, theme.code, theme.danger, theme.accent, theme.line2} <= seen


def test_another_theme_leaves_nothing_of_the_old_one(qtbot):
    view = shown(qtbot, (said("q", "Hi", role="user"), said("a", "# T\n\nword\n\n```\nx\n```")))
    view.set_theme(DARK)
    seen = colors(view)
    assert DARK.bg in seen
    assert not {LIGHT.bg, LIGHT.user, LIGHT.code} & seen


def test_what_is_selected_and_found_is_seen(qtbot):
    view = shown(qtbot, (said("a", "word and word and more"),))
    assert LIGHT.accent not in colors(view)
    view.select_all()
    assert LIGHT.accent in colors(view)
    view._selected.set(None)
    view.find("word")
    assert LIGHT.warn in colors(view)


def test_the_focused_message_has_a_ring_while_the_view_has_the_focus(qtbot):
    view = shown(qtbot, (said("a", "one"), said("b", "two")))
    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view._focus.set(1)
    rect = view._spots.row_rect(1)
    ring = QPoint(rect.center().x(), rect.top() - 6)
    assert picture(view).pixelColor(ring).name() == LIGHT.accent
    view._focus.clear()
    assert picture(view).pixelColor(ring).name() == LIGHT.bg


def test_bubbles_have_a_border_where_grounds_are_not_tinted(qtbot):
    view = shown(qtbot, (said("q", "Hi there", role="user"),), theme=HIGH_CONTRAST)
    rect = view._spots.row_rect(0)
    assert HIGH_CONTRAST.line in colors(view, rect.adjusted(0, 0, 0, -rect.height() + 3))


def test_neighbours_do_not_paint_over_each_other(qtbot):
    view = shown(qtbot, (said("a", "AAAA " * 60), said("b", "BBBB " * 60)))
    rows = [view._spots.row_rect(row) for row in (0, 1)]
    gap = rows[0].adjusted(0, rows[0].height() + 2, 0, rows[1].top() - rows[0].bottom() - 3)
    assert colors(view, gap) == {LIGHT.bg}
