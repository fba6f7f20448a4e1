"""The patient client over Kafka's protocol: the controller gets the write, and a rejection is reported."""

from __future__ import annotations

import asyncio
import time

import pytest

from bench import writer as module
from bench.wire import VERSION, rows_of
from bench.work import Work
from bench.writer import Caller, RefusedError, Writer, run_load, wire_prober
from bench.writes import alike, name_of
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.generated import rpc
from tests.unit.bench.test_wire import Controller

NOT_ME = ApiError(ErrorCode.NOT_CONTROLLER, "not me")


def addresses(*controllers):
    return [("127.0.0.1", one.listener.port) for one in controllers]


async def test_the_controllers_are_asked_in_turn_until_one_writes():
    """One that is not active, and one that is gone, are passed over; who wrote last is asked first the next time."""
    async with Controller(lambda _: NOT_ME) as standby, Controller() as gone, Controller() as active:
        known = addresses(standby, gone, active)
        await gone.listener.close()
        writer = Writer(known)
        for serial in range(3):
            await writer.write(serial, 1, alike(f"{serial}"))
        writer.close()
    assert (len(standby.seen), len(gone.seen), len(active.seen)) == (1, 0, 3)


async def test_a_refusal_for_good_is_reported():
    """A malformed record ends the load with the controller's reason, and is not repeated."""
    async with Controller(lambda _: {0: (ErrorCode.INVALID_CONFIG, "no such key")}) as active:
        writer = Writer(addresses(active))
        with pytest.raises(RefusedError, match="no such key"):
            await writer.write(0, 1, alike("1"))
        writer.close()
    assert len(active.seen) == 1


async def test_a_write_that_is_never_acknowledged_is_given_up():
    """Without a controller the write ends with an error after its time."""
    async with Controller(lambda _: NOT_ME) as standby:
        writer = Writer(addresses(standby))
        with pytest.raises(TimeoutError, match=r"within 0\.05 s"):
            await writer.write(0, 1, alike("1"), timeout_s=0.05)
        writer.close()


async def test_a_load_is_complete_and_no_longer():
    """The load writes the given number of records under as many names; the last request is the shorter one."""
    async with Controller() as active:
        outcome = await run_load(addresses(active), Work(total=50, batch=8, in_flight=4), lambda: None)
    names = [resource.name for request in active.seen for resource, _ in request.resources]
    assert (outcome.records, outcome.errors, len(names), len(set(names))) == (50, 0, 50, 50)


async def test_a_probe_ends_when_there_is_a_controller_again(monkeypatch):
    """The time of the first success is returned, and every probe writes a value of its own."""
    monkeypatch.setattr(module, "ROUND_PAUSE_S", 0.001)
    refusals = [NOT_ME, NOT_ME]
    async with (
        Controller(lambda _: refusals.pop() if refusals else None) as active,
        wire_prober(addresses(active)) as prober,
    ):
        before = time.time()
        first, second = await prober.first_write(), await prober.first_write()
    assert before <= first <= second <= time.time()
    assert len(active.seen) == 4
    assert len({request.resources[0][1][0].value for request in active.seen}) == 2


async def test_questions_at_once_are_asked_one_after_another():
    """Two that ask one controller at the same time get an answer each."""
    async with Controller() as active:
        caller = Caller(addresses(active)[0])
        requests = [rpc.IncrementalAlterConfigsRequest(rows_of(first, 1, alike("1"))) for first in range(3)]
        answers = await asyncio.gather(*(caller.ask(request, VERSION) for request in requests))
        caller.close()
    assert [answer.responses[0].resource_name for answer in answers] == [name_of(first) for first in range(3)]


async def test_a_controller_that_does_not_answer_is_left(monkeypatch):
    """One that is stopped is given up after a while, and the next one is asked."""
    monkeypatch.setattr(module, "ANSWER_TIMEOUT_S", 0.05)
    connections = []
    deaf = await asyncio.start_server(lambda _, out: connections.append(out), "127.0.0.1", 0)
    async with deaf, Controller() as active:
        writer = Writer([deaf.sockets[0].getsockname()[:2], *addresses(active)])
        await writer.write(0, 1, alike("1"))
        writer.close()
        for out in connections:
            out.close()
    assert len(active.seen) == 1
