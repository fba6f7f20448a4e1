"""Where an fsync happens: on the loop while the disk is quick, in a thread once it is not.

Measured on a 2-core machine: an fdatasync of 0.2 ms done on the loop allows 4,300 flushes/s; the same through an
executor thread allows 2,900 on an idle loop and as few as 20 on a busy one, because the thread waits its turn for the
GIL. So a quick disk is synced inline. A disk that takes longer than :data:`SLOW_SYNC_MS` would stand in the way of
heartbeats: from then on the flush runs in a thread (whose hand-over no longer matters beside the flush), and the loop
keeps answering, until the disk has been quick for :data:`QUICK_SYNCS_TO_RETURN` flushes in a row.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

SLOW_SYNC_MS = 50
"""A flush that took this long moves the next ones to a thread: a twentieth of the default election timeout."""

QUICK_SYNCS_TO_RETURN = 64
"""So many flushes in a row must be quick before they come back to the loop."""


class Syncer:
    """Run flushes one at a time, inline or in one thread."""

    def __init__(self, sync: Callable[[], None]) -> None:
        self._sync = sync
        self._pool: ThreadPoolExecutor | None = None
        self._quick_in_a_row = 0
        self.last_ms = 0.0

    @property
    def inline(self) -> bool:
        """Whether the next flush runs on the calling thread."""
        return self._pool is None

    def run_inline(self) -> None:
        """Flush now, on this thread.

        Raises:
            SyncFailedError: the flush failed; the node must stop.
        """
        self._timed()
        if self.last_ms >= SLOW_SYNC_MS:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="kraftpy-sync")
            self._quick_in_a_row = 0

    def start(self) -> asyncio.Future[None]:
        """Flush in the thread; the future carries SyncFailedError when it fails."""
        assert self._pool is not None, "start() is for the threaded mode"
        return asyncio.get_running_loop().run_in_executor(self._pool, self._timed)

    def finished(self) -> None:
        """Note that a threaded flush is done, and go back inline when the disk has been quick for a while."""
        self._quick_in_a_row = self._quick_in_a_row + 1 if self.last_ms < SLOW_SYNC_MS else 0
        if self._quick_in_a_row >= QUICK_SYNCS_TO_RETURN:
            self.close()

    def close(self) -> None:
        """Wait for a running flush, then give the thread back."""
        if self._pool is not None:
            self._pool.shutdown(wait=True)
            self._pool = None

    def _timed(self) -> None:
        started = time.perf_counter()
        self._sync()
        self.last_ms = (time.perf_counter() - started) * 1_000
