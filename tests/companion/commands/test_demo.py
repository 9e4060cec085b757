from __future__ import annotations

import json
import subprocess
import sys

import pytest
from PySide6.QtGui import QImage

from companion.commands.demo import _slug

pytestmark = pytest.mark.xdist_group("screen")


def demo(*words):
    return subprocess.run(
        [sys.executable, "-m", "companion", "demo", *words],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def colours(path):
    image = QImage(path)
    return {image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}


def test_the_tour_shows_every_kind_of_block_and_says_what_it_showed(tmp_path):
    done = demo("--out", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout.strip().splitlines()[-1])
    assert report["ok"]
    assert set(report) == {"ok", "pictures", "steps", "widgets", "gateway"}
    assert report["gateway"]["kind"] == "embedded"
    assert len(report["pictures"]) == 6
    assert all(len(colours(path)) > 8 for path in report["pictures"])
    for widget in report["widgets"]:
        assert widget["view_id"] in widget["url"]
        assert "connect-src 'none'" in widget["policy"]
        assert widget["paint_ms"] >= 0
    assert all(set(step) == {"name", "ms"} for step in report["steps"])


def test_a_message_of_ones_own_takes_the_place_of_the_tour(tmp_path):
    done = demo("--out", str(tmp_path), "--message", "hello", "--json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["pictures"]) == 2


def test_a_gateway_that_is_not_there_is_told_and_ends_with_3(tmp_path):
    token = tmp_path / "token"
    token.write_text("x", encoding="utf-8")
    script = (
        "import companion.commands.driver as d; d.CONNECT_LIMIT_S = 2\n"
        "from companion.cli import main\n"
        f"raise SystemExit(main(['demo','--gateway','ws://127.0.0.1:9','--token-file',{str(token)!r},"
        f"'--out',{str(tmp_path)!r},'--json']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["ok"] is False
    assert "connection did not happen" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_profile_folder_that_can_not_be_made_is_told_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    profile = str(tmp_path / "file" / "profile")
    done = subprocess.run(
        [sys.executable, "-m", "companion", "--profile", profile, "demo", "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert profile in done.stderr
    assert "Traceback" not in done.stderr


def test_names_of_pictures_are_plain():
    assert _slug("Draw a widget: ../../x!") == "draw-a-widget-x"
    assert _slug("…") == "message"
