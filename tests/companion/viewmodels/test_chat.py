from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

from companion.domain.transcript import Notice
from companion.viewmodels.chat import ChatModel
from gateway_client.client import GatewayClient
from gateway_client.options import ConnectOptions
from gateway_client.protocol.blocks import TextBlock
from gateway_client.status import LinkState, LinkStatus
from tests.support.fake_gateway import Failure, FakeGateway
from tests.support.qt_loop import until


class Desk:
    """A chat at a gateway that does what the test says."""

    def __init__(self, gateway, client, chat):
        self.gateway, self.client, self.chat = gateway, client, chat

    def texts(self):
        return [
            "".join(part.text for part in message.parts if isinstance(part, TextBlock | Notice))
            for message in self.chat.messages
        ]

    async def say(self, state, text="", *, run_id=None, seq=1, session="agent:main:main", **more):
        run_id = run_id or self.gateway.requests("chat.send")[-1]["idempotencyKey"]
        message = {"role": "assistant", "content": [{"type": "text", "text": text}]} if text else None
        payload = {"runId": run_id, "sessionKey": session, "seq": seq, "state": state, **more}
        await self.gateway.peer.push("chat", payload | ({"message": message} if message else {}))


@asynccontextmanager
async def desk(session="main", **handlers):
    async def sent(_peer, params):
        return {"runId": params["idempotencyKey"], "status": "started"}

    async def history(_peer, params):
        return {"sessionKey": params["sessionKey"], "messages": []}

    gateway = FakeGateway(on={"chat.send": sent, "chat.history": history, **handlers})
    async with gateway.running():
        client = GatewayClient(ConnectOptions("ws://127.0.0.1:1", token="secret"), opener=gateway.open)
        chat = ChatModel(client, session)
        client.subscribe(chat.take_event)
        client.watch_status(lambda status: _follow(chat, status))
        await client.start()
        try:
            await client.wait_ready(5)
            yield Desk(gateway, client, chat)
        finally:
            await chat.close()
            await client.close()


def _follow(chat: ChatModel, status: LinkStatus) -> None:
    if status.state is LinkState.READY:
        chat.link_is_back()


def test_a_message_is_shown_at_once_and_accepted_when_the_gateway_has_it(run):
    async def story():
        async with desk() as it:
            it.chat.send("hello")
            assert it.texts() == ["hello"]
            assert it.chat.messages[0].state == "sending"
            await until(lambda: it.chat.messages[0].state == "accepted")
            assert [p["message"] for p in it.gateway.requests("chat.send")] == ["hello"]

    run(story())


def test_blank_text_is_never_sent(run):
    async def story():
        async with desk() as it:
            it.chat.send("  \n ")
            await until(lambda: it.gateway.requests("chat.history"))
            assert it.texts() == []
            assert it.gateway.requests("chat.send") == []

    run(story())


def test_an_answer_streams_in_and_the_chat_is_busy_until_its_end(run):
    async def story():
        async with desk() as it:
            busy = []
            it.chat.busy_changed.connect(busy.append)
            it.chat.send("hello")
            await until(lambda: it.chat.messages[0].state == "accepted")
            await it.say("delta", "He", seq=1)
            await until(lambda: busy == [True])
            await it.say("final", "Hello!", seq=2)
            await until(lambda: busy == [True, False])
            assert it.texts() == ["hello", "Hello!"]

    run(story())


def test_many_words_are_shown_in_few_steps(run):
    async def story():
        async with desk() as it:
            it.chat.send("flood")
            await until(lambda: it.chat.messages[0].state == "accepted")
            shown = []
            it.chat.messages_changed.connect(lambda: shown.append(1))
            for seq in range(300):
                await it.say("delta", "word " * (seq + 1), seq=seq)
            await it.say("final", "done", seq=301)
            await until(lambda: it.texts()[-1] == "done")
            assert len(shown) < 150

    run(story())


def test_a_message_typed_while_the_link_is_down_goes_out_once_it_is_back(run):
    async def story():
        async with desk() as it:
            it.gateway.down = True
            await it.gateway.peer.drop()
            await until(lambda: it.client.status.state is not LinkState.READY)
            it.chat.send("typed offline")
            await until(lambda: it.chat.messages[-1].state == "queued")
            it.chat.send("and one more")
            it.gateway.down = False
            it.client.retry_now()
            await until(lambda: len(it.gateway.requests("chat.send")) == 2)
            assert [p["message"] for p in it.gateway.requests("chat.send")] == [
                "typed offline",
                "and one more",
            ]
            await until(lambda: [m.state for m in it.chat.messages] == ["accepted", "accepted"])

    run(story())


