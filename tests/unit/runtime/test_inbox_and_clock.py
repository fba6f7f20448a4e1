"""The driver's inbox wakes and never loses; the clock never goes back."""

from __future__ import annotations

import asyncio
import time

import pytest

from kraftpy.model.errors import BusyError
from kraftpy.runtime import inbox as inbox_module
from kraftpy.runtime.clock import SystemClock
from kraftpy.runtime.inbox import Inbox
from kraftpy.runtime.random import SystemJitter


def nothing(_now_ms):
    return None


def test_the_inbox_is_bounded(monkeypatch):
    """A full inbox refuses with the number that is full, takes what is owed, and takes all again once it is emptied."""
    monkeypatch.setattr(inbox_module, "INBOX_ITEMS_MAX", 2)
    inbox = Inbox()
    inbox.put_nowait(nothing)
    inbox.put_nowait(nothing)
    assert inbox.is_full
    with pytest.raises(BusyError, match="2 things"):
        inbox.put_nowait(nothing)
    inbox.put_unbounded(nothing)
    assert len(inbox) == 3
    inbox.work_off(0, lambda: 0)
    assert len(inbox) == 0
    inbox.put_nowait(nothing)
    assert len(inbox) == 1


async def test_wait_returns_at_once_when_something_is_there():
    """Something queued, or a wake before the wait, ends the wait without yielding to anybody."""
    inbox = Inbox()
    inbox.put_nowait(nothing)
    await asyncio.wait_for(inbox.wait(None), 5)
    inbox.work_off(0, lambda: 0)
    inbox.wake()
    await asyncio.wait_for(inbox.wait(None), 5)


async def test_wait_ends_by_a_wake_or_by_time():
    """A wake ends a wait without limit, an item ends it too, and a timeout of 0 ends it in the loop's next turn."""
    inbox = Inbox()
    for end in (inbox.wake, lambda: inbox.put_nowait(nothing)):
        waiting = asyncio.create_task(inbox.wait(None))
        await asyncio.sleep(0)
        assert not waiting.done()
        end()
        end()
        await asyncio.wait_for(waiting, 5)
        inbox.work_off(0, lambda: 0)
        await inbox.wait(0)
    await asyncio.wait_for(inbox.wait(1), 5)


async def test_a_cancelled_wait_leaves_the_inbox_usable():
    """After a cancelled wait the next wake is kept for the next wait."""
    inbox = Inbox()
    waiting = asyncio.create_task(inbox.wait(None))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    inbox.wake()
    await asyncio.wait_for(inbox.wait(None), 5)


def test_the_clock_does_not_follow_a_jump_of_the_wall(monkeypatch):
    """A wall clock that is set back or forward moves now_ms neither way: only monotonic time does."""
    wall, monotonic = [1_700_000_000_000], [50_000]
    monkeypatch.setattr(time, "time_ns", lambda: wall[0] * 1_000_000)
    monkeypatch.setattr("kraftpy.runtime.clock.elapsed_ns", lambda: monotonic[0] * 1_000_000)
    clock = SystemClock()
    assert clock.now_ms() == 1_700_000_000_000
    wall[0] -= 3_600_000
    monotonic[0] += 7
    assert clock.now_ms() == 1_700_000_000_007
    wall[0] += 7_200_000
    assert clock.now_ms() == 1_700_000_000_007


def test_jitter_stays_below_its_bound():
    """Random delays lie in [0, bound); nothing can be drawn below 0 or 1."""
    jitter = SystemJitter()
    assert {jitter.below(3) for _ in range(200)} == {0, 1, 2}
    assert jitter.below(0) == jitter.below(1) == 0
