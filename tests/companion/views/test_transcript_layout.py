from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from companion.domain.transcript import Message, ToolActivity
from companion.views.transcript_layout import (
    BUBBLE_PAD_X_PX,
    BUBBLE_SHARE,
    EmbedPiece,
    MessageLayout,
    estimate_height,
)
from gateway_client.protocol.blocks import TextBlock, WidgetBlock
from tests.support.transcripts import WORDS, BoxFactory, said, scene

WIDTH_PX = 500
ALL = (0, 100_000)


def laid_out(message, **kwargs):
    layout = MessageLayout(scene(**kwargs), message, {})
    layout.realize(WIDTH_PX, *ALL)
    return layout


def test_pieces_stand_below_each_other_without_overlap(qapp):
    message = Message(
        "r",
        "assistant",
        (TextBlock("# T\n\nwords\n\n```\nx\n```"), ToolActivity("1", "t", "done")),
        "complete",
    )
    rects = [placed.rect for placed in laid_out(message).placed]
    assert len(rects) == 4
    assert all(below.top() > above.bottom() for above, below in pairwise(rects))
    assert all(rect.width() == WIDTH_PX for rect in rects)


def test_what_a_person_said_is_a_bubble_at_the_right_as_wide_as_its_words(qapp):
    short = laid_out(said("u", "Hi", role="user"))
    long = laid_out(said("u", WORDS * 5, role="user"))
    assert short.bubble.width() < 100
    assert short.bubble.right() + 1 == WIDTH_PX
    assert WIDTH_PX * BUBBLE_SHARE * 0.8 < long.bubble.width() <= WIDTH_PX * BUBBLE_SHARE
    inner = long.placed[0].rect
    assert inner.left() == long.bubble.left() + BUBBLE_PAD_X_PX
    assert long.bubble.contains(inner)


def test_the_state_of_a_message_stands_under_the_bubble(qapp):
    layout = laid_out(said("u", "Hi", role="user", state="failed"))
    assert layout.placed[-1].piece.words == "Not sent"
    assert layout.placed[-1].rect.top() > layout.bubble.bottom()
    assert layout.height == layout.placed[-1].rect.bottom() + 1


def test_only_what_is_near_is_laid_out(qapp):
    layout = MessageLayout(scene(), said("r", (WORDS + "\n\n") * 200), {})
    layout.realize(WIDTH_PX, 0, 300)
    measured = [placed.piece.is_measured for placed in layout.placed]
    assert measured[0]
    assert sum(measured) < 20
    layout.realize(WIDTH_PX, *ALL)
    assert all(placed.piece.is_measured for placed in layout.placed)


def test_parts_that_did_not_change_keep_their_pieces(qapp):
    tool = ToolActivity("1", "t", "running")
    layout = laid_out(Message("r", "assistant", (TextBlock("a\nb\n\nc"), tool), "streaming"))
    first, second, old_tool, dots = layout.pieces
    assert dots.words == "…"
    done = replace(tool, state="done")
    layout.update(
        Message("r", "assistant", (TextBlock("a\nb\n\nc more"), done, TextBlock("end")), "streaming")
    )
    pieces = layout.pieces
    assert pieces[0] is first
    assert pieces[1] is not second
    assert pieces[2] is not old_tool
    assert [piece.outline.plain for piece in pieces[2:]] == ["t · done", "end"]


def test_a_widget_takes_the_remembered_height_until_it_says_its_own(qapp):
    heights = {}
    message = Message("r", "assistant", (WidgetBlock("1", "/x"),), "complete")
    layout = MessageLayout(scene(embeds=BoxFactory(120)), message, heights)
    layout.realize(WIDTH_PX, *ALL)
    (piece,) = layout.pieces
    assert isinstance(piece, EmbedPiece)
    assert (piece.key, layout.height) == ("r/widget/1", 120)
    heights["r/widget/1"] = 300
    piece.is_measured = False
    layout.realize(WIDTH_PX, *ALL)
    assert layout.height == 300


def test_an_estimate_is_near_the_height(qapp):
    for message in (said("r", WORDS * 12), said("u", WORDS * 6, role="user"), said("u", "Hi", role="user")):
        height = laid_out(message).height
        assert 0.5 * height < estimate_height(message, WIDTH_PX, scene()) < 2 * height


def test_a_larger_zoom_needs_more_room(qapp):
    assert laid_out(said("r", WORDS * 5), zoom=1.5).height > 1.4 * laid_out(said("r", WORDS * 5)).height
