"""Kills of the leader of a scripted system, with and without background writes."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager

import pytest

from bench import failover
from bench.failover import ROUND_S, measure_failover
from bench.heat_map import AFTER_S, BEFORE_S
from bench.work import BackgroundWrites


class Scripted:
    """Three nodes that are level at once; the clients note what is asked of them, in order."""

    name = "scripted"
    probers = ("client", "kafka")
    warm_up_s = 7.0

    def __init__(self, writes=lambda _: None):
        self.pids = {"a": 1, "b": 2, "c": 3}
        self.done = []
        self.writes = writes

    async def leader(self):
        return "b"

    async def stop_node(self, name, *, kill):
        assert kill
        self.done.append(("kill", name))

    async def start_node(self, name):
        self.done.append(("start", name))

    async def positions(self):
        return dict.fromkeys(self.pids, 9)

    def phases(self, killed, killed_at):
        return {}

    @asynccontextmanager
    async def prober(self, form):
        yield self

    async def first_write(self):
        self.done.append("probe")
        return time.time()

    @asynccontextmanager
    async def background_writer(self, form):
        self.done.append(("writer", form))
        yield self
        self.done.append("writer ends")

    async def connect(self):
        self.done.append("connect")

    async def write_for(self, seconds):
        """Four writes at 0, 0.9, 1.8 and 2.7 s in a round, each a millisecond long unless the test says otherwise."""
        self.done.append(("write", seconds))
        began_at = time.time()
        due = [began_at + 0.9 * at for at in range(4)]
        if seconds == ROUND_S:
            while self.done[-1] != "probe":  # noqa: ASYNC110 - a plain list
                await asyncio.sleep(0)
        latencies = [1.0] * len(due) if (failed := self.writes(seconds)) is None else failed
        return BackgroundWrites(due, latencies, "" if failed is None else "TimeoutError: late")


@pytest.fixture(autouse=True)
def _hurried(monkeypatch):
    monkeypatch.setattr(failover, "SETTLE_S", 0.0)
    monkeypatch.setattr(failover, "LEAD_S", -BEFORE_S)


async def test_without_a_heat_map_there_are_no_background_writes():
    """What is measured is as it ever was: a kill, a write, a start, and no other client."""
    system = Scripted()
    rows = await measure_failover(system, 1, 2, ("kafka",), lambda _: None)
    (row,) = rows
    assert system.done == [("kill", "b"), "probe", ("start", "b"), "probe"] * 2
    assert (row.work, row.form, row.heat_map) == ("kill -9 of the leader", "kafka", None)
    assert set(row.figures) == {"total p50 ms", "p90 ms", "max ms", "kills"}


async def test_background_writes_begin_before_the_kill_and_end_after_it():
    """The writer is warm and connected, it writes, then the leader is killed; the map has what was due around it."""
    system = Scripted()
    (row,) = await measure_failover(system, 1, 2, ("client",), lambda _: None, has_heat_map=True)
    kill = ["connect", ("write", ROUND_S), ("kill", "b"), "probe", ("start", "b"), "probe"]
    assert system.done == [("writer", "client"), ("write", 7.0), *kill, *kill, "writer ends"]
    assert BEFORE_S + AFTER_S < ROUND_S
    assert row.work == "kill -9 of the leader, 200 writes/s meanwhile"
    assert row.heat_map.kills == 2
    assert row.figures["kills"] == 2
    assert row.figures["writes"] == row.heat_map.writes == 8
    assert (row.figures["failed writes"], row.notes) == (0, [])
    assert sum(map(sum, row.heat_map.counts)) == 8


async def test_failed_background_writes_are_counted_with_their_reason():
    """In the table, in the map, and in a note."""
    system = Scripted(lambda seconds: [None, 1.0, 1.0, 1.0] if seconds == ROUND_S else None)
    (row,) = await measure_failover(system, 1, 1, ("client",), lambda _: None, has_heat_map=True)
    assert (row.figures["failed writes"], row.heat_map.failed_writes) == (1, 1)
    assert row.notes == ["1 background writes failed, the first: TimeoutError: late"]


async def test_background_writes_end_with_a_kill_that_fails():
    """A prober that gets no answer ends the run, and nothing goes on writing."""
    system = Scripted()
    begun = []

    async def write_for(seconds):
        begun.append(asyncio.current_task())
        if seconds == ROUND_S:
            await asyncio.Event().wait()

    async def first_write():
        raise TimeoutError("no write was acknowledged")

    system.write_for, system.first_write = write_for, first_write
    with pytest.raises(TimeoutError, match="no write"):
        await measure_failover(system, 1, 1, ("client",), lambda _: None, has_heat_map=True)
    await asyncio.wait(begun[1:], timeout=10)
    assert begun[1].cancelled()
