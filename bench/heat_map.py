"""Latencies around a kill as counts in cells: time across, latency up on a logarithmic scale.

The writes of all kills are laid over one another: a write's column is when it was due, in time since the kill, and its
row is its latency. A median hides that a tenth of the writes took a second, and a line of percentiles hides when.
Intervals are half-open, ``[from, to)``. What took less than the lowest row is in the lowest, what took longer than the
highest in the highest; what was due outside of the columns is not counted; what was never acknowledged has no latency,
and is counted apart.

Source: B. Gregg, "Visualizing System Latency", Communications of the ACM 53(7), 2010.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

BEFORE_S = 1.0
AFTER_S = 3.0
"""How much is shown before and after the kill."""

COLUMN_MS = 50
TIME_EDGES_MS = tuple(range(round(-BEFORE_S * 1000), round(AFTER_S * 1000) + 1, COLUMN_MS))
COLUMNS = len(TIME_EDGES_MS) - 1

ROWS_PER_DECADE = 10
DECADES = (-1, 4)
"""From 0.1 ms to 10 s, as powers of ten of a millisecond."""

LATENCY_EDGES_MS = tuple(
    float(f"{10 ** (DECADES[0] + step / ROWS_PER_DECADE):.4g}")
    for step in range((DECADES[1] - DECADES[0]) * ROWS_PER_DECADE + 1)
)
"""With four digits, so that those of a file are those that were used."""
ROWS = len(LATENCY_EDGES_MS) - 1


def column_of(since_kill_ms: float) -> int | None:
    """Return the column of a write that was due then; ``None`` outside of all columns."""
    if not TIME_EDGES_MS[0] <= since_kill_ms < TIME_EDGES_MS[-1]:
        return None
    return bisect_right(TIME_EDGES_MS, since_kill_ms) - 1


def row_of(latency_ms: float) -> int:
    """Return the row of a latency; the lowest and the highest have what lies beyond."""
    return min(max(bisect_right(LATENCY_EDGES_MS, latency_ms) - 1, 0), ROWS - 1)


@dataclass(slots=True)
class HeatMap:
    """Writes around kills.

    Attributes:
        kills: how many are laid over one another.
        counts: writes by row, lowest latency first, and column.
        failed: writes that were never acknowledged, by column.
    """

    kills: int = 0
    counts: list[list[int]] = field(default_factory=lambda: [[0] * COLUMNS for _ in range(ROWS)])
    failed: list[int] = field(default_factory=lambda: [0] * COLUMNS)

    def add_kill(self, killed_at: float, due: Sequence[float], latencies_ms: Sequence[float | None]) -> None:
        """Count the writes around one kill.

        Args:
            killed_at: when, in seconds.
            due: when each write should have started, on the same clock.
            latencies_ms: from there to its acknowledgement; ``None`` where none came.
        """
        self.kills += 1
        for at, latency_ms in zip(due, latencies_ms, strict=True):
            column = column_of((at - killed_at) * 1000)
            if column is None:
                continue
            by_column = self.failed if latency_ms is None else self.counts[row_of(latency_ms)]
            by_column[column] += 1

    def merge(self, other: HeatMap) -> None:
        """Lay the kills of another over these."""
        self.kills += other.kills
        for into, counts in zip((*self.counts, self.failed), (*other.counts, other.failed), strict=True):
            into[:] = map(sum, zip(into, counts, strict=True))

    @property
    def failed_writes(self) -> int:
        """Writes that were never acknowledged."""
        return sum(self.failed)

    @property
    def writes(self) -> int:
        """All writes that were due in the columns, the failed ones among them."""
        return sum(map(sum, self.counts)) + self.failed_writes

    @property
    def largest(self) -> int:
        """The count of the fullest cell; those of failed writes are cells, too."""
        return max(map(max, (*self.counts, self.failed)))

    def rows_in_use(self) -> range:
        """Return the rows of the whole decades in which there are writes; empty when there are none."""
        used = [row for row, counts in enumerate(self.counts) if any(counts)]
        if not used:
            return range(0)
        first, last = used[0] // ROWS_PER_DECADE, used[-1] // ROWS_PER_DECADE
        return range(first * ROWS_PER_DECADE, (last + 1) * ROWS_PER_DECADE)

    def as_json(self) -> dict[str, Any]:
        """Return it as a plain object: the edges, and each cell that is not empty as column, row, count."""
        return {
            "kills": self.kills,
            "writes": self.writes,
            "failed_writes": self.failed_writes,
            "time_edges_ms": list(TIME_EDGES_MS),
            "latency_edges_ms": list(LATENCY_EDGES_MS),
            "cells": [
                [column, row, count]
                for row, counts in enumerate(self.counts)
                for column, count in enumerate(counts)
                if count
            ],
            "failed": [[column, count] for column, count in enumerate(self.failed) if count],
        }