def test_a_message_whose_acknowledgement_was_lost_is_sent_again_with_the_same_key(run):
    async def story():
        async def lose_the_first(peer, params):
            if len(it.gateway.requests("chat.send")) == 1:
                await peer.drop()
                await asyncio.sleep(0)
            return {"runId": params["idempotencyKey"], "status": "in_flight"}

        async with desk(**{"chat.send": lose_the_first}) as it:
            it.chat.send("once")
            await until(lambda: it.chat.messages and it.chat.messages[0].state == "queued")
            it.client.retry_now()
            await until(lambda: it.chat.messages[0].state == "accepted")
            keys = {params["idempotencyKey"] for params in it.gateway.requests("chat.send")}
            assert len(it.gateway.requests("chat.send")) == 2
            assert len(keys) == 1
            assert it.texts() == ["once"]

    run(story())


def test_a_refused_message_says_why_and_can_be_tried_again(run):
    async def story():
        refuse = [True]

        async def send(_peer, params):
            if refuse:
                raise Failure("INVALID_REQUEST", "the message is too long")
            return {"runId": params["idempotencyKey"], "status": "started"}

        async with desk(**{"chat.send": send}) as it:
            it.chat.send("long")
            await until(lambda: it.chat.messages[0].state == "failed")
            assert it.texts() == ["longNot sent: the message is too long"]
            refuse.clear()
            it.chat.retry(it.chat.messages[0].key)
            await until(lambda: it.chat.messages[0].state == "accepted")
            assert it.texts() == ["long"]
            assert [p["message"] for p in it.gateway.requests("chat.send")] == ["long", "long"]

    run(story())


def test_stopping_asks_the_gateway_and_keeps_the_words_so_far(run):
    async def story():
        async def abort(_peer, params):
            return {"ok": True, "aborted": True, "runIds": [params["runId"]]}

        async with desk(**{"chat.abort": abort}) as it:
            it.chat.send("slow")
            await until(lambda: it.chat.messages[0].state == "accepted")
            await it.say("delta", "half", seq=1)
            await until(lambda: it.chat.is_busy)
            it.chat.stop()
            assert it.chat.is_stopping
            await until(lambda: it.gateway.requests("chat.abort"))
            await it.say("aborted", "half", seq=2)
            await until(lambda: not it.chat.is_busy)
            assert it.texts()[-1] == "halfStopped."
            assert not it.chat.is_stopping

    run(story())


def test_a_stop_that_fails_is_told_and_may_be_tried_again(run):
    async def story():
        async def abort(_peer, _params):
            raise Failure("UNAVAILABLE", "the run can not be stopped now")

        async with desk(**{"chat.abort": abort}) as it:
            problems = []
            it.chat.problem.connect(problems.append)
            it.chat.send("slow")
            await until(lambda: it.chat.messages[0].state == "accepted")
            await it.say("delta", "half", seq=1)
            await until(lambda: it.chat.is_busy)
            it.chat.stop()
            await until(lambda: problems)
            assert "try again" in problems[0]
            assert not it.chat.is_stopping

    run(story())


def test_events_of_another_conversation_do_not_show_here(run):
    async def story():
        async with desk() as it:
            touched = []
            it.chat.sessions_touched.connect(lambda: touched.append(1))
            await it.say("final", "secret", run_id="r9", session="agent:main:other")
            await until(lambda: touched)
            assert it.texts() == []

    run(story())


def test_opening_another_conversation_shows_its_history_and_nothing_of_the_first(run):
    async def story():
        async def history(_peer, params):
            text = {"main": "in main", "other": "in other"}[params["sessionKey"]]
            row = {"role": "user", "content": text, "idempotencyKey": f"{params['sessionKey']}:user"}
            return {"sessionKey": params["sessionKey"], "messages": [row]}

        async with desk(**{"chat.history": history}) as it:
            await until(lambda: it.texts() == ["in main"])
            it.chat.open_session("other")
            assert it.texts() == []
            await until(lambda: it.texts() == ["in other"])

    run(story())


def test_a_history_that_can_not_be_read_is_told(run):
    async def story():
        async def history(_peer, _params):
            raise Failure("UNAVAILABLE", "the store is busy")

        async with desk(**{"chat.history": history}) as it:
            problems = []
            it.chat.problem.connect(problems.append)
            it.chat.reload()
            await until(lambda: problems)
            assert "the store is busy" in problems[0]

    run(story())
