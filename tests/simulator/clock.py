"""A node's clock: off by some time, quicker or slower than the world's, and sometimes ahead at once."""

from __future__ import annotations

from collections.abc import Callable

EPOCH_MS = 1_700_000_000_000
"""When all simulations begin: timestamps of records look like timestamps."""

PER_MILLE = 1_000
US_PER_MS = 1_000


class SkewedClock:
    """Satisfies ``runtime.clock.Clock``.

    Attributes:
        offset_ms: how far it is off at the beginning.
        rate: of its milliseconds, how many go by in 1,000 of the world's.
    """

    def __init__(self, world_ms: Callable[[], int], *, offset_ms: int = 0, rate: int = PER_MILLE) -> None:
        self._world_ms = world_ms
        self.offset_ms = offset_ms
        self.rate = rate
        self._busy_to_us = 0

    def jump(self, ahead_ms: int) -> None:
        """Let time go by at once, as a machine that was suspended sees it; never backwards."""
        self.offset_ms += ahead_ms

    def spend(self, for_us: int) -> None:
        """Let the node work for so long (microseconds): its clock runs ahead of the world, which waits for it."""
        if for_us:
            self._busy_to_us = max(self._busy_to_us, self._world_ms() * US_PER_MS) + for_us

    @property
    def busy_ms(self) -> int:
        """How long the world has to go on until the node is done with what it does."""
        return max(0, self._busy_to_us // US_PER_MS - self._world_ms())

    def now_ms(self) -> int:
        """Return the node's own time."""
        return EPOCH_MS + self.offset_ms + (self._world_ms() + self.busy_ms) * self.rate // PER_MILLE

    def world_delay_ms(self, own_ms: int) -> int:
        """Return how long the world waits until so much of this clock's time has gone by."""
        return -(-own_ms * PER_MILLE // self.rate)

    def own_delay_ms(self, world_ms: int) -> int:
        """Return how much of this clock's time goes by while so much of the world's does."""
        return world_ms * self.rate // PER_MILLE
