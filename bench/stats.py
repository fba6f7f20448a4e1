"""Percentiles, spreads and schedules: arithmetic only.

Percentiles are by nearest rank, so each is a latency that a client really waited. An open loop's schedule says when the
n-th request *should* start, whatever became of those before it: latencies counted from there do not leave out the
requests that a stall kept from being made (coordinated omission).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median

SAMPLES_KEPT_MAX = 2_000
"""How many latencies of one run are in the results file, evenly picked by rank."""


def percentile(ascending: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile of values in ascending order.

    Args:
        ascending: at least one value.
        share: 0 to 1; 0.5 is the median.
    """
    if not ascending:
        raise ValueError("a percentile needs at least one value")
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"the share {share} is not between 0 and 1")
    return ascending[max(0, math.ceil(share * len(ascending)) - 1)]


@dataclass(frozen=True, slots=True)
class Latencies:
    """The distribution of one run's latencies, in milliseconds."""

    count: int
    mean: float
    p50: float
    p90: float
    p99: float
    p999: float
    max: float


def latencies_of(samples_us: Sequence[float]) -> Latencies | None:
    """Sum up latencies (microseconds); ``None`` when there are none."""
    if not samples_us:
        return None
    ascending = sorted(samples_us)
    p50, p90, p99, p999 = (percentile(ascending, share) / 1000 for share in (0.5, 0.9, 0.99, 0.999))
    mean = sum(ascending) / len(ascending) / 1000
    return Latencies(len(ascending), mean, p50, p90, p99, p999, ascending[-1] / 1000)


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over several runs."""

    median: float
    min: float
    max: float
    runs: int

    def text(self, digits: int = 0) -> str:
        """Write it as ``median [min..max]``."""
        return f"{self.median:,.{digits}f} [{self.min:,.{digits}f}..{self.max:,.{digits}f}]"

    def as_json(self) -> dict[str, float]:
        """Return it as a plain object."""
        return asdict(self)


def spread_of(values: Sequence[float]) -> Spread | None:
    """Sum up one figure of several runs; ``None`` when there is none."""
    return Spread(median(values), min(values), max(values), len(values)) if values else None


def thinned(samples: Sequence[float], limit: int = SAMPLES_KEPT_MAX) -> list[float]:
    """Pick at most ``limit`` samples, evenly by rank, the smallest and the largest always among them."""
    ascending = sorted(samples)
    if len(ascending) <= limit:
        return ascending
    step = (len(ascending) - 1) / (limit - 1)
    return [ascending[round(index * step)] for index in range(limit)]


class Schedule:
    """When each request of an open loop should start: evenly, at a rate, for a time.

    Args:
        rate: requests per second.
        seconds: how long; the schedule ends before it.
    """

    def __init__(self, rate: float, seconds: float) -> None:
        if rate <= 0 or seconds <= 0:
            raise ValueError(f"an open loop needs a positive rate and time, not {rate}/s for {seconds} s")
        self.interval_s = 1.0 / rate
        self.total = math.ceil(rate * seconds - 1e-9)
        self._next = 0

    @property
    def is_over(self) -> bool:
        """Whether every request has been taken."""
        return self._next >= self.total

    def next_due_s(self) -> float:
        """Return when the next request should start, in seconds from the beginning."""
        return self._next * self.interval_s

    def take_due(self, elapsed_s: float) -> list[float]:
        """Take everything that should have started by now; return the intended starts (s)."""
        reached = min(self.total, math.floor(elapsed_s / self.interval_s + 1e-9) + 1)
        due = [index * self.interval_s for index in range(self._next, reached)]
        self._next = max(self._next, reached)
        return due
