from __future__ import annotations

import pytest

from companion.domain.a2ui import catalogs, components
from companion.domain.a2ui.refusal import A2uiError


def test_a_refusal_names_the_entry_that_is_wrong():
    with pytest.raises(A2uiError, match="component 2: has no text 'id'") as refused:
        components.parse(['{"type":"Text","id":"a"}', '{"type":"Text"}'], catalogs.AGENUI)
    assert refused.value.frame == 2


def test_without_a_catalog_every_type_is_taken():
    assert components.parse(['{"type":"Hologram","id":"h"}'], None) == [{"type": "Hologram", "id": "h"}]


@pytest.mark.parametrize(
    ("text", "category"),
    [(" ", "data_model_required"), ("{", "data_model_invalid_json"), ("[]", "data_model_not_object")],
)
def test_a_model_must_be_an_object(text, category):
    with pytest.raises(A2uiError) as refused:
        components.data_model(text, is_required=True)
    assert refused.value.category == category


def test_a_blank_model_that_is_not_needed_is_none():
    assert components.data_model(" ") is None
    assert components.metadata(None) is None
