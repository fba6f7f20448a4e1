"""Background writes: when they are due, what becomes of a stall, of a failure, and of the next controller."""

from __future__ import annotations

import asyncio
import sys
import time

import pytest

from bench import background
from bench.background import ClientWriter, WireWriter, wire_writer, write_steadily
from bench.peers.loadtool import writing
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.client.values import ConfigOutcome, ConfigsAltered
from kraftpy.model.errors import ApiError, ErrorCode
from tests.unit.bench.test_wire import Controller

NOT_ME = ApiError(ErrorCode.NOT_CONTROLLER, "not me")


def addresses(*controllers):
    return [("127.0.0.1", one.listener.port) for one in controllers]


async def test_writes_are_due_evenly_and_a_stall_counts_against_each():
    """Writes that were due while nothing was acknowledged have latencies that fall by the interval."""
    begin = asyncio.get_running_loop().time()

    async def write():
        await asyncio.sleep(max(0.0, begin + 0.2 - asyncio.get_running_loop().time()))

    made = await write_steadily(write, 0.3, rate=100.0)
    assert len(made.due) == len(made.latencies_ms) == 30
    assert [round((due - made.due[0]) * 100, 3) for due in made.due] == list(range(30))
    assert abs(made.due[0] - time.time()) < 60
    assert made.latencies_ms[0] >= 199
    assert made.latencies_ms[20] < made.latencies_ms[0]
    assert made.first_error == ""


async def test_a_client_that_stops_counts_from_when_writes_were_due():
    """When the event loop itself is held up, writes start late, and that is in their latency."""
    serial = 0

    async def write():
        nonlocal serial
        serial += 1
        if serial == 5:
            time.sleep(0.1)  # noqa: ASYNC251 - standing still is the point

    made = await write_steadily(write, 0.2, rate=100.0)
    assert len([one for one in made.latencies_ms if one >= 20]) >= 6


async def test_a_write_that_is_never_acknowledged_has_failed():
    """It has no latency and ends after its time; the others are not affected, and the reason is kept."""
    serial = 0

    async def write():
        nonlocal serial
        serial += 1
        if serial == 2:
            await asyncio.Event().wait()

    made = await write_steadily(write, 0.05, rate=100.0, give_up_s=0.1)
    assert [one is None for one in made.latencies_ms] == [False, True, False, False, False]
    assert made.first_error == "not acknowledged 0.1 s after it was due"


async def test_a_refused_write_has_failed():
    """With the controller's reason, the first of them."""

    async def write():
        raise ValueError("no such key")

    made = await write_steadily(write, 0.03, rate=100.0)
    assert made.latencies_ms == [None] * 3
    assert made.first_error == "ValueError: no such key"


async def test_no_more_writes_are_in_flight_than_are_allowed(monkeypatch):
    """The rest wait, and their latency counts from when they were due."""
    monkeypatch.setattr(background, "IN_FLIGHT_MAX", 3)
    now = most = 0

    async def write():
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.02)
        now -= 1

    made = await write_steadily(write, 0.01, rate=2_000.0)
    assert most == 3
    assert max(made.latencies_ms) >= 100


async def test_every_write_sets_a_value_of_its_own():
    """A value that is there already would append nothing; names come in turn."""
    async with Controller() as active, wire_writer(addresses(active)) as writer:
        await asyncio.gather(*(writer.write() for _ in range(100)))
    named = [(resource.name, configs[0].value) for request in active.seen for resource, configs in request.resources]
    assert len(named) == len({value for _, value in named}) == len({name for name, _ in named}) == 100


async def test_one_write_looks_for_the_next_controller_and_the_others_wait(monkeypatch):
    """Of many writes that lose their controller, one at a time asks the others; all of them are acknowledged."""
    monkeypatch.setattr(background, "ROUND_PAUSE_S", 0.001)
    is_elected = False
    async with (
        Controller(lambda _: NOT_ME) as standby,
        Controller() as old,
        Controller(lambda _: None if is_elected else NOT_ME) as new,
    ):
        writer = WireWriter(addresses(standby, old, new), connections=8)
        await writer.connect()
        await writer.write()
        await old.listener.close()
        writes = [asyncio.ensure_future(writer.write()) for _ in range(40)]
        while len(new.seen) < 10:  # noqa: ASYNC110 - a plain list
            await asyncio.sleep(0.001)
        assert new.most == 1
        assert not any(one.done() for one in writes)
        is_elected, asked_before = True, len(standby.seen)
        await asyncio.gather(*writes)
        assert len(standby.seen) <= asked_before + 1, "who waits for the next controller asks it, and no other"
        assert new.most > 1
        writer.close()
    assert len({request.resources[0][1][0].value for request in new.seen}) == 40


async def test_lost_connections_are_made_before_they_are_needed():
    """A controller that was started again is connected to when asked for, and not with the next write."""
    async with Controller() as one:
        writer = WireWriter(addresses(one), connections=3)
        for _ in range(2):
            await writer.connect()
            assert [callers[0]._streams is not None for callers in writer._free] == [True] * 3
            writer.close()
    assert one.seen == []


class Client:
    """The public client, whose answers are scripted: errors to raise, or what became of the resource."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.seen = []

    async def incremental_alter_configs(self, changes, *, retry_unknown):
        assert retry_unknown
        self.seen.append(changes)
        answer = self.answers.pop(0) if self.answers else ErrorCode.NONE
        if isinstance(answer, Exception):
            raise answer
        outcomes = tuple(ConfigOutcome(resource, answer, "of the test") for resource in changes)
        return ConfigsAltered(position=None, outcomes=outcomes)


async def test_the_public_client_repeats_a_write_until_it_is_acknowledged():
    """The same write, for what may have been committed and what surely was not."""
    client = Client(UnavailableError("no node"), UnknownOutcomeError("sent", b"id"))
    made = await ClientWriter(client).write_for(0.001)
    assert made.latencies_ms[0] > 0
    assert len(client.seen) == 3
    assert client.seen[0] == client.seen[1] == client.seen[2]


async def test_the_public_client_reports_a_refusal():
    """A resource with an error was not written."""
    made = await ClientWriter(Client(ErrorCode.INVALID_CONFIG)).write_for(0.001)
    assert made.latencies_ms == [None]
    assert made.first_error == "ValueError: INVALID_CONFIG: of the test"


TOOL = """
import sys
for line in sys.stdin:
    print('{"due": [%s, 2.5], "latencies_ms": [1.5, null], "first_error": "gone"}' % line.strip(), flush=True)
    if line.startswith("9"):
        break
"""


async def test_a_load_tool_writes_for_the_seconds_of_a_line():
    """Each line is answered by one object; null is a write that was never acknowledged."""
    async with writing([sys.executable, "-c", TOOL]) as writer:
        await writer.connect()
        made = await writer.write_for(4.5)
        assert (made.due, made.latencies_ms, made.first_error) == ([4.5, 2.5], [1.5, None], "gone")
        await writer.write_for(9.0)
        with pytest.raises((RuntimeError, ConnectionError)):
            await writer.write_for(1.0)
