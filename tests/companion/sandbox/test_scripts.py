from __future__ import annotations

from PySide6.QtWebEngineCore import QWebEngineScript

from companion.sandbox.scripts import channel_library, outer_script, strip_script

GONE = [
    "RTCPeerConnection",
    "webkitRTCPeerConnection",
    "RTCIceTransport",
    "RTCDtlsTransport",
    "RTCCertificate",
    "WebTransport",
]


def test_the_relay_runs_apart_from_every_page_and_in_no_frame():
    script = outer_script()
    assert script.worldId() == QWebEngineScript.ScriptWorldId.ApplicationWorld
    assert not script.runsOnSubFrames()
    assert script.injectionPoint() == QWebEngineScript.InjectionPoint.DocumentCreation


def test_the_stripping_runs_in_the_page_s_own_world_and_in_every_frame():
    script = strip_script()
    assert script.worldId() == QWebEngineScript.ScriptWorldId.MainWorld
    assert script.runsOnSubFrames()
    assert script.injectionPoint() == QWebEngineScript.InjectionPoint.DocumentCreation


def test_the_channel_s_own_script_is_found():
    assert "QWebChannel" in channel_library()


def test_what_no_policy_stops_is_gone_and_can_not_be_put_back(stage):
    view = stage.open(f"""<script>
        const names = {GONE!r}, put = {{value: 1}};
        const there = names.filter(name => globalThis[name] !== undefined);
        const restored = names.filter(name => {{
            try {{ Object.defineProperty(globalThis, name, put); return true }} catch {{ return false }} }});
        console.log('left: ' + there + restored + '.');
        console.log('copy: ' + document.execCommand('copy'));
    </script>""")
    stage.wait_for_line(view, "copy: ")
    assert {"left: .", "copy: false"} <= set(stage.console(view))


def test_a_page_sees_neither_the_channel_nor_the_relay(stage):
    view = stage.open("<script>console.log([typeof qt, typeof QWebChannel, origin].join())</script>")
    assert "undefined,undefined,null" in stage.console(view)
