from __future__ import annotations

from PySide6.QtCore import Qt

from companion.views.renderer import Style
from companion.views.theme import LIGHT
from companion.views.transcript_pill import Pill
from tests.support.transcripts import is_at_end, said, shown, talk


def test_it_says_how_many_are_new_in_words_for_the_ear_too(qtbot):
    view = shown(qtbot, talk(20))
    assert view._pill.isHidden()
    view._scroll.by(-100)
    view.set_messages((*talk(20), said("n1"), said("n2"), said("n3")))
    assert view._pill.isVisible()
    assert view._pill.text() == "3 new ↓"
    assert view._pill.accessibleName() == "3 new messages, go to the newest"
    assert view.viewport().rect().contains(view._pill.geometry())


def test_a_click_goes_to_the_newest_line_and_hides_it(qtbot):
    view = shown(qtbot, talk(60))
    view._scroll.by(-2000)
    assert view._pill.text() == "Newest ↓"
    qtbot.mouseClick(view._pill, Qt.MouseButton.LeftButton)
    assert is_at_end(view)
    assert view._pill.isHidden()


def test_it_stays_hidden_while_the_end_is_near(qtbot):
    view = shown(qtbot, talk(60))
    view._scroll.by(-60)
    assert view._pill.isHidden()


def test_it_grows_with_the_zoom(qtbot):
    view = shown(qtbot, talk(2))
    pill = Pill(view.viewport())
    widths = []
    for zoom in (1.0, 2.0):
        pill.set_style(Style(LIGHT, zoom))
        pill.tell(3, is_far=False)
        widths.append(pill.width())
    assert widths[1] > 1.5 * widths[0]
