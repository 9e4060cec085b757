from __future__ import annotations

import pytest

from companion.domain.a2ui.policy import CanvasPolicy


@pytest.mark.parametrize(("given", "used"), [(0, 1), (10, 10), (100_000, 300)])
def test_the_time_for_an_answer_has_bounds(given, used):
    assert CanvasPolicy(command_timeout_s=given).timeout_s == used


def test_a_bound_below_one_counts_as_one():
    policy = CanvasPolicy(max_command_bytes=0)
    assert (policy.command_bytes, policy.payload_bytes) == (1, 1)
