"""The source of randomness that pure packages are given."""

from __future__ import annotations

from typing import Protocol


class Jitter(Protocol):
    """Where random numbers come from; seeded in the simulator."""

    def below(self, bound: int) -> int:
        """Draw an integer in ``[0, bound)``; 0 when ``bound`` is 0."""
        ...
