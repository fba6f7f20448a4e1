"""The storage lane: jobs in their order, inline while the disk is quick, in a thread once it was slow."""

from __future__ import annotations

import asyncio
import threading

import pytest

from kraftpy.model.errors import DiskFullError, SyncFailedError
from kraftpy.runtime.disk_executor import QUICK_JOBS_TO_RETURN, SLOW_JOB_MS, DiskExecutor


class Pace:
    """A clock that jobs alone move."""

    def __init__(self, monkeypatch):
        self.seconds = 0.0
        self.threads = []
        monkeypatch.setattr("kraftpy.runtime.disk_executor.time.perf_counter", lambda: self.seconds)

    def job(self, took_ms, result=None):
        def run():
            self.threads.append(threading.current_thread())
            self.seconds += took_ms / 1_000
            return result

        return run


@pytest.fixture
def pace(monkeypatch):
    return Pace(monkeypatch)


async def done(lane, job, **how):
    """Put a job and wait for what follows on it."""
    results = []
    lane.put(job, results.append, **how)
    await lane.finish()
    return results


async def test_a_slow_disk_moves_to_a_thread_and_back(pace):
    """One slow job moves the next ones to a thread; only a number of quick ones in a row bring them back."""
    lane, loop_thread = DiskExecutor(), threading.current_thread()
    await done(lane, pace.job(SLOW_JOB_MS - 1))
    assert lane.inline
    await done(lane, pace.job(SLOW_JOB_MS))
    assert not lane.inline
    for _ in range(QUICK_JOBS_TO_RETURN - 1):
        await done(lane, pace.job(1))
    await done(lane, pace.job(SLOW_JOB_MS))
    for _ in range(QUICK_JOBS_TO_RETURN):
        assert not lane.inline
        await done(lane, pace.job(1))
    assert lane.inline
    await done(lane, pace.job(1))
    assert [thread is loop_thread for thread in pace.threads] == [
        True,
        True,
        *[False] * (2 * QUICK_JOBS_TO_RETURN),
        True,
    ]
    await lane.close()


async def test_the_loop_goes_on_while_a_job_runs(pace):
    """A job in the thread blocks nothing; what follows it happens when it is collected, and the lane wakes for it."""
    lane, release, woken = DiskExecutor(), threading.Event(), asyncio.Event()
    lane.wake = woken.set
    await done(lane, pace.job(SLOW_JOB_MS))
    results = []
    lane.put(lambda: release.wait(10), results.append)
    lane.collect()
    assert (results, lane.idle) == ([], False)
    release.set()
    await woken.wait()
    assert results == []
    lane.collect()
    assert (results, lane.idle) == ([True], True)
    await lane.close()


async def test_jobs_keep_their_order(pace):
    """Jobs and what follows on them happen in the order in which they were put, one at a time, failures included."""
    lane, journal = DiskExecutor(), []
    await done(lane, pace.job(SLOW_JOB_MS))
    for number in range(5):
        lane.put(lambda number=number: journal.append(("job", number)), lambda _, n=number: journal.append(("then", n)))
    await lane.finish()
    assert journal == [(what, number) for number in range(5) for what in ("job", "then")]
    await lane.close()


async def test_a_lengthy_job_leaves_a_quick_disk_inline(pace):
    """What keeps the processor busy goes to the thread, what comes meanwhile waits, and the disk is not called slow."""
    lane, release, journal = DiskExecutor(), threading.Event(), []
    lane.put(lambda: release.wait(10), lambda _: journal.append("lengthy"), cpu_bound=True)
    lane.put(pace.job(1), lambda _: journal.append("behind"))
    assert not lane.inline
    pace.seconds += 10
    release.set()
    await lane.finish()
    assert journal == ["lengthy", "behind"]
    assert lane.inline
    await lane.close()


def failing(error):
    def job():
        raise error

    return job


@pytest.mark.parametrize("slow", [False, True])
async def test_after_a_failed_sync_nothing_is_tried(pace, slow):
    """The error comes out, what followed does not happen, and no other job is done, neither waiting nor new."""
    lane, journal = DiskExecutor(), []
    await done(lane, pace.job(SLOW_JOB_MS if slow else 1))
    error = SyncFailedError("gone")

    async def put_both():
        lane.put(failing(error), lambda _: journal.append("then"))
        lane.put(lambda: journal.append("behind"), lambda _: None)
        await lane.finish()

    with pytest.raises(SyncFailedError):
        await put_both()
    with pytest.raises(SyncFailedError):
        lane.put(lambda: journal.append("new"), lambda _: None)
    await lane.close()
    assert journal == []


@pytest.mark.parametrize("slow", [False, True])
async def test_an_owner_may_hear_of_a_failure(pace, slow):
    """A failure that is its owner's business goes to the owner alone; the lane goes on."""
    lane, heard = DiskExecutor(), []
    await done(lane, pace.job(SLOW_JOB_MS if slow else 1))
    full = DiskFullError("full")
    assert await done(lane, failing(full), on_failed=heard.append) == []
    assert heard == [full]
    assert await done(lane, pace.job(1, "next")) == ["next"]
    await lane.close()
