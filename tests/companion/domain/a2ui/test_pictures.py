from __future__ import annotations

import base64
import struct

import pytest

from companion.domain.a2ui import pictures


def png(width, height):
    return (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", width, height) + b"\x08\x02\x00\x00\x00"
    )


def gif(width, height):
    return b"GIF89a" + struct.pack("<HH", width, height)


def webp(width, height):
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00" + sides


def address(kind, content):
    return f"data:image/{kind};base64," + base64.b64encode(content).decode()


@pytest.mark.parametrize(("kind", "make"), [("png", png), ("gif", gif), ("webp", webp)])
def test_a_picture_is_judged_by_its_header_before_it_is_decoded(kind, make):
    assert pictures.problem(address(kind, make(4096, 10))) is None
    assert "4096 pixels" in pictures.problem(address(kind, make(10, 4097)))


def test_a_picture_of_another_kind_than_it_says_is_refused():
    assert "no PNG" in pictures.problem(address("png", b"GIF89a"))
    assert "not base64" in pictures.problem("data:image/png;base64,**")


def test_a_picture_over_a_megabyte_is_refused_unread():
    assert "bytes" in pictures.problem("data:image/png;base64," + "A" * 1_500_000)


@pytest.mark.parametrize(
    "given", ["https://media.example/a.png", "data:image/svg+xml;base64,x", "file:///a.png"]
)
def test_only_pictures_inside_the_document_count(given):
    assert not pictures.is_inline(given)
