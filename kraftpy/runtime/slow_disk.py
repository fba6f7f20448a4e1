"""Find out whether the disk of a leader is the slowest of its quorum.

A leader does not know how long the others' disks take; it knows when a majority of them has a batch. On a slow disk it
hears their fetches while its own flush runs (:mod:`kraftpy.runtime.driver`), so a batch may be committed before the
leader has it. Where that is the rule, the leader's disk is slower than those of a majority, and a follower would lead
better. Where it is not, others are as slow, and to hand over would gain nothing.
"""

from __future__ import annotations

from collections import deque
from typing import Final

WINDOW_MS: Final = 10_000
"""Over how long the flushes are looked at; a leader is not judged earlier."""

FLUSHES_MIN: Final = 4
"""With fewer in that time nothing is known."""

FLUSHES_MAX: Final = 1_000
"""How many of them are looked at, the latest; only a fast disk has more."""

SLOW_FLUSH_MS: Final = 100
"""A disk is slow whose median is this long: a tenth of the default election timeout."""

OVERTAKEN_PERCENT: Final = 90
"""It is the slowest if this part of its flushes ended after the others had committed what they were for."""


class SlowDiskDetector:
    """Judges the flushes of a leader."""

    def __init__(self) -> None:
        self._since_ms: int | None = None
        self._flushes: deque[tuple[int, float, bool]] = deque(maxlen=FLUSHES_MAX)

    def reset(self) -> None:
        """Forget all flushes: this node does not lead."""
        self._since_ms = None
        self._flushes.clear()

    def flushed(self, now_ms: int, took_ms: float, *, is_overtaken: bool) -> None:
        """Count a flush of this leader.

        Args:
            now_ms: when it ended.
            took_ms: how long the disk took.
            is_overtaken: whether what it made durable was committed before.
        """
        if self._since_ms is None:
            self._since_ms = now_ms
        self._flushes.append((now_ms, took_ms, is_overtaken))
        while self._flushes[0][0] <= now_ms - WINDOW_MS:
            self._flushes.popleft()

    def median_ms(self) -> float:
        """Return how long half of the flushes took at least; 0 without any."""
        times = sorted(took_ms for _, took_ms, _ in self._flushes)
        return times[len(times) // 2] if times else 0.0

    def is_slowest(self, now_ms: int) -> bool:
        """Return whether this leader's disk is slow, and slower than those of a majority, and has been for long."""
        if self._since_ms is None or now_ms - self._since_ms < WINDOW_MS or len(self._flushes) < FLUSHES_MIN:
            return False
        overtaken = sum(is_overtaken for _, _, is_overtaken in self._flushes)
        if overtaken * 100 < OVERTAKEN_PERCENT * len(self._flushes):
            return False
        return self.median_ms() >= SLOW_FLUSH_MS
