"""Keys in order that are added and removed one by one, and read from any place on.

The keys are in blocks of bounded size, so that a change moves the keys of one block and not all of them: with 100,000
keys it takes about 2 us, and finding a place takes about as long.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator
from typing import Any, Final, Generic, TypeVar

KeyT = TypeVar("KeyT")

BLOCK_KEYS_MAX: Final = 1_024
"""How many keys a block holds; one more, and it becomes two."""


class KeyOrder(Generic[KeyT]):
    """Keys, ascending by their rank, each once.

    Args:
        rank: returns what is compared in place of a key; keys with equal ranks are equal.
    """

    def __init__(self, rank: Callable[[KeyT], Any]) -> None:
        self._rank = rank
        self._blocks: list[list[KeyT]] = []
        self._lasts: list[Any] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, key: KeyT) -> None:
        """Add a key that is above all others."""
        if not self._blocks or len(self._blocks[-1]) >= BLOCK_KEYS_MAX:
            self._blocks.append([])
            self._lasts.append(None)
        self._blocks[-1].append(key)
        self._lasts[-1] = self._rank(key)
        self._count += 1

    def add(self, key: KeyT) -> None:
        """Add a key, unless it is there."""
        rank = self._rank(key)
        number = bisect_left(self._lasts, rank)
        if number == len(self._lasts):
            self.append(key)
            return
        block = self._blocks[number]
        place = bisect_left(block, rank, key=self._rank)
        if self._rank(block[place]) == rank:
            return
        insort(block, key, key=self._rank)
        self._count += 1
        if len(block) > BLOCK_KEYS_MAX:
            middle = len(block) // 2
            self._blocks[number : number + 1] = [block[:middle], block[middle:]]
            self._lasts.insert(number, self._rank(block[middle - 1]))

    def discard(self, key: KeyT) -> None:
        """Remove a key, if it is there."""
        rank = self._rank(key)
        number = bisect_left(self._lasts, rank)
        if number == len(self._lasts):
            return
        block = self._blocks[number]
        place = bisect_left(block, rank, key=self._rank)
        if self._rank(block[place]) != rank:
            return
        del block[place]
        self._count -= 1
        if not block:
            del self._blocks[number], self._lasts[number]
        else:
            self._lasts[number] = self._rank(block[-1])

    def above(self, rank: Any = None) -> Iterator[KeyT]:
        """Iterate over the keys above a rank, ``None`` for all. The order must not change meanwhile."""
        number = 0 if rank is None else bisect_right(self._lasts, rank)
        if number == len(self._blocks):
            return
        first = self._blocks[number]
        for place in range(0 if rank is None else bisect_right(first, rank, key=self._rank), len(first)):
            yield first[place]
        for later in range(number + 1, len(self._blocks)):
            yield from self._blocks[later]
