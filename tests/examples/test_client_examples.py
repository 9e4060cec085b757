from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from gateway_client.protocol.handles import mint
from tests.support.asynchronous import asynchronous
from tests.support.fake_gateway import SILENCE, FakeGateway, answering

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "resources" / "examples"
CANVAS = {
    "type": "canvas",
    "preview": {"kind": "canvas", "render": "url", "url": mint("cv_1"), "viewId": "cv_1", "title": "Cat"},
}


async def run(name, *arguments, words=""):
    """Run an example; returns its exit code, what it printed and what it complained."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(EXAMPLES / name),
        *map(str, arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    out, err = await process.communicate(words.encode())
    return process.returncode, out.decode().replace("\r\n", "\n"), err.decode()


async def echo(peer, params):
    key = params["idempotencyKey"]
    peer.link.respond(peer.requests[-1].id, {"runId": key, "status": "started"})
    base = {"runId": key, "sessionKey": "agent:main:main"}
    for seq, piece in enumerate(["You said ", params["message"]], 1):
        peer.link.push("chat", {**base, "seq": seq, "state": "delta", "deltaText": piece})
    peer.link.push("chat", {**base, "seq": 3, "state": "final"})
    return SILENCE


@asynchronous
async def test_the_chat_example_prints_each_answer_as_it_comes(tmp_path):
    (tmp_path / "token").write_text("secret\n")
    async with FakeGateway(on={"chat.send": echo}).listening() as url:
        code, out, err = await run("chat.py", url, tmp_path / "token", words="hello\nyou\n\nnever\n")
    assert (code, err) == (0, "")
    assert out == "You said hello\n[final]\nYou said you\n[final]\n"


@asynchronous
async def test_the_chat_example_says_what_helps_when_it_is_refused(tmp_path):
    (tmp_path / "token").write_text("wrong")
    async with FakeGateway().listening() as url:
        code, _, err = await run("chat.py", url, tmp_path / "token")
    assert code == 1
    assert "enter it again" in err


@asynchronous
async def test_the_widget_example_saves_the_newest_page(tmp_path):
    (tmp_path / "token").write_text("secret")
    rows = [{"role": "assistant", "content": [{"type": "text", "text": "Here"}, CANVAS]}]
    gateway = FakeGateway(
        on={
            "chat.history": answering({"sessionKey": "main", "messages": rows}),
            "canvas.document.view": answering({"html": "<p>Cat</p>"}),
        }
    )
    async with gateway.listening() as url:
        code, out, err = await run("save_widget.py", url, tmp_path / "token", tmp_path / "cat.html")
    assert (code, out, err) == (0, "Cat: 10 bytes\n", "")
    assert (tmp_path / "cat.html").read_text() == "<p>Cat</p>"
