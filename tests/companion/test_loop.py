from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog

from companion.loop import Tasks, ask, version_problem
from tests.support.qt_loop import drive, until


@pytest.mark.parametrize(
    ("python", "pyside", "is_safe"),
    [
        ((3, 11, 7), (6, 12, 0), False),
        ((3, 10, 1), (6, 13, 0), False),
        ((3, 11, 7), (6, 11, 3), True),
        ((3, 12, 1), (6, 12, 0), True),
        ((3, 13, 0), (6, 12, 0), True),
    ],
)
def test_the_pair_that_corrupts_memory_is_refused_with_a_way_out(python, pyside, is_safe):
    problem = version_problem(python, pyside)
    assert (problem is None) is is_safe
    if problem:
        assert "install" in problem


def test_closing_an_owner_cancels_its_tasks_and_waits_for_their_clean_up(qapp):
    async def story():
        cleaned = []

        async def work():
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                cleaned.append(1)

        tasks = Tasks()
        tasks.start(work(), name="work")
        await asyncio.sleep(0)
        await tasks.close()
        assert cleaned == [1]
        assert tasks.start(work(), name="too late") is None

    drive(qapp, story())


def test_a_task_that_fails_is_reported_at_once(qapp, caplog):
    async def story():
        errors = []

        async def work():
            raise ValueError("broken")

        tasks = Tasks(errors.append)
        tasks.start(work(), name="doomed")
        await until(lambda: errors)
        assert str(errors[0]) == "broken"
        await tasks.close()

    drive(qapp, story())
    assert "doomed" in caplog.text


def test_a_dialog_is_awaited_while_everything_else_goes_on(qapp):
    async def story():
        dialog = QDialog()
        QTimer.singleShot(0, lambda: dialog.done(7))
        assert await ask(dialog) == 7

    drive(qapp, story())


def test_a_program_with_a_web_page_ends_with_the_code_of_its_main(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import asyncio
            from companion.app import make_application
            from companion.loop import run
            from companion.sandbox.sandbox import Sandbox

            application = make_application()

            async def main():
                sandbox = Sandbox()
                asyncio.get_running_loop().create_task(asyncio.Event().wait())
                await asyncio.to_thread(sum, range(10))
                sandbox.close()
                return 5

            raise SystemExit(run(application, main))
            """
        ),
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 5, done.stderr
