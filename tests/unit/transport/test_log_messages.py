"""Messages of the log that watchers share: made once, renewed when the log has grown, and bounded."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.services.conversions import SENDING_COST, WatchWork
from kraftpy.transport.grpc.services.log_messages import LogMessage, LogMessages
from kraftpy.transport.grpc.services.watch import Limits, _next_message, follow_log
from kraftpy.transport.node_api import OffsetGone
from tests.unit.transport.fake_backend import FakeBackend

PLACE = (10, True)
WATCHERS = 300
PATIENCE = 20


def message(next_offset, *, size=10, is_full=False):
    return LogMessage(bytes(size), next_offset, is_full)


class Maker:
    """Makes one message, once it may."""

    def __init__(self, made):
        self.made = made
        self.calls = 0
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def __call__(self):
        self.calls += 1
        await self.may_end.wait()
        if isinstance(self.made, Exception):
            raise self.made
        return self.made


async def started(count, work):
    """Start tasks that wait for something; return them once none can go on."""
    tasks = [asyncio.create_task(work()) for _ in range(count)]
    for _ in range(5):
        await asyncio.sleep(0)
    return tasks


async def test_those_who_come_while_a_message_is_made_share_it():
    messages, make = LogMessages(), Maker(message(20))
    make.may_end.clear()
    tasks = await started(WATCHERS, lambda: messages.at(PLACE, 20, make))
    make.may_end.set()
    assert {id(found) for found in await asyncio.gather(*tasks)} == {id(make.made)}
    assert make.calls == 1
    assert await messages.at(PLACE, 20, make) is make.made
    assert make.calls == 1


@pytest.mark.parametrize(
    ("kept", "end", "is_shared"),
    [(message(20), 30, True), (message(20), 31, False), (message(11, is_full=True), 10_000, True)],
    ids=["half of what there is", "less than half", "as long as messages become"],
)
async def test_a_short_message_is_replaced_when_the_log_has_grown(kept, end, is_shared):
    messages = LogMessages()
    await messages.at(PLACE, kept.next_offset, Maker(kept))
    longer = message(end)
    assert await messages.at(PLACE, end, Maker(longer)) is (kept if is_shared else longer)
    # The longer one has taken its place.
    assert await messages.at(PLACE, 11, Maker(None)) is (kept if is_shared else longer)


async def test_secrets_and_offsets_are_kept_apart():
    messages = LogMessages()
    made = {place: message(20) for place in ((10, True), (10, False), (11, True))}
    for place, each in made.items():
        assert await messages.at(place, 20, Maker(each)) is each
    assert {place: await messages.at(place, 20, Maker(None)) for place in made} == made


@pytest.mark.parametrize(
    ("made", "calls"),
    [
        (None, 1),
        (OffsetGone(OffsetAndEpoch(epoch=1, offset=50)), 1),
        (message(20, size=11), 1),
        (ValueError("unreadable"), 3),
    ],
    ids=["nothing", "the log was cut", "longer than what is kept", "an error"],
)
async def test_what_is_not_kept_goes_to_those_who_waited(made, calls):
    """They do not try it one after the other, but for an error, which is that of the one whom it met."""
    messages, make = LogMessages(bytes_max=10), Maker(made)
    make.may_end.clear()
    tasks = await started(3, lambda: messages.at(PLACE, 20, make))
    make.may_end.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert found == [made] * 3
    assert make.calls == calls
    assert messages.kept_bytes == 0


async def test_when_the_one_that_makes_it_is_cancelled_another_makes_it():
    messages, make = LogMessages(), Maker(message(20))
    make.may_end.clear()
    tasks = await started(3, lambda: messages.at(PLACE, 20, make))
    tasks[0].cancel()
    make.may_end.set()
    assert await asyncio.gather(*tasks[1:]) == [make.made] * 2
    assert make.calls == 2


async def test_what_is_kept_is_bounded():
    """The one used longest ago goes first; a message that takes another's place does not count twice."""
    messages = LogMessages(bytes_max=30)
    for offset in (1, 2, 3):
        await messages.at((offset, True), 20, Maker(message(20)))
    assert messages.kept_bytes == 30
    await messages.at((1, True), 20, Maker(None))
    await messages.at((3, True), 200, Maker(message(200, size=12)))
    assert messages.kept_bytes == 22
    assert await messages.at((2, True), 20, Maker(None)) is None
    await messages.at((4, True), 20, Maker(message(20, size=31)))
    assert messages.kept_bytes == 0


async def test_watchers_at_the_end_read_the_log_once():
    """However many they are, and each gets every offset once."""
    backend, work = FakeBackend(), WatchWork()
    got: list[list[bytes]] = [[] for _ in range(WATCHERS)]
    emitted: asyncio.Queue[bytes] = asyncio.Queue()

    def emit_to(mine):
        async def emit(data):
            mine.append(data)
            emitted.put_nowait(data)

        return emit

    request, limits = cluster_pb2.WatchRequest(from_offset=0), Limits(1 << 20)
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(follow_log(backend, request, emit_to(mine), limits, work)) for mine in got]
        for _ in range(3):
            backend.append()
            for _ in range(WATCHERS):
                await emitted.get()
        for one in running:
            one.cancel()
    assert backend.reads == 3
    assert all(mine == got[0] for mine in got)
    batches = [cluster_pb2.WatchResponse.FromString(data).batches.batches for data in got[0]]
    assert [(row.base_offset, row.last_offset) for rows in batches for row in rows] == [(0, 0), (1, 1), (2, 2)]


async def test_a_state_that_proves_wrong_meanwhile_is_not_sent():
    """A message that was made before waits for its turn; the fence is looked at after it."""
    backend, work, sent = FakeBackend(), WatchWork(), []
    backend.append()
    request, limits = cluster_pb2.WatchRequest(from_offset=0), Limits(1 << 20)

    async def emit(data):
        sent.append(data)

    take, fenced = work.turns.take, ApiError(ErrorCode.BROKER_NOT_AVAILABLE, "its state is wrong")

    async def take_and_be_fenced(cost):
        await take(cost)
        if cost == SENDING_COST and work.messages.kept_bytes:
            backend.error = fenced

    work.turns.take = take_and_be_fenced
    with pytest.raises(ApiError, match="its state is wrong"):
        async with asyncio.timeout(PATIENCE):
            await follow_log(backend, request, emit, limits, work)
    assert sent == []


async def test_a_message_that_stops_short_of_the_end_is_full():
    """However short it is, those who are far behind share it: the next batch has no room in it."""
    backend, work, limits = FakeBackend(), WatchWork(), Limits(4_000)
    small, large = b"\x01\x00\x00" + bytes(100), b"\x01\x00\x00" + bytes(950)
    for value in (small, large, small, small, small):
        backend.append(value=value)
    made = await _next_message(backend, 0, limits, work, hides=False)
    assert (made.next_offset, made.is_full) == (1, True)
    assert await _next_message(backend, 0, limits, work, hides=False) is made
    assert not (await _next_message(backend, 2, limits, work, hides=False)).is_full
