from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.domain.rich_output.paths import PathRefused, canonical, segments


@given(st.text("ab./\\~: C", max_size=20), st.sampled_from(["posix", "windows"]))
def test_what_is_taken_stays_below_its_folder(path, platform):
    with suppress(PathRefused):
        kept = segments(path, platform)
        assert kept
        assert not {"", ".", ".."} & set(kept)
        assert not kept[0].startswith("~")
        assert not any("/" in part or "\\" in part for part in kept)
        assert segments(canonical(path), "posix") == kept


@pytest.mark.parametrize("name", ["con", "COM1.txt", "a./b", "a\u00b9/lpt\u00b9", "nul .txt", "a:b"])
def test_names_that_windows_gives_a_meaning_are_refused_there(name):
    with pytest.raises(PathRefused) as refused:
        segments(f"x/{name}", "windows")
    assert refused.value.code == "path_invalid"
