"""Limit the connection rate of strangers: a token bucket of one second's connections, filled at the rate.

An accepted connection without a token is closed at once. Kafka delays it, and all others after it; here no client can
delay a voter that way: an address of a voter needs no token. These are the addresses of the voters' endpoints, and
those from which voters recently sent requests (:mod:`~kraftpy.transport.kafka.voter_connections`).

Source: Kafka ``max.connection.creation.rate`` (KIP-612).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

CREATION_RATE_MAX: Final = 2**31 - 1
"""Kafka's default of ``max.connection.creation.rate``: no limit. In connections per second."""


class CreationRate:
    """The tokens of one listener.

    Args:
        per_second: how many strangers' connections are accepted per second; 0 accepts none.
        clock: returns the time (s).

    Attributes:
        refused: how many connections were closed by this limit since the start.
    """

    def __init__(self, per_second: int, clock: Callable[[], float]) -> None:
        self.per_second = per_second
        self._clock = clock
        self._tokens = float(per_second)
        # Of a rate that was raised: tokens that were neither used nor given yet.
        self._withheld = 0.0
        self._filled_at: float | None = None
        self.refused = 0

    def change(self, per_second: int) -> None:
        """Accept as many per second from now on; what was accepted within this second counts."""
        self._fill()
        used = self.per_second - self._tokens - self._withheld
        self._tokens = min(self._tokens, float(per_second))
        self.per_second = per_second
        self._withheld = max(0.0, per_second - self._tokens - used)

    @property
    def used(self) -> int:
        """How many of a second's connections were made."""
        self._fill()
        return round(self.per_second - self._tokens - self._withheld)

    def admit(self) -> bool:
        """Take a token for a stranger's connection; false when there is none."""
        self._fill()
        if self._tokens < 1:
            self.refused += 1
            return False
        self._tokens -= 1
        return True

    def _fill(self) -> None:
        now = self._clock()
        if self._filled_at is not None:
            self._tokens = min(self.per_second, self._tokens + (now - self._filled_at) * self.per_second)
            self._withheld = min(self._withheld, self.per_second - self._tokens)
        self._filled_at = now
