from __future__ import annotations

import json

import pytest

from companion.domain.rich_output.model import Chart
from companion.domain.rich_output.replay import replay
from tests.support.rich_output import case_id, cases


@pytest.mark.parametrize("case", cases("replay"), ids=case_id)
def test_a_stored_call_shows_what_is_written_down(case):
    output = json.loads(case["output_text"]) if "output_text" in case else case.get("output")
    shown = replay(case["status"], case["input"], output)
    expected = case["expect"]
    assert shown.state == expected["state"]
    assert (shown.presentation is not None) == (expected["state"] == "ready")
    if shown.presentation is not None and "charts" in expected:
        charts = [
            {
                "block_index": index,
                "points": len(block.data.labels),
                "series": len(block.data.series),
                "from_file": block.csv is not None,
            }
            for index, block in enumerate(shown.presentation.blocks)
            if isinstance(block, Chart)
        ]
        assert charts == expected["charts"]
