"""Messages, a view of them, and a factory of plain embedded widgets, for tests of the transcript."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor

from companion.domain.outline import Outline
from companion.domain.transcript import Message
from companion.views.renderer import EmbedWidget, PartPlace, Scene, Style
from companion.views.theme import LIGHT
from companion.views.transcript import TranscriptView
from gateway_client.protocol.blocks import TextBlock, WidgetBlock

PLACE = PartPlace("run:1/0")
WORDS = "Some words that fill a line of the answer and go on for a while, so that it wraps. "


class NowJobs:
    """Runs every job at once, where a worker would take its time."""

    def submit(self, job, take):
        """Run *job* and hand over its result."""
        take(job())


class LaterJobs:
    """Keeps jobs until they are asked for."""

    def __init__(self):
        self.waiting = []

    def submit(self, job, take):
        """Keep the job."""
        self.waiting.append((job, take))

    def run(self):
        """Run all jobs that are waiting."""
        waiting, self.waiting = self.waiting, []
        for job, take in waiting:
            take(job())


class BoxFactory:
    """Embeds for widgets: an empty box each, with everything that happened to them."""

    def __init__(self, height_px=100):
        self.height_px = height_px
        self.made = {}
        self.closed = []
        self.themes = []

    def handles(self, part):
        """Say whether it is a widget."""
        return isinstance(part, WidgetBlock)

    def create(self, key, part, parent):
        """Make a box."""
        box = Box(self, key, parent)
        self.made[key] = box
        return box

    def remembered_height(self, key, part):
        """Return the one height."""
        return self.height_px


class Box(EmbedWidget):
    """An embed that remembers what it was told."""

    def __init__(self, factory, key, parent):
        super().__init__(parent)
        self.factory, self.key = factory, key

    def set_theme(self, theme):
        """Remember the theme."""
        self.factory.themes.append(theme.name)

    def closing(self):
        """Remember that it ended."""
        self.factory.closed.append(self.key)
        self.factory.made.pop(self.key, None)


def scene(theme=LIGHT, *, zoom=1.0, jobs=None, embeds=None):
    """Return what pieces share."""
    return Scene(Style(theme, zoom), jobs or NowJobs(), embeds)


def outline(text):
    """Return the outline of a plain text."""
    return Outline(text, text)


def said(key, text="Hello", *, role="assistant", state="complete"):
    """Return a message with one text."""
    return Message(key, role, (TextBlock(text),), state)


def talk(count, *, lines=3):
    """Return a conversation of *count* messages, questions and answers in turn."""
    return tuple(
        said(f"m{number}", f"Question {number}?", role="user", state="accepted")
        if number % 2 == 0
        else said(f"m{number}", f"Answer {number}. " + WORDS * lines)
        for number in range(count)
    )


def shown(qtbot, messages=(), *, theme=LIGHT, embeds=None, size=(640, 480)):
    """Return a view on screen that shows *messages*."""
    view = TranscriptView(theme, embeds)
    qtbot.addWidget(view, before_close_func=lambda closing: closing.shut_down())
    view.resize(*size)
    view.show()
    qtbot.waitExposed(view)
    view.set_messages(messages)
    return view


def is_at_end(view):
    """Say whether the newest line is in view."""
    bar = view.verticalScrollBar()
    return bar.value() == bar.maximum()


def point_of(view, row, number, place):
    """Return where a place in the text of a piece is, in the viewport."""
    piece = view._rows.realize_piece(row, number)
    placed = view._rows.layout(row).placed[number]
    corner = view._spots.row_rect(row).topLeft() + placed.rect.topLeft()
    line = piece.rect_of(place)
    for x in range(piece.size.width()):
        point = QPoint(x, line.center().y())
        if piece.place_at(point) >= place:
            return corner + point
    raise AssertionError(f"place {place} is nowhere in row {row}, piece {number}")


def color_at(piece, place=0):
    """Return the colour of the letter at a place of a piece."""
    cursor = QTextCursor(piece.prose.document)
    cursor.setPosition(place + 1)
    return cursor.charFormat().foreground().color()


def contrast(one, other):
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color):
    def linear(value):
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())
