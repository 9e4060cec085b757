from __future__ import annotations

import json
import subprocess
import sys

import pytest
from PySide6.QtGui import QImage

pytestmark = pytest.mark.xdist_group("screen")

SQUARE = "<svg viewBox='0 0 40 40' width='40' height='40'><rect width='40' height='40' fill='#0a0'/></svg>"


def render(tmp_path, page, *words, name="page.html"):
    (tmp_path / name).write_text(page, encoding="utf-8")
    report = tmp_path / "report.json"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "companion", "render", str(tmp_path / name)),
            *("-o", str(tmp_path / "out.png"), "--report", str(report), *words),
        ],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    return done, json.loads(report.read_text(encoding="utf-8")) if report.exists() else None


def colours(image):
    return {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 4) for y in range(0, image.height(), 4)
    }


def test_a_drawing_becomes_a_picture_as_large_as_the_report_says(tmp_path):
    done, report = render(
        tmp_path, SQUARE, "--width", "320", "--dpr", "2", "--fail-on", "blank,refusal", name="a.svg"
    )
    assert done.returncode == 0, done.stderr
    image = QImage(str(tmp_path / "out.png"))
    assert "#00aa00" in colours(image)
    assert (image.width(), image.height()) == (640, 2 * report["height"])
    assert report["sizes"][-1] == report["height"]
    assert report["ok"]
    assert report["paint_ms"] > 0
    assert "SizeReported" in report["messages"]


def test_what_a_page_says_and_wants_stands_in_the_report_and_may_fail_it(tmp_path):
    page = (
        "<p>words</p><script>new Image().src = 'http://127.0.0.1:9/x.png';"
        "setTimeout(() => console.log('now'), 300)</script>"
    )
    done, report = render(tmp_path, page, "--wait-for", "now", "--fail-on", "refusal")
    assert done.returncode == 1
    assert "refusal" in done.stderr
    assert {"url": "http://127.0.0.1:9/x.png", "rule": "policy"} in report["refused"]
    assert any("now" in line for line in report["console"])
    assert not report["ok"]


def test_a_page_that_shows_nothing_is_blank(tmp_path):
    done, _ = render(tmp_path, "<p></p>", "--fail-on", "blank")
    assert done.returncode == 1
    assert "blank" in done.stderr


@pytest.mark.parametrize(
    ("page", "words"),
    [("only words", ()), ("<p>x", ("--fail-on", "luck")), ("<p>x", ("-o", "/no/such/folder/x.png"))],
)
def test_wrong_input_is_told_and_ends_with_2(tmp_path, page, words):
    done, report = render(tmp_path, page, *words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert report is None
