"""The work that all watchers of a node share: one queue for their turns, and what was made of batches.

A watcher converts records, removes secrets and builds messages on the event loop, as consensus does. So all of it is
queued: in each turn of the loop, watchers together get SLICE_COST of work, first come, first served. Each has one piece
of work in the queue at most, and queues again for the next one, so that they take turns, and none waits for more than
one piece of each other.

Watchers that follow the end of the log convert the same batches at the same time. The first one does it, the others
wait for it, and the results of the latest batches are kept.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.transport.grpc.services.log_messages import LogMessages

SLICE_COST: Final = 200
"""How much work all watchers together do in one turn of the loop, in records that are converted: about 5 ms."""

COST_BYTES: Final = 512
"""Each this many bytes of records cost as much as one record more."""

MESSAGE_COST: Final = 10
"""What reading a part of the log and sending a message costs: about 0.2 ms."""

SENDING_COST: Final = 5
"""What of it is sending: all that a message costs that another watcher has read."""

SHOWN_PER_COST: Final = 10
"""How many records that another watcher converted cost as much as one to convert."""

KEPT_BYTES_MAX: Final = 16 * 1024 * 1024
"""How many bytes of batches, and of what was made of them, are kept for the next watcher."""

SHARED_BATCH_BYTES_MAX: Final = 64 * 1024
"""A larger batch is converted for each watcher, piece by piece: none has to hold all that is made of it."""


@dataclass(frozen=True, slots=True)
class Converted:
    """What was made of a batch.

    Attributes:
        items: of its records, in order.
        state: of the converter behind it.
        size: in bytes, about.
    """

    items: Sequence[Any]
    state: Any
    size: int


class WatchTurns:
    """The queue of pieces of work."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._is_granting = False

    def __len__(self) -> int:
        return len(self._waiting)

    async def take(self, cost: int = SLICE_COST) -> None:
        """Wait for the turn of a piece of work; it is done before the caller waits again.

        Args:
            cost: in records; a piece that costs more than a slice has a turn of the loop for itself.
        """
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append((cost, turn))
        if not self._is_granting:
            self._is_granting = True
            loop.call_soon(self._grant)
        await turn

    def _grant(self) -> None:
        """Let as many go on as one slice allows; the loop turns before the next one."""
        left = SLICE_COST
        while self._waiting:
            cost, turn = self._waiting[0]
            if turn.done():
                # Its watcher was cancelled.
                self._waiting.popleft()
                continue
            if cost > left and left < SLICE_COST:
                break
            self._waiting.popleft()
            left -= cost
            turn.set_result(None)
        self._is_granting = bool(self._waiting)
        if self._is_granting:
            asyncio.get_running_loop().call_soon(self._grant)


class WatchWork:
    """What the watchers of one node share.

    Attributes:
        turns: the queue of their work.
        messages: of the log, for watchers that are shown nothing besides.
        scanning: held by the one that looks for the end of a transaction.
    """

    def __init__(self) -> None:
        self.turns = WatchTurns()
        self.messages = LogMessages()
        self.scanning = asyncio.Lock()
        self._kept: OrderedDict[Hashable, Converted] = OrderedDict()
        self._kept_bytes = 0
        self._making: dict[Hashable, asyncio.Future[None]] = {}

    async def converted(self, key: Hashable, make: Callable[[], Awaitable[Converted]]) -> Converted:
        """Return what is made of a batch; made now, unless another watcher has made it or makes it already.

        Args:
            key: all that the result depends on.
            make: takes its turns itself.
        """
        loop = asyncio.get_running_loop()
        while (made := self._kept.get(key)) is None and (making := self._making.get(key)) is not None:
            await asyncio.wait({making})
        if made is not None:
            self._kept.move_to_end(key)
            await self.turns.take(1 + len(made.items) // SHOWN_PER_COST)
            return made
        making = self._making[key] = loop.create_future()
        try:
            made = await make()
        finally:
            del self._making[key]
            making.set_result(None)
        self._keep(key, made)
        return made

    def _keep(self, key: Hashable, made: Converted) -> None:
        if made.size > KEPT_BYTES_MAX:
            return
        self._kept[key] = made
        self._kept_bytes += made.size
        while self._kept_bytes > KEPT_BYTES_MAX:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= oldest.size


def pieces(values: Sequence[bytes]) -> Iterator[tuple[int, Sequence[bytes]]]:
    """Cut records into pieces that a slice allows, or of one record that takes more; yield where each begins."""
    start, cost = 0, 0
    for place, value in enumerate(values):
        its = cost_of(value)
        if place > start and cost + its > SLICE_COST:
            yield start, values[start:place]
            start, cost = place, 0
        cost += its
    if start < len(values):
        yield start, values[start:]


def cost_of(*values: bytes) -> int:
    """Return what it costs to convert records."""
    return len(values) + sum(map(len, values)) // COST_BYTES
