from __future__ import annotations

from companion.gateway.hub import Hub


class Listener:
    def __init__(self, *caps):
        self.caps = frozenset(caps)
        self.heard = []

    def push(self, name, payload):
        self.heard.append(name)


def test_everybody_hears_what_requires_nothing():
    hub, one, other = Hub(), Listener(), Listener("tool-events")
    hub.subscribe(one)
    hub.subscribe(other)
    hub.publish("chat", {})
    assert (one.heard, other.heard) == (["chat"], ["chat"])


def test_only_who_declared_a_capability_hears_what_requires_it():
    hub, one, other = Hub(), Listener(), Listener("tool-events")
    hub.subscribe(one)
    hub.subscribe(other)
    hub.publish("agent", {}, requires="tool-events")
    assert (one.heard, other.heard) == ([], ["agent"])


def test_who_left_hears_nothing_more_and_may_leave_twice():
    hub, one = Hub(), Listener()
    leave = hub.subscribe(one)
    leave()
    leave()
    hub.publish("chat", {})
    assert one.heard == []
    assert len(hub) == 0


def test_a_listener_may_leave_while_it_is_told():
    hub, other = Hub(), Listener()

    class Leaver(Listener):
        def push(self, name, payload):
            super().push(name, payload)
            self.leave()

    leaver = Leaver()
    leaver.leave = hub.subscribe(leaver)
    hub.subscribe(other)
    hub.publish("chat", {})
    assert (leaver.heard, other.heard) == (["chat"], ["chat"])
