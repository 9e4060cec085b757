from __future__ import annotations

import pytest

from companion.domain.a2ui import catalogs
from companion.domain.a2ui.refusal import A2uiError


def test_there_are_24_types_and_all_of_the_older_catalog_are_among_them():
    assert len(catalogs.TYPES[catalogs.AGENUI]) == 24
    assert set(catalogs.TYPES[catalogs.OPENCLAW_V08]) < set(catalogs.TYPES[catalogs.AGENUI])


@pytest.mark.parametrize(
    ("name", "catalog", "found"),
    [
        ("tEXTfield", catalogs.AGENUI, "TextField"),
        ("progress", catalogs.OPENCLAW_V08, "Slider"),
        ("Row", catalogs.OPENCLAW_V08, None),
    ],
)
def test_a_name_stands_for_a_type_of_its_catalog(name, catalog, found):
    assert catalogs.resolve(name, catalog) == found


@pytest.mark.parametrize(
    ("asked", "advertised", "category"),
    [
        ("urn:x", (), "unknown_catalog"),
        (catalogs.AGENUI, (catalogs.OPENCLAW_V08,), "catalog_not_advertised"),
        (None, ("urn:x",), "no_catalog"),
    ],
)
def test_a_catalog_that_cannot_be_drawn_is_refused(asked, advertised, category):
    with pytest.raises(A2uiError) as refused:
        catalogs.choose(asked, advertised)
    assert refused.value.category == category


def test_a_client_that_names_no_catalog_draws_all():
    assert catalogs.choose(None, ()) == catalogs.AGENUI
    assert catalogs.choose(catalogs.OPENCLAW_V08.upper(), ()) == catalogs.OPENCLAW_V08
