from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.gateway.sessions import canonical


@pytest.mark.parametrize(
    ("key", "full"),
    [("main", "agent:main:main"), (" work ", "agent:main:work"), ("agent:main:work", "agent:main:work")],
)
def test_every_way_to_name_a_session_has_one_full_form(key, full):
    assert canonical(key) == full


@pytest.mark.parametrize("key", ["", "  ", "agent:other:main", "agent:main:", "agent:"])
def test_another_agent_s_session_and_a_blank_key_are_refused(key):
    with pytest.raises(ValueError):
        canonical(key)


@given(st.text(min_size=1))
def test_the_full_form_of_a_full_form_is_itself(key):
    try:
        full = canonical(key)
    except ValueError:
        return
    assert canonical(full) == full
