"""A token bucket that may go into debt.

Tokens come at the quota's rate, up to its burst. What is taken may be more than there is; then the bucket owes, and is
exceeded until the debt is paid. So one operation of any size is possible, and is paid for afterwards.

The rate is an argument of every call, because the quota may change: tokens and debt stay, and from the next call on
they grow at the new rate. Kafka does the same.

Source: Kafka ``TokenBucket``; KIP-599.
"""

from __future__ import annotations

import math
from typing import Final

THROTTLE_MS_MAX: Final = 2**31 - 1
"""The largest ThrottleTimeMs that a response can carry. Kafka sends 0 for a longer time: its number overflows."""

FRACTION_MS: Final = 1e-3
"""What the arithmetic may leave beyond a whole number of milliseconds."""

DEBT_MIN: Final = 1e-6
"""What is owed at least; less is left over by the arithmetic, from a client that has waited long enough."""


class TokenBucket:
    """Tokens at a time. A new bucket is full.

    Args:
        burst_s: how many seconds of tokens the bucket holds.
    """

    __slots__ = ("_burst_s", "_tokens", "_updated_ms")

    def __init__(self, burst_s: float) -> None:
        self._burst_s = burst_s
        self._tokens: float | None = None
        self._updated_ms = 0

    def tokens(self, rate: float, now_ms: int) -> float:
        """Return how many tokens there are, negative for a debt, after those that came since the last call."""
        burst = self._burst_s * rate
        if self._tokens is None:
            self._tokens = burst
        else:
            elapsed_s = max(0, now_ms - self._updated_ms) / 1000
            self._tokens = min(burst, self._tokens + rate * elapsed_s)
        self._updated_ms = now_ms
        return self._tokens

    def take(self, count: float, rate: float, now_ms: int) -> None:
        """Take tokens, whether they are there or not."""
        self._tokens = self.tokens(rate, now_ms) - count

    def debt_ms(self, rate: float, now_ms: int) -> int:
        """Return how long it takes until the debt is paid (ms, rounded up); 0 when there is none."""
        owed = -self.tokens(rate, now_ms)
        if owed < DEBT_MIN:
            return 0
        if not rate > 0 or owed * 1000 >= THROTTLE_MS_MAX * rate:
            return THROTTLE_MS_MAX
        return math.ceil(owed / rate * 1000 - FRACTION_MS)
