"""Each layer left out once: something must get through, or the tests of the whole prove nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.sandbox.layers import ALL_LAYERS
from companion.sandbox.sandbox import Sandbox
from companion.sandbox.setup import FLAGS_VARIABLE

from .conftest import Stage

ROOT = Path(__file__).parents[3]
EVERYTHING = ["eg-fetch", "eg-image", "tcp", "udp"]


@pytest.fixture(scope="module")
def without_flags():
    """What got through under sets of layers, in a process that never set the engine's flags."""
    whole = sorted(ALL_LAYERS - {"flags"})
    cases = [
        ([], EVERYTHING),
        (["policy"], ["tcp", "udp"]),
        (["interceptor"], ["tcp", "udp"]),
        (["script"], ["eg-fetch", "eg-image", "tcp"]),
        (whole, ["tcp"]),
    ]
    environ = {name: value for name, value in os.environ.items() if name != FLAGS_VARIABLE}
    done = subprocess.run(
        [sys.executable, "-m", "tests.companion.sandbox.unguarded", json.dumps(cases)],
        cwd=ROOT,
        env={**environ, "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout.splitlines()[-1])
    return {tuple(sorted(layers)): got for (layers, _), got in zip(cases, results, strict=True)}


def test_with_no_layer_everything_arrives(without_flags):
    assert without_flags[()] == EVERYTHING


def test_the_policy_alone_stops_requests_but_neither_a_connection_nor_packets(without_flags):
    assert without_flags[("policy",)] == ["tcp", "udp"]


def test_the_interceptor_alone_stops_requests_but_neither_a_connection_nor_packets(without_flags):
    assert without_flags[("interceptor",)] == ["tcp", "udp"]


def test_the_script_alone_stops_packets_and_nothing_else(without_flags):
    assert without_flags[("script",)] == ["eg-fetch", "eg-image", "tcp"]


def test_without_the_flags_a_connection_gets_through_all_other_layers(without_flags):
    assert without_flags[tuple(sorted(ALL_LAYERS - {"flags"}))] == ["tcp"]


PROBES = {
    "policy": (
        "const made = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));"
        "made.onmessage = () => console.log('THROUGH')"
    ),
    "script": "if (typeof RTCPeerConnection === 'function') console.log('THROUGH')",
}


def open_with(layers, script, qtbot, qapp):
    sandbox = Sandbox(layers=layers)
    stage = Stage(qtbot, sandbox)
    view = stage.open(f"<script>try {{ {script} }} catch {{}} console.log('tried')</script>")
    stage.wait_for_line(view, "tried")
    return sandbox, stage, view


@pytest.mark.parametrize("layer", ["policy", "script"])
def test_without_a_layer_a_page_can_do_what_it_can_not_do_otherwise(layer, qtbot, qapp):
    whole, whole_stage, guarded = open_with(ALL_LAYERS, PROBES[layer], qtbot, qapp)
    less, less_stage, view = open_with(ALL_LAYERS - {layer}, PROBES[layer], qtbot, qapp)
    less_stage.wait_for_line(view, "THROUGH")
    assert "THROUGH" not in whole_stage.console(guarded)
    for sandbox in (whole, less):
        sandbox.close()


def test_without_handlers_and_interceptor_a_move_gets_as_far_as_the_gate_of_the_scheme(qtbot, qapp):
    script = "location = location.href + '?again'"
    rules = {}
    for layers in (ALL_LAYERS, ALL_LAYERS - {"handlers", "interceptor"}):
        sandbox = Sandbox(layers=layers)
        stage = Stage(qtbot, sandbox)
        leaving = f"<script>addEventListener('load', () => setTimeout(() => {{ {script} }}))</script>"
        view = stage.open(leaving, wait=False)
        with qtbot.waitSignal(view.refused, timeout=10_000) as refusal:
            pass
        rules[layers] = refusal.args[1]
        sandbox.close()
    assert list(rules.values()) == ["navigation", "unknown_path"]
