from __future__ import annotations

import asyncio
import json
import re

import pytest

from companion.domain.a2ui.commands import prepare
from companion.domain.a2ui.policy import CanvasPolicy
from companion.domain.a2ui.refusal import A2uiError
from companion.gateway.broker import MAX_EVENTS, MAX_PENDING, Broker, Target, to_log
from gateway_client.protocol.canvas import capability_for, reply_for
from tests.support.a2ui import cases, differences, limit, policy
from tests.support.asynchronous import asynchronous

READY = {"type": "canvas_ready", "capabilities": ["canvas.present", "canvas.hide", "a2ui.v0_9"]}
LIMIT_S = 5


class Script:
    """Plays the steps of one case against a broker."""

    def __init__(self, case):
        session = {"senderId": "client", "channelId": "websocket", **case.get("session", {})}
        self.entries, self.sent, self.seen = [], [], 0
        self.tasks, self.started = [], []
        self.broker = Broker(policy(case.get("config")), on_step=self.entries.append)
        self.target = Target("s1", session["senderId"], session["channelId"])
        if session.get("connected", True):
            self.connect(session["senderId"], session.get("envelopeMode", True))
            self.connect("other-client", True)

    def connect(self, sender, speaks):
        self.broker.connect(sender, self.sent.append, speaks_envelopes=speaks)

    async def play(self, step):
        (kind, name), *_ = step.items()
        await getattr(self, f"{kind}_{name}")(step)

    async def do_client(self, step):
        self.broker.receive(self.target.sender_id, step["envelope"])

    async def do_command(self, step):
        envelope = dict(step["envelope"])
        assert reply_for(envelope["type"]) == step["expectReply"]
        assert capability_for(envelope) == step["capability"]
        self.started.append(len(self.entries))
        self.tasks.append(asyncio.create_task(self.broker.command(self.target, envelope)))
        # A command that is not refused is sent before it first waits.
        await asyncio.sleep(0)

    async def do_reply(self, step):
        newest = self.sent[-1]
        reply = {"requestId": newest["requestId"], "sessionId": newest["sessionId"], **step["envelope"]}
        if step.get("omitSession"):
            del reply["sessionId"]
        self.broker.receive(step.get("from", self.target.sender_id), reply)
        for _ in range(3):
            await asyncio.sleep(0)

    async def do_wait(self, _step):
        await asyncio.wait(self.tasks[-1:], timeout=LIMIT_S)

    async def do_disconnect(self, _step):
        self.broker.disconnect(self.target.sender_id)

    async def do_switch_session(self, step):
        self.target = Target(step["sessionId"], self.target.sender_id)

    async def expect_sent(self, step):
        assert len(self.sent) == self.seen + 1
        self.seen += 1
        assert differences(step.get("match", {}), self.sent[-1]) in (
            [],
            [f": {self.sent[-1]!r} instead of {{}}"],
        )
        assert re.search(step.get("requestIdPattern", ""), self.sent[-1]["requestId"])

    async def expect_nothing_sent(self, _step):
        assert len(self.sent) == self.seen

    async def expect_still_pending(self, _step):
        assert not self.tasks[-1].done()

    async def expect_no_change(self, _step):
        assert self.tasks[-1].result()

    async def expect_result(self, step):
        async with asyncio.timeout(LIMIT_S):
            (outcome,) = await asyncio.gather(self.tasks[-1], return_exceptions=True)
        assert isinstance(outcome, A2uiError) is not step["success"], outcome
        if isinstance(outcome, A2uiError):
            assert outcome.category == step["reason"]
            assert step.get("errorContains", "") in str(outcome)
        else:
            expected = (step.get("snapshotJson"), step.get("valueJson"))
            assert (outcome.snapshot_json, outcome.value_json) == expected

    async def expect_events(self, step):
        assert [one.action for one in self.entries[self.started[-1] :]] == step["actions"]

    async def expect_lock(self, step):
        assert self.broker.lock(self.target, step["surfaceId"]) == step["catalogId"]

    async def expect_profile(self, step):
        profile = self.broker.profile(self.target.sender_id)
        assert list(profile.capabilities) == step.get("capabilities", list(profile.capabilities))
        assert list(profile.catalogs) == step.get("catalogs", list(profile.catalogs))

    async def expect_effectiveTimeout(self, step):
        assert self.broker.policy.timeout_s == step["seconds"]

    async def expect_sent_order(self, step):
        assert [one["type"] for one in self.sent] == step["types"]

    async def end(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.mark.parametrize("case", cases("broker"), ids=lambda case: case["id"])
def test_commands_end_as_the_case_says(case):
    async def story():
        script = Script(case)
        try:
            for step in case["steps"]:
                await script.play(step)
        finally:
            await script.end()

    asynchronous(story)()


def test_answers_find_their_own_command():
    case = limit("limit-parallel-commands")

    async def story():
        sent = []
        broker = Broker(CanvasPolicy())
        broker.connect("c", sent.append)
        broker.receive("c", READY)
        target, count = Target("s", "c"), case["generate"]["count"]
        command = {"type": "a2ui_sync_ui_to_data"}
        tasks = [
            asyncio.create_task(broker.command(target, {**command, "surfaceId": f"{n}"}))
            for n in range(count)
        ]
        await asyncio.sleep(0)
        for one in reversed(sent):
            value = json.dumps(one["surfaceId"])
            reply = {"type": "a2ui_sync_result", "requestId": one["requestId"], "valueJson": value}
            broker.receive("c", reply)
        results = await asyncio.gather(*tasks)
        assert [json.loads(one.value_json) for one in results] == [str(n) for n in range(count)]

    asynchronous(story)()


def test_only_so_many_commands_wait_for_one_client():
    case = limit("limit-pending-limit")

    async def story():
        broker = Broker(CanvasPolicy())
        broker.connect("c", lambda _envelope: None)
        broker.receive("c", READY)
        target = Target("s", "c")
        count = case["generate"]["count"]
        tasks = [
            asyncio.create_task(broker.command(target, {"type": "canvas_present"})) for _ in range(count)
        ]
        await asyncio.sleep(0)
        broker.disconnect("c")
        results = await asyncio.gather(*tasks, return_exceptions=True)
        categories = [one.category for one in results]
        assert categories.count(case["expect"]["reason"]) == case["expect"]["rejected"]
        assert categories.count("disconnected") == MAX_PENDING

    asynchronous(story)()


def test_a_stopped_command_leaves_nothing_behind_and_its_late_answer_is_ignored():
    async def story():
        entries, sent = [], []
        broker = Broker(CanvasPolicy(), on_step=entries.append)
        broker.connect("c", sent.append)
        broker.receive("c", READY)
        task = asyncio.create_task(broker.command(Target("s", "c"), {"type": "canvas_present"}))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        broker.receive("c", {"type": "canvas_ack", "requestId": sent[0]["requestId"], "success": True})
        assert [one.action for one in entries] == ["sent", "cancelled"]

    asynchronous(story)()


def test_an_error_that_answers_nothing_is_noted():
    entries = []
    broker = Broker(CanvasPolicy(), on_step=entries.append)
    broker.connect("c", lambda _envelope: None)
    broker.receive("c", {"type": "a2ui_error", "error": "secret", "diagnosticCode": "odd"})
    assert [(one.action, one.reason) for one in entries] == [("client_error", "odd")]


def test_acts_of_a_person_are_counted_by_the_minute():
    now = [0.0]
    broker = Broker(CanvasPolicy(), clock=lambda: now[0])
    broker.connect("c", lambda _envelope: None)
    taken = [broker.may_send_event("c") for _ in range(limit("limit-event-flood")["generate"]["count"])]
    assert taken.count(True) == MAX_EVENTS == limit("limit-event-flood")["expect"]["turnsAtMost"]
    now[0] = 61.0
    assert broker.may_send_event("c")
    assert not broker.may_send_event("nobody")


def test_the_log_tells_the_steps_and_never_what_a_command_carries(caplog):
    caplog.set_level("INFO")

    async def story():
        broker = Broker(CanvasPolicy(), on_step=to_log)
        command = {"type": "a2ui_push", "frames": "secret"}
        with pytest.raises(A2uiError):
            await broker.command(Target("s", "c"), command)

    asynchronous(story)()
    assert "rejected" in caplog.text
    assert "not_connected" in caplog.text
    assert "secret" not in caplog.text


def test_a_push_that_grows_in_its_envelope_is_refused_before_it_is_sent():
    case = limit("limit-push-quotes-inflate-envelope")
    start, end = '{"type":"text","id":"a","text":"', '"}'
    quotes = (case["generate"]["totalBytes"] - len(start) - len(end)) // 2
    frames = start + '\\"' * quotes + end

    async def story():
        sent = []
        broker = Broker(CanvasPolicy())
        broker.connect("c", sent.append, capabilities=["a2ui.v0_8"])
        target = Target("s", "c")
        command = prepare("a2ui_push", {"frames": frames}, broker.setting(target))
        with pytest.raises(A2uiError) as refused:
            await broker.command(target, command)
        assert (refused.value.category, sent) == (case["expect"]["reason"], [])

    asynchronous(story)()
