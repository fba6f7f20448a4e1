"""Durations, counted by bucket: what a histogram shows, for the price of an addition each.

Only counts are kept, so a count may be taken for every write. How they are shown is not known here (``node.metrics``
does it).
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import Final

BOUNDS_MS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000)
"""The upper bounds of the buckets (ms), each included; a last bucket has what took longer. Clocks count whole
milliseconds, so what took less than one is in the first, and 30 s is how long a request waits at most."""


class DurationCounts:
    """How many durations are in each bucket, and their sum.

    Attributes:
        counts: by bucket, each without the buckets below it; the last is that above :data:`BOUNDS_MS`.
        sum_ms: of all durations.
    """

    __slots__ = ("counts", "sum_ms")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_MS) + 1)
        self.sum_ms = 0

    def add(self, duration_ms: int) -> None:
        """Count one duration."""
        self.counts[bisect_left(BOUNDS_MS, duration_ms)] += 1
        self.sum_ms += duration_ms

    @property
    def count(self) -> int:
        """How many durations were counted."""
        return sum(self.counts)

    @property
    def cumulative(self) -> list[int]:
        """By bucket, how many durations are in it or in one below it."""
        return list(accumulate(self.counts))
