"""Rate limiter for log messages about peers, so that a peer which repeats itself does not fill the log.

Whoever reaches the port can be refused as often as it can send; a line for each would hide every other line and fill a
disk. So the same word about the same peer is said once in ``REPEAT_MS``, and no more than ``REASONS_MAX`` different
ones in that time, whoever they are about.

Source: the rate limit of Linux' ``printk`` (the shape: first word at once, then silence for an interval).
"""

from __future__ import annotations

from typing import Final

from kraftpy.model.ids import NodeId

REPEAT_MS: Final = 10_000
"""The same reason is logged about the same peer at most once in this time."""

REASONS_MAX: Final = 100
"""How many different messages are logged within ``REPEAT_MS``; more than that are dropped."""


class LogRateLimiter:
    """When each (peer, reason) was logged last; never more than REASONS_MAX of them are remembered."""

    __slots__ = ("_last_ms",)

    def __init__(self) -> None:
        self._last_ms: dict[tuple[NodeId | None, str], int] = {}

    def should_log(self, node_id: NodeId | None, reason: str, now_ms: int) -> bool:
        """Return whether this is to be logged now, and if so remember that it was."""
        word = (node_id, reason)
        last_ms = self._last_ms.get(word)
        if last_ms is not None and now_ms - last_ms < REPEAT_MS:
            return False
        if last_ms is None and len(self._last_ms) >= REASONS_MAX:
            self._last_ms = {each: at_ms for each, at_ms in self._last_ms.items() if now_ms - at_ms < REPEAT_MS}
            if len(self._last_ms) >= REASONS_MAX:
                return False
        self._last_ms[word] = now_ms
        return True
