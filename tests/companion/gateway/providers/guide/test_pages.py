from __future__ import annotations

import pytest

from companion.domain.markup import check_markup, check_title, is_svg
from companion.gateway.providers.guide.pages import PAGES, choose


@pytest.mark.parametrize("page", [page for _, page in PAGES], ids=lambda page: page.file)
def test_every_page_of_the_guide_is_a_widget_that_the_tool_takes(page):
    assert check_title(page.title) == page.title
    assert check_markup(page.code) == page.code


@pytest.mark.parametrize("page", [page for _, page in PAGES], ids=lambda page: page.file)
def test_a_page_takes_its_colours_from_the_host_and_nothing_from_a_network(page):
    assert "http" not in page.code
    assert "#" not in page.code.replace('"#', "")


def test_the_words_choose_the_page():
    assert is_svg(choose("a widget svg").code)
    assert choose("widget counter").title == "Counter"
    assert choose("widget").title == "A small dashboard"
