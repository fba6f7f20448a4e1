"""Limit the bytes that a listener holds for all strangers' connections together: of responses, and of requests.

The bytes of one connection are bounded where it is handled; that does not bound a thousand connections. So

*   unread responses share :data:`ANSWER_BYTES_MAX`. A Fetch or FetchSnapshot is filled with what is left of it. When it
    is used up, except for one large response, requests with large responses wait, and so do connections with unread
    responses; of those, one that has read too little for :data:`ANSWER_SITS_MAX_MS` is closed while others wait;
*   requests received, complete or partial, and not answered share :data:`REQUEST_BYTES_MAX`. Above it, the connection
    that holds most of them is closed.

Voters' connections are neither counted nor closed; they are few
(:mod:`~kraftpy.transport.kafka.voter_connections`), and each has its own limits.

Source: Kafka ``queued.max.request.bytes`` (there, sockets are muted until memory is free).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final, Protocol

ANSWER_BYTES_MAX: Final = 64 * 1024 * 1024
"""How many bytes of answers strangers' connections may have waiting."""

ANSWER_BYTES_MIN: Final = 64 * 1024
"""What a Fetch may be answered with even when nothing is left."""

LARGE_ANSWER_BYTES: Final = 8 * 1024 * 1024
"""When less than this is left, or an eighth of a smaller budget, it is spent: a fetch that is admitted finds room."""

ANSWER_SITS_MAX_MS: Final = 5_000
"""Who has not taken half of the answers that wait for it in this time is closed, if others wait for their place."""

REQUEST_BYTES_MAX: Final = 32 * 1024 * 1024
"""Default of ``queued.max.request.bytes``; Kafka's is no limit."""

CHECK_S: Final = 0.1
"""How often those who wait for others' answers to leave look again."""


class AnswerHolder(Protocol):
    """A connection that has bytes waiting."""

    @property
    def is_voters(self) -> bool:
        """Whether it spoke as a voter."""
        ...

    @property
    def answer_bytes(self) -> int:
        """How many bytes of answers wait to be read by its peer."""
        ...

    def work_off(self) -> None:
        """Handle requests as long as they are admitted."""
        ...

    def evict(self, reason: str) -> None:
        """Close it now."""
        ...


class AnswerBudget:
    """The bytes of answers that wait.

    Attributes:
        closed: how many connections were closed, ever, because they sat on their answers.
        waited: how often a request had to wait, ever.
    """

    def __init__(self, bytes_max: int = ANSWER_BYTES_MAX) -> None:
        self.bytes_max = bytes_max
        self._spent_at = bytes_max - min(LARGE_ANSWER_BYTES, bytes_max // 8)
        self._sitting: dict[AnswerHolder, tuple[int, float]] = {}
        self._waiting: OrderedDict[AnswerHolder, None] = OrderedDict()
        # Never less than what there is: bytes that left are noticed when it matters.
        self._at_most = 0
        self._timer: asyncio.TimerHandle | None = None
        self.closed = 0
        self.waited = 0

    def added(self, holder: AnswerHolder, count: int) -> None:
        """Take it that an answer waits."""
        self._at_most += count
        if holder not in self._sitting:
            self._sitting[holder] = (0, asyncio.get_running_loop().time())

    @property
    def used(self) -> int:
        """How many bytes strangers have waiting now."""
        now, total = asyncio.get_running_loop().time(), 0
        for holder, (mark, since) in tuple(self._sitting.items()):
            count = holder.answer_bytes
            if not count:
                del self._sitting[holder]
                continue
            if count * 2 <= mark:
                self._sitting[holder] = (count, now)
            elif count > mark:
                self._sitting[holder] = (count, since)
            if not holder.is_voters:
                total += count
        self._at_most = total
        return total

    @property
    def is_spent(self) -> bool:
        """Whether there is no room for a large answer."""
        return self._at_most >= self._spent_at and self.used >= self._spent_at

    @property
    def room(self) -> int:
        """How many bytes the next answer may have."""
        return max(ANSWER_BYTES_MIN, self.bytes_max - self.used)

    def wait(self, holder: AnswerHolder) -> None:
        """Have :meth:`AnswerHolder.work_off` called when something is left again."""
        if holder not in self._waiting:
            self._waiting[holder] = None
            self.waited += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(CHECK_S, self._check)

    def forget(self, holder: AnswerHolder) -> None:
        """Take a connection out that has ended."""
        self._sitting.pop(holder, None)
        self._waiting.pop(holder, None)

    def _check(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        while self._waiting and self.used >= self._spent_at:
            since, holder = min(
                ((since, holder) for holder, (_, since) in self._sitting.items() if not holder.is_voters),
                key=lambda each: each[0],
            )
            if loop.time() - since < ANSWER_SITS_MAX_MS / 1_000:
                self._timer = loop.call_later(CHECK_S, self._check)
                return
            self.closed += 1
            self.forget(holder)
            holder.evict(f"it does not read its answers, and others wait for the {self.bytes_max} bytes that may wait")
        waiting, self._waiting = self._waiting, OrderedDict()
        for each in waiting:
            each.work_off()
