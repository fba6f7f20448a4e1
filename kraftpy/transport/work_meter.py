"""How long this process works on one request, in pieces.

A request is worked on several times: when it comes, when it is decided, when it is answered. Between these it waits,
and that does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType


class WorkMeter:
    """Adds up the time inside its ``with`` blocks; a block inside another one is not counted twice."""

    __slots__ = ("_begun_ns", "_charged_ns", "_clock_ns", "_depth", "_spent_ns")

    def __init__(self, clock_ns: Callable[[], int] = time.perf_counter_ns) -> None:
        self._clock_ns = clock_ns
        self._depth = 0
        self._begun_ns = 0
        self._spent_ns = 0
        self._charged_ns = 0

    def __enter__(self) -> None:
        """Begin to count."""
        if self._depth == 0:
            self._begun_ns = self._clock_ns()
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop counting."""
        self._depth -= 1
        if self._depth == 0:
            self._spent_ns += self._clock_ns() - self._begun_ns

    def take(self) -> int:
        """Return the nanoseconds that were counted since the last call."""
        running = self._clock_ns() - self._begun_ns if self._depth else 0
        spent_ns = self._spent_ns + running - self._charged_ns
        self._charged_ns += spent_ns
        return spent_ns
