"""The closed and the open loop, over clients that do nothing or stall."""

from __future__ import annotations

import asyncio
import time

from bench.loadgen import drive
from bench.recorder import Recorder
from bench.work import Work


async def test_a_closed_loop_keeps_so_many_requests_in_flight():
    """Never more than asked for, and as many as that."""
    now = most = 0

    async def write(serial):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1

    outcome = await drive(write, Work(in_flight=7, batch=3, seconds=0.2, warmup_s=0.0), lambda: None)
    assert most == 7
    assert outcome.records == 3 * outcome.requests > 0
    assert len(outcome.latencies_us) == outcome.requests


async def test_an_open_loop_counts_a_stall_against_every_request_that_was_due():
    """A client that is stopped for 200 ms shows in the latency of all requests due meanwhile, not of one."""
    loop = asyncio.get_running_loop()
    begin = loop.time()

    async def write(serial):
        await asyncio.sleep(max(0.0, begin + 0.2 - loop.time()))

    outcome = await drive(write, Work(rate=500, seconds=0.4, warmup_s=0.0), lambda: None)
    late = [latency for latency in outcome.latencies_us if latency > 50_000]
    assert outcome.requests == 200
    assert 60 <= len(late) <= 110, len(late)


async def test_an_open_loop_that_was_held_up_itself_counts_from_when_requests_were_due():
    """When the whole client stops, requests that were due meanwhile start late, and that is in their latency."""

    async def write(serial):
        if serial == 10:
            time.sleep(0.2)  # noqa: ASYNC251 - standing still is the point

    outcome = await drive(write, Work(rate=500, seconds=0.4, warmup_s=0.0), lambda: None)
    late = [latency for latency in outcome.latencies_us if latency > 50_000]
    assert outcome.requests == 200
    assert len(late) >= 60, len(late)


async def test_a_load_ends_when_everything_is_written():
    """1,000 records in batches of 128 are eight requests of any clients, and 1,000 records in the figures."""
    serials = []

    async def write(serial):
        serials.append(serial)
        await asyncio.sleep(0)

    outcome = await drive(write, Work(in_flight=3, batch=128, total=1_000), lambda: None)
    assert sorted(serials) == list(range(8))
    assert (outcome.requests, outcome.records) == (8, 1_000)


async def test_failures_are_counted_and_not_timed():
    """A refused write is an error with its reason, and no latency."""

    async def write(serial):
        await asyncio.sleep(0.001)
        if serial % 2:
            raise ValueError("refused")

    outcome = await drive(write, Work(in_flight=2, seconds=0.1, warmup_s=0.0), lambda: None)
    assert outcome.errors > 0
    assert outcome.first_error == "ValueError: refused"
    assert len(outcome.latencies_us) == outcome.requests


async def test_the_warm_up_is_not_counted():
    """What is acknowledged before the measured part begins is in no figure, and the beginning is reported once."""
    reported = []

    async def write(serial):
        await asyncio.sleep(0.005)

    outcome = await drive(write, Work(in_flight=1, seconds=0.1, warmup_s=0.1), lambda: reported.append(True))
    assert reported == [True]
    assert 0 < outcome.requests <= 21
    assert 0 < round(outcome.elapsed_s, 6) <= 0.1


def test_a_burst_late_in_the_measured_part_is_not_taken_for_its_pace():
    """The rate is over all of the measured part, also when its first answers come shortly before its end."""
    recorder = Recorder(Work(batch=10, seconds=5.0, warmup_s=1.0), lambda: None)
    recorder.begins_at -= 60.0
    recorder.ends_at -= 60.0
    for _ in range(3):
        recorder.succeeded(recorder.begins_at - 0.5, recorder.begins_at + 4.0)
    outcome = recorder.finish()
    assert (outcome.records, round(outcome.elapsed_s, 6)) == (30, 5.0)
    assert round(outcome.records_per_s, 6) == 6.0
