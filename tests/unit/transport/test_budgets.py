"""What strangers make a listener keep has one limit for all of them; who sits on it is closed, and never a voter."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from kraftpy.model.voters import ReplicaKey, Voter, VoterSet
from kraftpy.records.batch import BATCH_BYTES_MAX
from kraftpy.records.rpc import API_VERSIONS
from kraftpy.transport.kafka import budgets
from kraftpy.transport.kafka.budgets import ANSWER_BYTES_MIN, AnswerBudget
from kraftpy.transport.kafka.listener import LARGE_KEYS, KafkaListener, ListenerLimits, PeerConnection
from kraftpy.transport.limits import HeldBytes
from tests.unit.transport.conftest import ballot, connect, fetch, fetched, read_frame, requests
from tests.unit.transport.kafka_node import FakeNode
from tests.unit.transport.test_listener import offset_of, wire

MIB = 1024 * 1024


class Holder:
    def __init__(self, *, is_voters=False):
        self.is_voters, self.answer_bytes, self.woken, self.reason = is_voters, 0, 0, None

    def answer(self, budget, count):
        self.answer_bytes += count
        budget.added(self, count)

    def work_off(self):
        self.woken += 1

    def evict(self, reason):
        self.reason = reason
        self.answer_bytes = 0


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - timers of the loop are what is waited for
            await asyncio.sleep(0.001)


async def test_what_waits_is_what_was_not_taken():
    """Bytes that left count no more, a voter's never; what is left is what the next answer may have."""
    budget = AnswerBudget(10 * MIB)
    reader, sitter, voter = Holder(), Holder(), Holder(is_voters=True)
    for holder in (reader, sitter, voter):
        holder.answer(budget, 6 * MIB)
    assert budget.is_spent
    assert budget.room == ANSWER_BYTES_MIN
    reader.answer_bytes = 0
    assert not budget.is_spent
    assert (budget.used, budget.room) == (6 * MIB, 4 * MIB)


async def test_who_is_admitted_finds_room_for_any_batch():
    """Up to the byte where others have to wait, and alone in any case: a fetch is not answered empty for ever."""
    budget = AnswerBudget()
    assert budget.room >= BATCH_BYTES_MAX
    holder = Holder()
    holder.answer(budget, budgets.ANSWER_BYTES_MAX - BATCH_BYTES_MAX - 1)
    assert not budget.is_spent
    assert budget.room >= BATCH_BYTES_MAX
    holder.answer(budget, 1)
    assert budget.is_spent


async def test_who_sits_on_it_is_closed_when_others_wait(monkeypatch):
    """With no call waiting none is closed; then the one that read too little for longest, and the others go on."""
    monkeypatch.setattr(budgets, "ANSWER_SITS_MAX_MS", 30)
    monkeypatch.setattr(budgets, "CHECK_S", 0.001)
    budget = AnswerBudget(10 * MIB)
    sitter, reader, waiting = Holder(), Holder(), Holder()
    sitter.answer(budget, 8 * MIB)
    reader.answer(budget, 8 * MIB)
    await asyncio.sleep(0.05)
    assert budget.is_spent
    assert sitter.reason is None
    reader.answer_bytes = 3 * MIB
    budget.wait(waiting)
    await until(lambda: waiting.woken)
    assert "does not read" in sitter.reason
    assert reader.reason is None
    assert (budget.closed, budget.waited) == (1, 1)


async def test_waiting_ends_when_something_is_left(monkeypatch):
    """When answers leave by themselves no call is closed, and the waiting one is called once."""
    monkeypatch.setattr(budgets, "CHECK_S", 0.001)
    budget = AnswerBudget(MIB)
    holder, waiting, gone = Holder(), Holder(), Holder()
    holder.answer(budget, MIB)
    budget.wait(waiting)
    budget.wait(gone)
    budget.forget(gone)
    await asyncio.sleep(0.02)
    assert waiting.woken == 0
    holder.answer_bytes = 0
    await until(lambda: waiting.woken)
    assert (waiting.woken, gone.woken, budget.closed) == (1, 0, 0)


def test_who_holds_most_is_closed():
    """Beyond the limit the one that holds most is ended, not the one that was last, and nothing is kept of it."""
    budget = HeldBytes(10, "requests")
    large, small = Holder(), Holder()
    budget.hold(large, 8)
    budget.hold(small, 2)
    assert (budget.used, budget.closed) == (10, 0)
    budget.hold(small, 3)
    assert large.reason is not None
    assert (small.reason, budget.used, budget.closed) == (None, 3, 1)
    budget.forget(small)
    budget.forget(small)
    assert (budget.used, budget._held) == (0, {})


