"""The one place where time is read.

A node's ``now_ms`` starts as the wall clock's epoch milliseconds and then advances with the monotonic clock, so a jump
of the wall clock (NTP step, an operator's hand) moves neither deadlines nor timestamps, forwards or backwards. The
price: after years of uptime the value may drift from the wall by the drift of the machine's oscillator, and what the
wall clock said wrongly at the start is believed until the next one. The metric ``kraft_wall_clock_ahead_ms`` shows it.

Time that passed while the machine was suspended counts, where the platform supports it (Linux's CLOCK_BOOTTIME; its
CLOCK_MONOTONIC stops meanwhile). So the clock may jump ahead, as a stopped process sees it do, too: a leader that finds
more time gone than it may go without hearing of a majority resigns before it does anything else
(``raft.replica.Replica.step``).
"""

from __future__ import annotations

import time
from typing import Final, Protocol

_SINCE_BOOT: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", None)


def elapsed_ns() -> int:
    """Return nanoseconds of a monotonic clock."""
    return time.monotonic_ns() if _SINCE_BOOT is None else time.clock_gettime_ns(_SINCE_BOOT)


def wall_ms() -> int:
    """Return what the wall clock says now, in milliseconds since 1970: to be shown, and for nothing else."""
    return time.time_ns() // 1_000_000


class Clock(Protocol):
    """What the shell needs of time."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970, never less than the last answer."""
        ...


class SystemClock:
    """The machine's clock: wall time at construction plus the time that passed since."""

    def __init__(self) -> None:
        self._offset_ms = wall_ms() - elapsed_ns() // 1_000_000

    def now_ms(self) -> int:
        """Return milliseconds since 1970 as this process counts them."""
        return elapsed_ns() // 1_000_000 + self._offset_ms
