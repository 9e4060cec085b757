from __future__ import annotations

import os
import signal
import subprocess
import sys

from PySide6.QtWebEngineCore import QWebEnginePage

from companion.sandbox.live_page import end_process

LOOPS = "<script>onload = () => setTimeout(() => { for (;;); }, 300)</script>"
COUNTS = "<script>let n = 0; setInterval(() => console.log('alive ' + n++), 50)</script>"


def is_running(process_id):
    """Whether the process still runs; one that ended and waits to be collected does not."""
    try:
        with open(f"/proc/{process_id}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):  # the second while it is being read
        return False


def test_a_page_in_an_endless_loop_is_ended_with_a_sentence_and_its_neighbour_lives_on(stage):
    neighbour = stage.open(COUNTS)
    view = stage.open(LOOPS)
    process_id = view.live_page.process_id
    assert process_id != neighbour.live_page.process_id
    before = len(stage.console(neighbour))
    with stage.qtbot.waitSignal(view.failed, timeout=20_000) as failure:
        pass
    assert "stopped answering" in failure.args[0]
    stage.qtbot.waitUntil(lambda: not is_running(process_id), timeout=10_000)
    stage.qtbot.waitUntil(lambda: len(stage.console(neighbour)) > before + 20, timeout=10_000)
    assert neighbour.is_live


def test_a_page_that_was_ended_can_be_loaded_again(stage):
    view = stage.open(LOOPS)
    with stage.qtbot.waitSignal(view.failed, timeout=20_000):
        pass
    with stage.qtbot.waitSignal(view.painted, timeout=20_000):
        view.reload()
    assert view.is_live


def test_the_death_of_a_page_s_process_is_told(stage):
    view = stage.open("x")
    with stage.qtbot.waitSignal(view.failed, timeout=20_000) as failure:
        os.kill(view.live_page.process_id, signal.SIGKILL)
    assert "process that drew this page ended" in failure.args[0]
    assert not view.is_live


def test_closing_a_page_ends_its_process_even_if_it_loops(stage):
    view = stage.open(
        "<script>onload = () => setTimeout(() => { console.log('loops'); for (;;); }, 300)</script>"
    )
    stage.wait_for_line(view, "loops")
    process_id = view.live_page.process_id
    view.close_page()
    stage.qtbot.waitUntil(lambda: not is_running(process_id), timeout=15_000)


def test_the_outer_script_lets_no_flood_through(stage):
    flooding = stage.open(
        "<script>onload = () => { for (let i = 0; i < 600; i++) parent.postMessage({a: i}, '*');"
        " parent.postMessage({jsonrpc: '2.0', id: 1, method: 'ping'}, '*'); console.log('sent') }</script>",
        wait=False,
    )
    passed = []
    flooding.live_page.carrier.received.connect(passed.append)
    stage.wait_for_line(flooding, "sent")
    stage.qtbot.waitUntil(lambda: any('"painted"' in text for text in passed), timeout=20_000)
    from_page = [text for text in passed if text.startswith('{"from":"page"')]
    assert 40 <= len(from_page) < 400


def test_a_page_that_floods_us_with_messages_is_ended_with_a_sentence(stage):
    view = stage.open("x")
    process_id = view.live_page.process_id
    with stage.qtbot.waitSignal(view.failed, timeout=10_000) as failure:
        view.live_page.carrier.receive('{"from":"outer","note":"floods","dropped":2000}')
    assert "more messages than anything could read" in failure.args[0]
    stage.qtbot.waitUntil(lambda: not is_running(process_id), timeout=10_000)


def test_dialogs_are_swallowed_and_noted(stage):
    view = stage.open(
        "<script>alert(1); console.log(confirm('?') + ' ' + prompt('?')); print(); close()</script>"
    )
    stage.wait_for_line(view, "false null")
    # A frame of an opaque origin is not even asked about; what reaches the page's handlers is noted.
    assert set(view.live_page.page.asked) <= {"alert", "confirm", "prompt", "print", "close"}


def test_ending_a_process_ends_it_and_a_second_time_is_no_fault():
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    end_process(sleeper.pid)
    assert sleeper.wait(timeout=5) != 0
    end_process(sleeper.pid)


def test_we_never_end_ourselves():
    end_process(os.getpid())
    end_process(0)


def test_a_page_out_of_sight_stands_still_and_goes_on_where_it_was_without_a_load(stage):
    view = stage.open(COUNTS + "<script>console.log('loaded')</script>")
    living = view.live_page
    stage.wait_for_line(view, "alive 3")
    view.hide()
    frozen = QWebEnginePage.LifecycleState.Frozen
    stage.qtbot.waitUntil(lambda: living.page.lifecycleState() == frozen, timeout=15_000)
    view.show()
    assert living.page.lifecycleState() == QWebEnginePage.LifecycleState.Active
    last = sum("alive" in line for line in living.page.console)
    stage.wait_for_line(view, f"alive {last + 3}")
    assert view.live_page is living
    assert sum("loaded" in line for line in living.page.console) == 1
