from __future__ import annotations

import logging
import threading

from companion.views.transcript_work import Work


def test_a_job_runs_elsewhere_and_its_result_is_taken_here(qtbot):
    work, taken = Work(), []
    here = threading.get_ident()
    with qtbot.waitSignal(work.finished):
        work.submit(threading.get_ident, lambda there: taken.append((there, threading.get_ident())))
    assert taken[0][0] != here
    assert taken[0][1] == here
    assert work.is_idle
    work.close()


def test_a_job_that_fails_is_logged_and_the_next_one_runs(qtbot, caplog):
    work, taken = Work(), []
    with caplog.at_level(logging.ERROR), qtbot.waitSignal(work.finished):
        work.submit(lambda: 1 // 0, taken.append)
        work.submit(lambda: 2, taken.append)
    assert taken == [2]
    assert "ZeroDivisionError" in caplog.text
    work.close()


def test_a_closed_worker_hands_nothing_over(qtbot):
    work, taken, gate, ended = Work(), [], threading.Event(), threading.Event()

    def job():
        gate.wait(5)
        ended.set()

    work.submit(job, taken.append)
    work.close()
    work.submit(lambda: 1, taken.append)
    gate.set()
    assert ended.wait(5)
    qtbot.wait(1)
    assert taken == []
