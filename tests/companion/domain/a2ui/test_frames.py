from __future__ import annotations

import pytest

from companion.domain.a2ui import frames
from companion.domain.a2ui.policy import CanvasPolicy
from companion.domain.a2ui.refusal import A2uiError
from tests.support.a2ui import cases, limit

BOUND = CanvasPolicy().payload_bytes


def verdict(text, limits=None):
    limits = limits or {}
    try:
        found = frames.parse(
            text, max_frames=limits.get("maxFrames", 100), max_bytes=limits.get("maxBytes", BOUND)
        )
    except A2uiError as error:
        return {"accepted": False, "reason": error.category, "frame": error.frame}
    return {"accepted": True, "frames": len(found)}


@pytest.mark.parametrize("case", cases("push_v08"), ids=lambda case: case["id"])
def test_a_push_is_taken_or_refused_as_the_case_says(case):
    given = verdict(case["input"]["frames"], case["input"].get("limits"))
    assert {key: given.get(key) for key in case["expect"]} == case["expect"]


def text_frames(count):
    return "\n".join(f'{{"type":"text","id":"t{one}","text":"x"}}' for one in range(count))


def one_frame(total_bytes):
    start, end = '{"type":"text","id":"a","text":"', '"}'
    return start + "x" * (total_bytes - len(start) - len(end)) + end


def nested(depth):
    return '{"type":"chart","id":"c","data":' + "[" * depth + "]" * depth + "}"


GENERATED = {
    "limit-push-100-frames": lambda: text_frames(100),
    "limit-push-101-frames": lambda: text_frames(101),
    "limit-push-100000-blank-lines": lambda: "\n" * 100_000 + text_frames(1),
    "limit-push-bytes-at-limit": lambda: one_frame(258_048),
    "limit-push-bytes-over-limit": lambda: one_frame(258_049),
    "limit-push-10-megabytes": lambda: one_frame(10_485_760),
    "limit-push-nesting-64": lambda: nested(63),
    "limit-push-nesting-65": lambda: nested(64),
    "limit-push-nesting-100000": lambda: nested(100_000),
}


@pytest.mark.parametrize("case_id", GENERATED)
def test_a_large_push_is_taken_or_refused_as_the_case_says(case_id):
    expected = {key: value for key, value in limit(case_id)["expect"].items() if key != "maxSeconds"}
    given = verdict(GENERATED[case_id]())
    assert {key: given.get(key) for key in expected} == expected


def test_a_number_with_a_hundred_thousand_digits_is_refused_without_a_fault():
    assert verdict('{"type":"progress","id":"p","value":' + "9" * 100_000 + "}")["reason"] == "invalid_json"


def test_a_refusal_names_the_frame_and_what_it_needs():
    with pytest.raises(A2uiError, match=r"frame 2: a text needs a text 'text'"):
        frames.parse('{"type":"text","id":"a","text":"x"}\n{"type":"text","id":"b"}', max_bytes=BOUND)
