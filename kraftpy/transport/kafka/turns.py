"""Schedule a listener's requests, a bounded number per turn of the loop, so that no flood delays other connections.

A connection that has requests asks :meth:`RequestTurns.admit` before each. In one turn of the loop strangers get
:data:`REQUESTS_PER_PASS_MAX` requests handled, or as many as :data:`PASS_MS` allows; the rest waits, undecoded, and its
connection is not read. The next turn serves the waiting connections in order, a few requests each: those with few
requests so far first, because a voter that has just connected is a stranger until its first request.

A connection of a voter (:mod:`~kraftpy.transport.kafka.voter_connections`) is admitted at once while it has no more
than :data:`VOTER_REQUESTS_MAX` requests in progress.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

REQUESTS_PER_PASS_MAX: Final = 128
"""How many requests of strangers one turn of the loop handles."""

PASS_MS: Final = 5
"""A turn of the loop handles no further request of a stranger when it has spent this long (ms) on them."""

REQUESTS_PER_VISIT_MAX: Final = 8
"""How many requests of one waiting connection are handled before it is the next one's turn."""

FRESH_REQUESTS: Final = 4
"""Up to this number of requests a connection is served ahead of those with more."""

VOTER_REQUESTS_MAX: Final = 16
"""How many requests of a voter's connection may be under way before it waits as a stranger's does."""

QUEUED_REQUESTS_MAX: Final = 500
"""Kafka's default of ``queued.max.requests``: how many requests of strangers may wait for the node's turn."""


class TurnTaker(Protocol):
    """A connection that has requests."""

    @property
    def is_urgent(self) -> bool:
        """Whether it is a voter's and has few requests under way."""
        ...

    @property
    def handled(self) -> int:
        """How many requests of it were handled so far."""
        ...

    def work_off(self) -> None:
        """Handle requests as long as they are admitted."""
        ...


class RequestTurns:
    """The order in which one listener's connections are served.

    Args:
        may_queue: whether the node takes further requests of strangers; asked again in every turn of the loop.
    """

    def __init__(self, may_queue: Callable[[], bool]) -> None:
        self.may_queue = may_queue
        self._fresh: OrderedDict[TurnTaker, None] = OrderedDict()
        self._others: OrderedDict[TurnTaker, None] = OrderedDict()
        self._left = REQUESTS_PER_PASS_MAX
        self._ends_at: float | None = None
        self._visited: TurnTaker | None = None
        self._visit_left = 0

    @property
    def waiting(self) -> int:
        """How many connections wait for their turn."""
        return len(self._fresh) + len(self._others)

    def admit(self, guest: TurnTaker) -> bool:
        """Return whether the next request of a connection may be handled now; if not, it is called when it may be."""
        if guest.is_urgent:
            return True
        if self._ends_at is None:
            self._begin_pass()
        if self._visited is guest:
            is_next = self._visit_left > 0
            self._visit_left -= 1
        else:
            # A new connection is not served ahead of those that wait.
            is_next = not self.waiting
        if is_next and self._has_room():
            self._left -= 1
            return True
        queue = self._fresh if guest.handled < FRESH_REQUESTS else self._others
        queue[guest] = None
        return False

    def forget(self, guest: TurnTaker) -> None:
        """Take a connection out that has ended."""
        self._fresh.pop(guest, None)
        self._others.pop(guest, None)

    def _has_room(self) -> bool:
        if self._left <= 0 or not self.may_queue():
            return False
        is_first = self._left == REQUESTS_PER_PASS_MAX
        return is_first or self._ends_at is None or asyncio.get_running_loop().time() < self._ends_at

    def _begin_pass(self) -> None:
        loop = asyncio.get_running_loop()
        self._left = REQUESTS_PER_PASS_MAX
        self._ends_at = loop.time() + PASS_MS / 1_000
        loop.call_soon(self._next_pass)

    def _next_pass(self) -> None:
        self._ends_at = None
        if not self.waiting:
            return
        self._begin_pass()
        while self.waiting and self._has_room():
            # Each visit handles a request, or takes the connection out of its queue.
            guest, _ = (self._fresh or self._others).popitem(last=False)
            self._visit(guest)

    def _visit(self, guest: TurnTaker) -> None:
        self._visited, self._visit_left = guest, REQUESTS_PER_VISIT_MAX
        try:
            guest.work_off()
        finally:
            self._visited = None
