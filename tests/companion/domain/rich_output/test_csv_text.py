from __future__ import annotations

import pytest

from companion.domain.rich_output.csv_text import NotText, decode


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("a,é".encode(), "utf-8"),
        ("a,é".encode("utf-8-sig"), "utf-8"),
        (b"\xff\xfe" + "a,é".encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + "a,é".encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_text_is_read_by_its_mark(data, encoding):
    assert decode(data) == ("a,é", encoding)


@pytest.mark.parametrize("data", [b"\xe9", b"a\0b", "a".encode("utf-32"), b"\xff\xfea"])
def test_everything_else_is_no_text(data):
    with pytest.raises(NotText):
        decode(data)
