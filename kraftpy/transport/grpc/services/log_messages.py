"""The messages of the log that watchers share.

Watchers that follow the end of the log want the same bytes, and reading, redacting and encoding them costs more than
sending them. So the first watcher at an offset makes a message, the others wait for it, and the latest messages are
kept. Watchers that share a message go on from the same offset, so they stay together, however many they are.

A message that was made when little was committed would hold back those who come later: it is shared only while it has
at least half of the offsets that can be read, or is as long as messages become. So there are few messages of an offset,
and a watcher that fell behind catches up with long ones.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from kraftpy.model.offsets import Offset
from kraftpy.transport.node_api import OffsetGone

KEPT_BYTES_MAX: Final = 4 * 1024 * 1024
"""How many bytes of messages are kept for the next watcher."""

Place: TypeAlias = tuple[Offset, bool]
"""Where a message begins, and whether it is without secrets."""


@dataclass(frozen=True, slots=True)
class LogMessage:
    """An encoded message.

    Attributes:
        data: what is sent.
        next_offset: behind its last record.
        is_full: more could be read, but no message holds it.
    """

    data: bytes
    next_offset: Offset
    is_full: bool

    def is_enough(self, begin: Offset, end: Offset) -> bool:
        """Whether a watcher at ``begin`` does well with it, when the log can be read up to ``end``."""
        return self.is_full or 2 * (self.next_offset - begin) >= end - begin


Made: TypeAlias = LogMessage | OffsetGone | None
"""``None``: nothing can be read there now."""


class _Outcome(NamedTuple):
    """What those who waited for a message get; ``is_made`` is false where the one that made it failed or left."""

    is_made: bool
    made: Made = None


class LogMessages:
    """Makes messages, and keeps the latest ones; one that was used last is dropped last."""

    def __init__(self, bytes_max: int = KEPT_BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._bytes = 0
        self._kept: OrderedDict[Place, LogMessage] = OrderedDict()
        self._making: dict[Place, asyncio.Future[_Outcome]] = {}

    @property
    def kept_bytes(self) -> int:
        """How many bytes of messages are kept."""
        return self._bytes

    async def at(self, place: Place, end: Offset, make: Callable[[], Awaitable[Made]]) -> Made:
        """Return the message that begins at a place, one that is kept or a new one.

        Args:
            place: all that a message depends on, besides how much of the log can be read.
            end: up to where the log can be read now.
            make: makes it; called unless another watcher does it meanwhile.

        Raises:
            Exception: what ``make`` raises, to the watcher that called it; the others try for themselves.
        """
        while True:
            kept = self._kept.get(place)
            if kept is not None and kept.is_enough(place[0], end):
                self._kept.move_to_end(place)
                return kept
            making = self._making.get(place)
            if making is None:
                return await self._make(place, make)
            await asyncio.wait({making})
            outcome = making.result()
            if outcome.is_made:
                return outcome.made

    async def _make(self, place: Place, make: Callable[[], Awaitable[Made]]) -> Made:
        outcome = _Outcome(is_made=False)
        making = self._making[place] = asyncio.get_running_loop().create_future()
        try:
            made = await make()
            outcome = _Outcome(is_made=True, made=made)
        finally:
            del self._making[place]
            making.set_result(outcome)
        if isinstance(made, LogMessage):
            self._keep(place, made)
        return made

    def _keep(self, place: Place, message: LogMessage) -> None:
        replaced = self._kept.pop(place, None)
        self._bytes += len(message.data) - (0 if replaced is None else len(replaced.data))
        self._kept[place] = message
        while self._bytes > self._bytes_max:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest.data)
