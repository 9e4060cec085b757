from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.category_texts import category_texts
from tests.support.rich_output import case_id, cases

DATES = st.datetimes().map(lambda when: when.strftime("%Y-%m-%dT%H:%M:%S").zfill(19))


@pytest.mark.parametrize("case", cases("rendering", "x_label_cases"), ids=case_id)
def test_labels_are_shortened_as_written_down(case):
    assert list(category_texts(case["labels"])) == case["expect"]["texts_en_US"]


@given(st.lists(DATES | st.text(max_size=6), min_size=1, max_size=6))
def test_shortening_never_makes_two_labels_alike(labels):
    texts = category_texts(labels)
    assert len(texts) == len(labels)
    assert len(set(texts)) >= len(set(labels))
