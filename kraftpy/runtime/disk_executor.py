"""The storage queue: the only place where a running node waits for its disk.

Everything that takes as long as an fsync is submitted as a *job* (a blocking function that touches files) with a *then*
callback (run on the loop, in the driver's turn). Jobs run one at a time, in the order of submission. While the disk is
fast, a job runs immediately on the calling thread; after a slow job, jobs run in a thread and the loop continues
meanwhile.

Measured on a 2-core machine: an fdatasync of 0.2 ms done on the loop allows 4,300 flushes/s; the same through an
executor thread allows 2,900 on an idle loop and as few as 20 on a busy one, because the thread has to acquire the GIL.
So the loop waits inline for a fast disk. A disk that takes longer than :data:`SLOW_JOB_MS` would delay heartbeats: from
then on jobs run in the thread (the cost of the hand-over is small compared with the wait), until the disk has been fast
for :data:`QUICK_JOBS_TO_RETURN` jobs in a row. Long CPU-bound work (verifying a downloaded snapshot) always runs in the
thread.

A failed job is never retried. Its *then* callback is not called; the error ends the driver's turn, and with it the
node, unless the submitter handles errors itself. After a failed sync no further job is accepted.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import structlog

from kraftpy.model.errors import SyncFailedError

_log = structlog.get_logger("kraftpy.disk")

T = TypeVar("T")

SLOW_JOB_MS = 50
"""A job that took this long moves the next ones to a thread: a twentieth of the default election timeout."""

QUICK_JOBS_TO_RETURN = 64
"""How many consecutive fast jobs move execution back to the loop."""


class Running(Protocol):
    """A job in the thread: as much of a future as the lane uses."""

    def done(self) -> bool:
        """Return whether it has ended."""
        ...

    def result(self) -> Any:
        """Return what it returned, or raise what it raised."""
        ...

    def add_done_callback(self, callback: Callable[[Any], object], /) -> None:
        """Have something called on the loop when it ends."""
        ...


@dataclass(slots=True)
class _Queued:
    job: Callable[[], Any]
    then: Callable[[Any], None]
    on_failed: Callable[[BaseException], None] | None
    is_lengthy: bool


class DiskExecutor:
    """Run jobs one after the other, inline or in one thread.

    Attributes:
        wake: called when a job in the thread has ended: :meth:`collect` must be called soon.
        last_ms: how long the last job took.
    """

    def __init__(self) -> None:
        self.wake: Callable[[], None] = lambda: None
        self.last_ms = 0.0
        self._slow = False
        self._quick_in_a_row = 0
        self._queue: deque[_Queued] = deque()
        self._running: Running | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._broken: SyncFailedError | None = None

    @property
    def inline(self) -> bool:
        """Whether the next job runs at once, on the calling thread."""
        return not self._slow and not self._queue

    @property
    def idle(self) -> bool:
        """Whether no job waits or runs."""
        return not self._queue

    def run(self, job: Callable[[], None]) -> None:
        """Do a job at once, on this thread; only while :attr:`inline`.

        Raises:
            StorageError: it failed, or a sync failed before it.
        """
        if self._broken is not None:
            raise self._broken
        started = time.perf_counter()
        try:
            job()
        except SyncFailedError as error:
            self._broken = error
            raise
        self._note(started)

    def put(
        self,
        job: Callable[[], T],
        then: Callable[[T], None],
        *,
        on_failed: Callable[[BaseException], None] | None = None,
        cpu_bound: bool = False,
    ) -> None:
        """Have a job done behind all that were put before.

        Args:
            job: waits for the disk, in whatever thread.
            then: gets what the job returned, on the loop: before this returns, or in a later :meth:`collect`.
            on_failed: gets the job's error; without it this method raises it, or :meth:`collect`.
            cpu_bound: it keeps the processor busy: do it in the thread even while the disk is quick.

        Raises:
            StorageError: the job ran at once and failed, or a sync failed before it.
        """
        if self._broken is not None:
            raise self._broken
        if not cpu_bound and self.inline:
            self._run_inline(job, then, on_failed)
            return
        self._queue.append(_Queued(job, then, on_failed, cpu_bound))
        self._start_next()

    def collect(self) -> None:
        """Carry out what follows on the jobs that have ended, in their order, and start the next one.

        Raises:
            StorageError: a job failed and its owner left it to the caller.
        """
        while self._running is not None and self._running.done():
            running, self._running = self._running, None
            queued = self._queue.popleft()
            try:
                result = running.result()
            except BaseException as error:
                # Whatever it was that came out of the thread: who ordered the job judges it, or the caller.
                if isinstance(error, SyncFailedError):
                    self._broken = error
                if queued.on_failed is None:
                    raise
                queued.on_failed(error)
            else:
                self._judge(queued)
                queued.then(result)
            self._start_next()

    async def finish(self) -> None:
        """Wait until every job is done, and carry out what follows on each.

        Raises:
            StorageError: a job failed and its owner left it to the caller.
        """
        while self._running is not None:
            await self._ended()
            self.collect()

    async def close_after(self, work: Awaitable[None]) -> None:
        """Wait until the work that uses this queue ends, successfully or not, then close the queue.

        The driver does not do this itself: compiled, an ``await`` in a ``finally`` raises the exception that other code
        handles (``deploy.compiled.modules``).
        """
        try:
            await work
        finally:
            await self.close()

    async def close(self) -> None:
        """Wait for the job that runs, whatever becomes of it, and give the thread back; the rest is not done."""
        if self._running is not None:
            await self._ended()
            with suppress(Exception):
                self._running.result()
        self._queue.clear()
        self._running, self._slow = None, False
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    async def _ended(self) -> None:
        assert self._running is not None
        ended = asyncio.Event()
        self._running.add_done_callback(lambda _: ended.set())
        await ended.wait()

    # ---------------------------------------------------------------- inside

    def _run_inline(
        self, job: Callable[[], T], then: Callable[[T], None], on_failed: Callable[[BaseException], None] | None
    ) -> None:
        started = time.perf_counter()
        try:
            result = self._timed(job)
        except Exception as error:
            if on_failed is None:
                raise
            on_failed(error)
        else:
            self._note(started)
            then(result)

    def _start_next(self) -> None:
        """Start the job that is first in the queue, unless it runs already."""
        if self._running is not None or not self._queue or self._broken is not None:
            return
        queued = self._queue[0]
        self._running = self._hand_over(lambda: self._timed(queued.job))
        self._running.add_done_callback(lambda _: self.wake())

    def _hand_over(self, job: Callable[[], Any]) -> Running:
        """Let the thread run a job."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="kraftpy-disk")
        return asyncio.get_running_loop().run_in_executor(self._pool, job)

    def _timed(self, job: Callable[[], T]) -> T:
        started = time.perf_counter()
        try:
            return job()
        except SyncFailedError as error:
            self._broken = error
            raise
        finally:
            self.last_ms = (time.perf_counter() - started) * 1_000

    def _note(self, started: float) -> None:
        self.last_ms = (time.perf_counter() - started) * 1_000
        if self.last_ms >= SLOW_JOB_MS:
            self._quick_in_a_row = 0
            self._become(slow=True)

    def _become(self, *, slow: bool) -> None:
        if slow and not self._slow:
            _log.warning("disk_slow", took_ms=round(self.last_ms))
        elif self._slow and not slow:
            _log.info("disk_fast", took_ms=round(self.last_ms))
        self._slow = slow

    def _judge(self, queued: _Queued) -> None:
        """Return to inline execution after enough fast jobs; a long job does not measure the disk."""
        if queued.is_lengthy:
            return
        self._quick_in_a_row = self._quick_in_a_row + 1 if self.last_ms < SLOW_JOB_MS else 0
        if self.last_ms >= SLOW_JOB_MS:
            self._become(slow=True)
        elif self._quick_in_a_row >= QUICK_JOBS_TO_RETURN:
            self._become(slow=False)
