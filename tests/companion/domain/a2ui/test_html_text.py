from __future__ import annotations

from companion.domain.a2ui.html_text import words


def test_only_what_a_page_shows_counts():
    page = "<title>T</title><style>p{}</style><p>Hello <b>you</b></p><script>x()</script> there"
    assert words(page) == "Hello you there"


def test_a_broken_page_still_has_words():
    assert words("</script><p>a</b>") == "a"
