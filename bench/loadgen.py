"""Closed and open loops over a client whose calls are coroutines.

Closed: callers, each of which starts its next request when the last one is answered. Open: requests start when
they are due, whatever became of the earlier ones; beyond :data:`OUTSTANDING_MAX` they queue, and their latency counts
from when they were due all the same.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import count

from bench.recorder import Recorder
from bench.stats import Schedule
from bench.work import Measuring, Outcome, Work

OUTSTANDING_MAX = 4_096
TICK_S = 0.001
"""How often an open loop looks at its schedule."""

Write = Callable[[int], Awaitable[None]]
"""Make the request with this serial number; raise if it was not acknowledged."""


async def drive(write: Write, work: Work, measuring: Measuring) -> Outcome:
    """Do the work."""
    recorder = Recorder(work, measuring)
    if work.rate is None:
        await _closed(write, work, recorder)
    else:
        await _open(write, work, work.rate, recorder)
    return recorder.finish()


async def _attempt(write: Write, serial: int, started: float, recorder: Recorder) -> None:
    try:
        await write(serial)
    except Exception as error:  # noqa: BLE001 - every failure is counted and shown
        recorder.failed(f"{type(error).__name__}: {error}")
    else:
        recorder.succeeded(started, time.perf_counter())


async def _closed(write: Write, work: Work, recorder: Recorder) -> None:
    serials = count()

    async def caller() -> None:
        while not recorder.is_over:
            serial = next(serials)
            if work.total and serial * work.batch >= work.total:
                return
            await _attempt(write, serial, time.perf_counter(), recorder)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(work.in_flight):
            tasks.create_task(caller())


async def _open(write: Write, work: Work, rate: float, recorder: Recorder) -> None:
    schedule = Schedule(rate, work.warmup_s + work.seconds)
    room = asyncio.Semaphore(OUTSTANDING_MAX)
    serials = count()
    begin = time.perf_counter()
    # What is answered late is measured too: the rate of acknowledgements is over all of that time.
    recorder.ends_at = float("inf")

    async def request(started: float) -> None:
        try:
            await _attempt(write, next(serials), started, recorder)
        finally:
            room.release()

    async with asyncio.TaskGroup() as tasks:
        while not schedule.is_over:
            for due_s in schedule.take_due(time.perf_counter() - begin):
                await room.acquire()
                tasks.create_task(request(begin + due_s))
            recorder.maybe_begin(time.perf_counter())
            await asyncio.sleep(TICK_S)
