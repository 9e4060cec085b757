"""A program of its own: opens one page under several sets of layers and prints as JSON what got through.

The engine's flags hold for a whole process, so what they stop can only be seen
in one that never set them.
"""

from __future__ import annotations

import json
import os
import sys
import time

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QWidget

from companion.sandbox.layers import ALL_LAYERS
from companion.sandbox.sandbox import Sandbox
from companion.sandbox.setup import prepare
from companion.sandbox.view import Appearance, PageDocument
from tests.support.listeners import Listeners

PAGE = """<!doctype html><body>attempts<script>
const link = document.createElement('link');
link.rel = 'preconnect'; link.href = 'http://127.0.0.1:%(tcp)d/';
document.head.append(link);
new Image().src = 'http://127.0.0.1:%(http)d/eg-image';
fetch('http://127.0.0.1:%(http)d/eg-fetch').catch(() => {});
try {
  const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%(udp)d'}]});
  peer.createDataChannel('x');
  peer.createOffer().then(offer => peer.setLocalDescription(offer));
} catch {}
</script>"""


def spin(is_done, limit_s):
    until = time.monotonic() + limit_s
    while time.monotonic() < until and not is_done():
        QCoreApplication.processEvents()
        time.sleep(0.005)


def seen(listeners):
    found = {arrival.kind for arrival in listeners.arrivals if arrival.kind in ("tcp", "udp")}
    for token in ("eg-image", "eg-fetch"):
        if any(token.encode() in arrival.data for arrival in listeners.arrivals):
            found.add(token)
    return found


def what_gets_through(layers, expected, window):
    """Open the page under *layers*; wait until *expected* arrived, or until a later page is painted."""
    with Listeners() as listeners:
        sandbox = Sandbox(layers=layers)
        html = PAGE % {"tcp": listeners.tcp_port, "http": listeners.http_port, "udp": listeners.udp_port}
        for number, text in enumerate((html, "<!doctype html><body>later")):
            painted = []
            view = sandbox.open_page(
                PageDocument(str(number), text.encode(), "Page"), Appearance(False, "#ffffff"), window
            )
            view.painted.connect(painted.append)
            view.show()
            spin(lambda painted=painted: bool(painted), 20)
        spin(lambda: seen(listeners) >= expected, 10)
        sandbox.close()
        return sorted(seen(listeners))


def main(cases):
    prepare(os.environ, layers=ALL_LAYERS - {"flags"})
    app = QApplication(sys.argv[:1])
    window = QWidget()
    window.show()
    results = [what_gets_through(frozenset(layers), set(expected), window) for layers, expected in cases]
    window.close()
    sys.stdout.write(json.dumps(results) + "\n")
    del app


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
