"""Randomness for timers; the simulator injects a seeded one instead."""

from __future__ import annotations

import random


class SystemJitter:
    """Seeded from the system, one per machine that draws."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def below(self, bound: int) -> int:
        """Draw an integer in ``[0, bound)``; 0 when ``bound`` is 0."""
        return self._random.randrange(bound) if bound > 0 else 0
