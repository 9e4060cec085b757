from __future__ import annotations

from companion.domain.a2ui.refusal import A2uiError


def test_a_refusal_says_what_is_wrong_where():
    error = A2uiError("missing_id", "frame 2 has no id.", frame=2)
    assert (str(error), error.category, error.frame) == ("frame 2 has no id.", "missing_id", 2)
