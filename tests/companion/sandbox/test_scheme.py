from __future__ import annotations

from companion.domain.csp import page_policy


def test_the_page_is_under_our_policy_whatever_it_says_itself(stage):
    """A header given in the wrong form is silently taken apart by Qt, and the page is under none."""
    view = stage.open("""<meta http-equiv=Content-Security-Policy content="default-src *"><script>
        addEventListener('securitypolicyviolation', event => console.log('policy: ' + event.originalPolicy));
        new Image().src = 'http://127.0.0.1:9/';
    </script>""")
    assert stage.line(view, "policy: ") == page_policy("scripts").text()


def test_a_page_has_an_origin_that_equals_no_other(stage):
    view = stage.open("<script>console.log('origin ' + origin + ' ' + self.origin)</script>")
    assert "origin null null" in stage.console(view)


def test_a_page_can_read_neither_itself_nor_another_view(stage):
    other = stage.open("secret")
    view = stage.open(f"""<script>
        const read = url => fetch(url).then(() => console.log('read'), () => console.log('refused'));
        read(location.href); read('companion-view://{other.view_id}/page');
        const frame = document.createElement('iframe');
        frame.src = 'companion-view://{other.view_id}/page';
        document.body.append(frame);
    </script>""")
    stage.qtbot.waitUntil(lambda: stage.console(view).count("refused") == 2, timeout=10_000)
    assert "read" not in stage.console(view)
    assert other.is_live


def test_every_letter_arrives_as_it_was_sent(stage):
    view = stage.open("<p id=p>grüße 猫 \U0001f431</p><script>console.log('text ' + p.textContent)</script>")
    assert "text grüße 猫 \U0001f431" in stage.console(view)


def test_an_empty_page_is_painted_too(stage):
    assert stage.open("<!doctype html>").is_live
