from __future__ import annotations

import math

import pytest

from companion.domain.rich_output.payload import compact_bytes, read_arguments
from companion.domain.rich_output.problem import Refused


def test_sizes_count_bytes_and_not_characters():
    assert compact_bytes({"a": "é", "b": [1, 2]}) == len('{"a":"é","b":[1,2]}'.encode())


def test_a_number_of_many_digits_becomes_infinite_and_not_an_error():
    assert read_arguments("[" + "9" * 5000 + ",-" + "9" * 401 + "]") == [math.inf, -math.inf]


@pytest.mark.parametrize("text", ["", "{", "[NaN]", "[" * 100_000])
def test_what_is_no_json_is_refused_with_a_next_step(text):
    with pytest.raises(Refused, match="Send one JSON object"):
        read_arguments(text)
