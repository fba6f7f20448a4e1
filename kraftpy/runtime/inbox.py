"""The driver's inbox: one bounded queue of things to do, and the wake-up that goes with it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from kraftpy.model.errors import BusyError

INBOX_ITEMS_MAX = 100_000
"""How many items may wait for the driver; beyond, only what this node itself began is taken."""


class Inbox:
    """Thunks for the driver's task, in order. Everything that changes a replica goes through here.

    An item is a callable that runs in the driver's turn and receives the turn's ``now_ms``. Items must not block and
    must not raise for a client's mistake: they answer their own futures.
    """

    def __init__(self) -> None:
        self._items: deque[Callable[[int], None]] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._woken = False

    def __len__(self) -> int:
        return len(self._items)

    def put_nowait(self, item: Callable[[int], None]) -> None:
        """Queue an item and wake the driver.

        Raises:
            BusyError: when the inbox is full; the item was not queued.
        """
        if self.is_full:
            raise BusyError(f"the node has {INBOX_ITEMS_MAX} things to do already; try again later")
        self.put_owed(item)

    def put_owed(self, item: Callable[[int], None]) -> None:
        """Queue the end of something that this node began (an answer to its request, a finished snapshot).

        It is never refused: whoever waits for it would wait for ever. What was begun is bounded, and so are its ends.
        """
        self._items.append(item)
        self.wake()

    @property
    def is_full(self) -> bool:
        """Whether :meth:`put_nowait` refuses."""
        return len(self._items) >= INBOX_ITEMS_MAX

    def wake(self) -> None:
        """Let the driver take its next turn now, or right after the present one."""
        if self._wake is None:
            # A flush may end, or a turn may ask for another, while nobody waits.
            self._woken = True
        elif not self._wake.done():
            self._wake.set_result(None)

    def take(self) -> deque[Callable[[int], None]]:
        """Take all that is queued."""
        items, self._items = self._items, deque()
        return items

    async def wait(self, timeout_ms: int | None) -> None:
        """Return when there is something to take, ``wake`` was called, or the time is over."""
        woken, self._woken = self._woken, False
        if self._items or woken:
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