SMALL = {
    "Vote", "BeginQuorumEpoch", "EndQuorumEpoch", "DescribeQuorum", "UpdateRaftVoter", "AddRaftVoter",
    "RemoveRaftVoter", "ApiVersions", "BrokerRegistration", "BrokerHeartbeat", "ControllerRegistration",
    "UnregisterBroker", "UnregisterController", "UpdateFeatures", "IncrementalAlterConfigs", "AlterConfigs",
    "AlterPartition", "AssignReplicasToDirs", "AlterPartitionReassignments", "CreateTopics", "DeleteTopics",
    "CreatePartitions", "AlterClientQuotas", "AlterUserScramCredentials", "AllocateProducerIds", "CreateAcls",
    "CreateDelegationToken", "RenewDelegationToken", "ExpireDelegationToken", "AssignBrokerId",
}  # fmt: skip
"""Their answers are as large as their requests, or as the quorum."""


def test_each_api_that_is_offered_has_a_large_answer_or_a_small_one():
    """An API that lists a part of the state waits while others' answers take all the bytes."""
    offered = FakeNode().listener.apis.rows.keys()
    assert offered >= LARGE_KEYS
    assert {API_VERSIONS[key].name for key in offered - LARGE_KEYS} == SMALL


@pytest.mark.parametrize("key", sorted(LARGE_KEYS))
async def test_a_large_answer_waits_for_others_answers(inbox, key, monkeypatch):
    """While answers take all the bytes, a connection without any is not asked for a large one."""
    listener = KafkaListener("127.0.0.1", 0, inbox)
    monkeypatch.setattr(listener.turns, "admit", lambda _: pytest.fail("it was handled"))
    Holder().answer(listener.answers, budgets.ANSWER_BYTES_MAX)
    connection = PeerConnection(listener)
    connection._backlog.append(key.to_bytes(2, "big") + bytes(6))
    assert connection._waits_for_others_answers()
    connection._backlog[0] = (18).to_bytes(2, "big") + bytes(6)
    assert not connection._waits_for_others_answers()


# Over real sockets.


async def test_a_stranger_s_fetch_is_filled_with_what_is_left(inbox):
    """An answer may take what others left of the budget; a voter's is not limited by it."""
    voters = VoterSet.of([Voter(ReplicaKey(1))])
    limits = ListenerLimits(waiting_answer_bytes_max=32 * MIB)
    listener = KafkaListener("127.0.0.1", 0, inbox, limits=limits, voters=lambda: voters)
    await listener.start()
    async with AsyncExitStack() as stack:
        (_, unread), (reader, writer), (_, voter) = [
            await stack.enter_async_context(connect(listener.port)) for _ in range(3)
        ]
        unread.write(wire(fetch(1), 1) + wire(fetch(2), 2))
        (first,) = await requests(inbox, 1)
        assert listener.room_for(first.token) == 32 * MIB
        listener.reply(first.token, fetched(1, b"x" * 30 * MIB))
        writer.write(wire(fetch(3), 3))
        (third,) = await requests(inbox, 1)
        room = listener.room_for(third.token)
        assert MIB <= room <= 12 * MIB, "the kernel has taken some"
        voter.write(wire(ballot(4), 4))
        (asked,) = await requests(inbox, 1)
        assert listener.room_for(asked.token) is None
        assert listener.room_for(10**9) is None
        listener.reply(third.token, fetched(3))
        assert offset_of(await read_frame(reader))[1] == 3
    await listener.close()


async def test_halves_of_requests_share_a_budget():
    """Connections with parts of requests hold what the listener allows; nothing is left of them when they have gone."""
    listener = KafkaListener("127.0.0.1", 0, lambda _: None, limits=ListenerLimits(waiting_request_bytes_max=MIB))
    await listener.start()
    half = (600 * 1024).to_bytes(4, "big") + bytes(500 * 1024)
    async with connect(listener.port) as (_, one), connect(listener.port) as (_, other):
        for writer in (one, other):
            writer.write(half)
            await writer.drain()
        await until(lambda: listener.requests.used > 900 * 1024)
        async with connect(listener.port) as (_, third):
            third.write(half)
            await until(lambda: listener.requests.closed)
            assert listener.requests.used <= MIB
    await until(lambda: not listener.connection_count)
    assert (listener.requests.used, listener.requests.closed) == (0, 1)
    await listener.close()
