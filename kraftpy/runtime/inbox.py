"""The driver's inbox: two bounded lanes of things to do, and the wake-up that goes with them.

A turn of the driver takes a slice, not everything: first what waits in the urgent lane, then of the ordinary lane as
much as :data:`ITEMS_PER_TURN_MAX` and :data:`TURN_MS` allow. In the urgent lane are voters' requests, the answers to
our own requests and whatever this node itself has begun; in the ordinary lane are the requests of everybody else, and
calls of the public API. So what strangers ask delays a voter's fetch by one slice at most, however much they ask.

Within a lane the order is kept. Between the lanes there is none, and nothing depends on one: what a peer answers and
what it asks travel on different connections anyway, and an abandoned request that still waits here is forgotten
(:mod:`kraftpy.runtime.peer_requests`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from kraftpy.model.errors import BusyError

INBOX_ITEMS_MAX = 100_000
"""How many items may wait in the ordinary lane; one more is refused."""

URGENT_ITEMS_PER_TURN_MAX = 256
"""How many items of the urgent lane one turn takes. Honest voters have a handful under way."""

ITEMS_PER_TURN_MAX = 128
"""How many items of the ordinary lane one turn takes."""

TURN_MS = 5
"""A turn takes no further item of the ordinary lane when it has spent this long (ms) on them. At least one is taken."""

Item: TypeAlias = Callable[[int], None]


class Inbox:
    """Thunks for the driver's task. Everything that changes a replica goes through here.

    An item is a callable that runs in the driver's turn and receives the turn's ``now_ms``. Items must not block and
    must not raise for a client's mistake: they answer their own futures.
    """

    def __init__(self) -> None:
        self._urgent: deque[Item] = deque()
        self._ordinary: deque[Item] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._woken = False

    def __len__(self) -> int:
        return len(self._urgent) + len(self._ordinary)

    @property
    def ordinary(self) -> int:
        """How many items wait in the ordinary lane."""
        return len(self._ordinary)

    def put_nowait(self, item: Item) -> None:
        """Queue an ordinary item and wake the driver.

        Raises:
            BusyError: when the lane is full; the item was not queued.
        """
        if self.is_full:
            raise BusyError(f"the node has {INBOX_ITEMS_MAX} things to do already; try again later")
        self._ordinary.append(item)
        self.wake()

    def put_unbounded(self, item: Item) -> None:
        """Queue an urgent item: a voter's request, or the end of something that this node began.

        It is never rejected, because its waiter would wait forever. Operations in progress are bounded, and so are
        their completions; the caller bounds the requests of voters.
        """
        self._urgent.append(item)
        self.wake()

    @property
    def is_full(self) -> bool:
        """Whether :meth:`put_nowait` refuses."""
        return len(self._ordinary) >= INBOX_ITEMS_MAX

    def wake(self) -> None:
        """Let the driver take its next turn now, or right after the present one."""
        if self._wake is None:
            # A flush may end, or a turn may request another, while no task waits.
            self._woken = True
        elif not self._wake.done():
            self._wake.set_result(None)

    def work_off(self, now_ms: int, clock: Callable[[], int]) -> None:
        """Run one slice of the queue; items queued meanwhile wait for the next slice.

        Args:
            now_ms: the turn's time, for the items.
            clock: returns the time (ms), to end the slice.
        """
        for _ in range(min(len(self._urgent), URGENT_ITEMS_PER_TURN_MAX)):
            self._urgent.popleft()(now_ms)
        ends_ms = clock() + TURN_MS
        for _ in range(min(len(self._ordinary), ITEMS_PER_TURN_MAX)):
            self._ordinary.popleft()(now_ms)
            if clock() >= ends_ms:
                break

    async def wait(self, timeout_ms: int | None) -> None:
        """Return when there is something to take, ``wake`` was called, or the time is over."""
        woken, self._woken = self._woken, False
        if self._urgent or self._ordinary or woken:
            return
        loop = asyncio.get_running_loop()
        self._wake = loop.create_future()
        timer = None if timeout_ms is None else loop.call_later(max(timeout_ms, 0) / 1_000, self.wake)
        try:
            await self._wake
        finally:
            self._wake = None
            if timer is not None:
                timer.cancel()
