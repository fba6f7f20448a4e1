"""Collects what happens in the measured part of a run, and when that part begins and ends."""

from __future__ import annotations

import time
from collections.abc import Callable

from bench.work import Outcome, Work


class Recorder:
    """One run's clock and its outcome.

    A request counts when it was acknowledged within the measured part. Its latency counts from its (intended) start,
    also when that lies in the warm-up.
    """

    def __init__(self, work: Work, measuring: Callable[[], None]) -> None:
        self.outcome = Outcome()
        self._batch = work.batch
        self._measuring = measuring
        now = time.perf_counter()
        self.begins_at = now + (0.0 if work.total else work.warmup_s)
        self.ends_at = float("inf") if work.total else self.begins_at + work.seconds
        self._began_at: float | None = None
        self._cpu_before = 0.0
        self._total = work.total
        self._last_at = now

    @property
    def is_over(self) -> bool:
        """Whether no further request should start."""
        return time.perf_counter() >= self.ends_at

    def maybe_begin(self, now: float) -> None:
        """Begin to measure when the warm-up is over.

        The measured part begins with its time, not with the first answer in it: answers that come in bursts would else
        make the time short in which they came.
        """
        if self._began_at is None and now >= self.begins_at:
            self._began_at = self.begins_at
            self._cpu_before = time.process_time()
            self._measuring()

    def succeeded(self, started: float, now: float) -> None:
        """Count an acknowledged request."""
        self.maybe_begin(now)
        if self._began_at is None or now > self.ends_at:
            return
        outcome = self.outcome
        outcome.requests += 1
        outcome.records = outcome.requests * self._batch
        if self._total:
            # The last request of a load may hold fewer.
            outcome.records = min(outcome.records, self._total)
        outcome.latencies_us.append((now - started) * 1e6)
        self._last_at = now

    def failed(self, reason: str) -> None:
        """Count a refused or lost request, also of the warm-up."""
        self.outcome.errors += 1
        self.outcome.first_error = self.outcome.first_error or reason

    def finish(self) -> Outcome:
        """End the measured part."""
        if self._began_at is not None:
            end = self._last_at if self.ends_at == float("inf") else min(self.ends_at, time.perf_counter())
            self.outcome.elapsed_s = end - self._began_at
            self.outcome.client_cpu_s = time.process_time() - self._cpu_before
        return self.outcome
