from __future__ import annotations

import base64

import pytest

from companion.gateway import messages
from gateway_client.protocol.methods import Attachment

PNG = base64.b64encode(b"\x89PNG....").decode()


def picture(content=PNG, mime_type="image/png"):
    return Attachment(type="image", mime_type=mime_type, file_name="cat.png", content=content)


def test_words_alone_stay_words():
    assert messages.content("hello", []) == "hello"


def test_pictures_come_after_the_words():
    assert messages.content("look", [picture()]) == [
        {"type": "text", "text": "look"},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
    ]
    assert messages.content("", [picture()]) == [{"type": "image", "data": PNG, "mimeType": "image/png"}]


@pytest.mark.parametrize("text", ["", "  \n"])
def test_nothing_to_send_is_refused(text):
    with pytest.raises(ValueError, match="message or attachment required"):
        messages.content(text, [])


@pytest.mark.parametrize(
    ("attachment", "why"),
    [
        (picture(mime_type="text/plain"), "pictures can be sent"),
        (picture(content="?"), "not base64"),
        (picture(content=""), "0 bytes"),
        (picture(content=base64.b64encode(bytes(messages.MAX_IMAGE_BYTES + 1)).decode()), "6291457 bytes"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_with_its_name(attachment, why):
    with pytest.raises(ValueError, match=why) as caught:
        messages.content("", [attachment])
    assert "cat.png" in str(caught.value)


def test_a_picture_of_exactly_the_bound_is_taken_and_too_many_are_not():
    whole = base64.b64encode(bytes(messages.MAX_IMAGE_BYTES)).decode()
    assert messages.content("", [picture(whole)] * 3)
    with pytest.raises(ValueError, match="together"):
        messages.content("", [picture(whole)] * 4)


@pytest.mark.parametrize("text", ["a\x00", "a\ud800"])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(ValueError):
        messages.content(text, [])


def test_the_fingerprint_stands_for_session_and_content():
    one = messages.fingerprint("s", "hello")
    assert one == messages.fingerprint("s", "hello")
    assert one not in (messages.fingerprint("t", "hello"), messages.fingerprint("s", "hello!"))


def test_messages_are_cut_to_what_was_asked_for_and_else_left_alone():
    kept = [
        {"role": "user", "content": "abcdef"},
        {"role": "assistant", "content": [{"type": "text", "text": "abc"}]},
    ]
    assert messages.shortened(kept, None) == kept
    short = messages.shortened(kept, 3)
    assert short[0]["content"] == "abc" + messages.CUT
    assert short[1] == kept[1]
