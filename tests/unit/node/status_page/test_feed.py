"""One state for all: how often it is read, and that reading lets the loop go on."""

from __future__ import annotations

import asyncio
import json

import pytest

from kraftpy.node.status_page.feed import PERIOD_S, SLICE_S, StateFeed
from tests.fakes.page_states import HOSTILE, NOW_MS, healthy, hostile


class Source:
    """States one after the other, and a clock that each step moves."""

    def __init__(self, *states, steps=0, step_s=0.0):
        self.states, self.step_count, self.step_s = list(states), steps, step_s
        self.now_s, self.readings = 100.0, 0

    def steps(self):
        self.readings += 1
        for _ in range(self.step_count):
            self.now_s += self.step_s
            yield
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]

    def feed(self):
        return StateFeed(self.steps, lambda: self.now_s)


async def test_it_is_read_at_most_once_in_a_period_for_all_viewers():
    source = Source(healthy(), steps=3)
    feed = source.feed()
    assert source.readings == 0, "no viewer"
    seen = await asyncio.gather(*(feed.newest() for _ in range(50)))
    assert (source.readings, len({id(one) for one in seen})) == (1, 1)
    source.now_s += PERIOD_S * 0.99
    await feed.newest()
    assert source.readings == 1
    source.now_s += PERIOD_S * 0.02
    await feed.newest()
    assert source.readings == 2


async def test_a_long_reading_takes_a_tenth_of_the_time_at_most():
    """It may be of a million partitions; how long others held the loop in between does not count."""
    source = Source(healthy(), steps=50, step_s=0.01)
    feed = source.feed()
    reading = asyncio.ensure_future(feed.newest())
    await asyncio.sleep(0)
    source.now_s += 30.0
    await reading
    for age_s, readings in ((PERIOD_S, 1), (4.9, 1), (5.1, 2)):
        source.now_s = 130.5 + age_s
        await feed.newest()
        assert source.readings == readings


async def test_a_version_is_that_of_a_change():
    source = Source(healthy(), healthy(read_timestamp=NOW_MS + 1_000), healthy(warnings=("a",)))
    feed, versions, times = source.feed(), [], []
    for _ in range(3):
        newest = await feed.newest()
        versions.append(newest.version)
        times.append(newest.state["readTimestamp"])
        source.now_s += PERIOD_S
    assert versions == [1, 1, 2]
    assert times[1] == NOW_MS + 1_000, "the newest state has its own time"


async def test_a_reading_lets_the_loop_go_on_after_each_slice():
    """However many steps there are, each turn of the loop has no more of them than fit into a slice."""
    per_slice, slices = 4, 25
    source = Source(healthy(), steps=per_slice * slices, step_s=SLICE_S / per_slice)
    feed, turns = source.feed(), 0

    async def count_turns():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.ensure_future(count_turns())
    await feed.newest()
    counting.cancel()
    assert turns == pytest.approx(slices, abs=2)


async def test_a_viewer_that_leaves_while_it_reads_for_others_leaves_them_a_state():
    source = Source(healthy(), steps=20, step_s=SLICE_S)
    feed = source.feed()
    first, second = asyncio.ensure_future(feed.newest()), asyncio.ensure_future(feed.newest())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).version == 1


async def test_json_is_one_line_whatever_is_in_it():
    """A line feed would end the data of an event."""
    newest = await Source(hostile()).feed().newest()
    assert newest.body.isascii()
    assert b"\n" not in newest.body
    assert json.loads(newest.body)["warnings"] == list(HOSTILE)
    assert newest.html.startswith(b"<!DOCTYPE html>")
