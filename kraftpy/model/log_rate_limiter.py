"""How often the same message is logged, so that a peer which repeats itself does not fill the log.

A client that reaches a port can cause log lines as fast as it can send. So the first messages of one source are logged,
further ones are dropped and counted until an interval is over. The caller passes the time; nothing here reads a clock.

Source: ``printk_ratelimit`` of Linux (interval, burst, count of the suppressed messages).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

REPEAT_MS: Final = 10_000
"""Interval in which the messages of one key are counted, by default (ms)."""

REASONS_MAX: Final = 100
"""Keys within one interval, by default; the messages of further keys are dropped."""


class LogRateLimiter:
    """Messages logged by key (source, message), each at most ``burst`` times in an interval."""

    __slots__ = ("_burst", "_interval_ms", "_keys_max", "_windows")

    def __init__(self, *, burst: int = 1, keys_max: int | None = REASONS_MAX, interval_ms: int = REPEAT_MS) -> None:
        """Start with nothing logged; ``keys_max`` is ``None`` where the keys are bounded otherwise."""
        self._burst = burst
        self._interval_ms = interval_ms
        self._keys_max = keys_max
        self._windows: dict[tuple[Hashable, Hashable], _Window] = {}

    def should_log(self, source: Hashable, message: Hashable, now_ms: int) -> bool:
        """Return whether to log a message now, and count it."""
        return self.admit(source, message, now_ms) is not None

    def admit(self, source: Hashable, message: Hashable, now_ms: int) -> int | None:
        """Count a message; return ``None`` to drop it, else how many of its key were dropped since the last one.

        A time below the start of the interval starts another interval, as after a clock was set back.
        """
        key = (source, message)
        window = self._windows.get(key)
        if window is None and not self._has_space(now_ms):
            return None
        if window is None or not self._contains(window, now_ms):
            dropped = 0 if window is None else window.dropped
            self._windows[key] = _Window(now_ms)
            return dropped
        if window.logged == self._burst:
            window.dropped += 1
            return None
        window.logged += 1
        return 0

    def _has_space(self, now_ms: int) -> bool:
        if self._keys_max is None or len(self._windows) < self._keys_max:
            return True
        self._windows = {key: window for key, window in self._windows.items() if self._contains(window, now_ms)}
        return len(self._windows) < self._keys_max

    def _contains(self, window: _Window, now_ms: int) -> bool:
        return 0 <= now_ms - window.start_ms < self._interval_ms


class _Window:
    """The messages of one key since the first of an interval, which counts as logged."""

    __slots__ = ("dropped", "logged", "start_ms")

    def __init__(self, start_ms: int) -> None:
        self.start_ms = start_ms
        self.logged = 1
        self.dropped = 0
