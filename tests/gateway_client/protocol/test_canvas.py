from __future__ import annotations

from gateway_client.protocol import canvas


def test_every_command_needs_a_capability_and_waits_for_a_reply():
    assert len(canvas.CAPABILITIES) == 12
    assert {canvas.reply_for(kind) for kind in canvas.CAPABILITIES} == canvas.REPLIES - {canvas.ERROR}


def test_local_html_needs_a_capability_of_its_own():
    assert canvas.capability_for({"type": "canvas_navigate", "html": "<p>"}) == canvas.LOCAL_HTML
    assert canvas.capability_for({"type": "canvas_navigate", "url": "about:blank"}) == canvas.PRESENT


def test_an_envelope_is_compact_and_leaves_out_what_says_nothing():
    assert (
        canvas.serialise({"type": "canvas_ack", "error": None, "title": "日"})
        == '{"type":"canvas_ack","title":"日"}'
    )


def test_capabilities_are_found_among_all_names_without_case():
    assert canvas.declared([" A2UI.V0_9 ", "inline-widgets"]) == {canvas.A2UI_V09}


def test_an_envelope_keeps_whatever_it_carries():
    envelope = {"type": "canvas_ack", "requestId": "r", "success": True, "more": [1]}
    assert canvas.ReplyParams.from_wire(envelope).envelope() == envelope
