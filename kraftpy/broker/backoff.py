"""Waiting longer after each failure, and never in step with others.

Source: Kafka ``ExponentialBackoff``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kraftpy.model.jitter import Jitter

DOUBLINGS_MAX: Final = 30
"""Beyond this no sensible limit is left to reach; it keeps the shift small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """``first_ms`` times two for every failure, at most ``longest_ms``, give or take ``jitter_percent``."""

    first_ms: int = 100
    longest_ms: int
    jitter_percent: int = 2

    def after(self, failures: int, jitter: Jitter) -> int:
        """Return the delay (ms) after that many failures before this one."""
        delay_ms = min(self.first_ms << min(failures, DOUBLINGS_MAX), self.longest_ms)
        spread_ms = delay_ms * self.jitter_percent // 100
        return min(delay_ms - spread_ms + jitter.below(2 * spread_ms + 1), self.longest_ms)
