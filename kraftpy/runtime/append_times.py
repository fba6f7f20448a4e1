"""How long it takes from an append of the leader until the quorum has committed it.

An entry for each append that waits, whatever the number of its records; what only a later leader commits is not
measured, for its append was not this leader's to wait for.

Source: Kafka ``KafkaRaftMetrics.updateCommitLatency``.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from kraftpy.model.offsets import Epoch, Offset
from kraftpy.runtime.durations import DurationCounts

WAITING_MAX: Final = 10_000
"""How many appends are measured at a time; while a quorum without a majority lets more wait, those are not."""


class AppendTimes:
    """The appends of a leader that wait for their commit, and how long the others took.

    Attributes:
        durations: of each append that was committed, from its begin until this replica knew of the commit.
    """

    __slots__ = ("_epoch", "_waiting", "durations")

    def __init__(self) -> None:
        self.durations = DurationCounts()
        self._waiting: deque[tuple[Offset, int]] = deque()
        self._epoch: Epoch = -1

    def appended(self, end_offset: Offset, epoch: Epoch, now_ms: int) -> None:
        """Begin to measure an append that ends at an offset; what was appended in another epoch is forgotten."""
        if epoch != self._epoch:
            self._epoch = epoch
            self._waiting.clear()
        if len(self._waiting) < WAITING_MAX:
            self._waiting.append((end_offset, now_ms))

    def committed(self, high_watermark: Offset | None, now_ms: int) -> None:
        """Count the appends below the high watermark."""
        waiting = self._waiting
        while waiting and high_watermark is not None and waiting[0][0] <= high_watermark:
            self.durations.add(now_ms - waiting.popleft()[1])

    def forget(self) -> None:
        """Forget what waits: the replica leads no longer."""
        self._waiting.clear()
