"""The newest batches of the log, kept in memory up to a limit.

A follower that keeps up fetches what was appended a moment ago; that must not cost the leader a disk read. Batches are
kept as the objects that were appended, so the cache needs no copy. Batches that are not written to a file yet can be
read only here, and are kept regardless of the limit.
"""

from __future__ import annotations

from bisect import bisect_right

COMPACT_AFTER = 1024
"""How many dropped entries may be at the front of the lists before they are removed."""


class TailCache:
    """Consecutive whole batches up to the log's end."""

    __slots__ = ("_batches", "_bytes", "_ends", "_head", "_keep_from", "_limit", "_start")

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._batches: list[bytes] = []
        self._ends: list[int] = []
        self._head = 0
        self._start = 0
        self._bytes = 0
        self._keep_from: int | None = None

    def keep_from(self, offset: int | None) -> None:
        """Keep everything from this offset on, also above the limit; ``None`` for nothing in particular."""
        self._keep_from = offset

    def append(self, batch: bytes, base_offset: int, next_offset: int) -> None:
        """Add the batch that follows on, and drop the oldest ones over the limit."""
        if self._head == len(self._ends):
            self._start = base_offset
        self._batches.append(batch)
        self._ends.append(next_offset)
        self._bytes += len(batch)
        while self._bytes > self._limit and self._head < len(self._ends):
            if self._keep_from is not None and self._ends[self._head] > self._keep_from:
                break
            self._bytes -= len(self._batches[self._head])
            self._batches[self._head] = b""
            self._start = self._ends[self._head]
            self._head += 1
        if self._head >= COMPACT_AFTER:
            del self._batches[: self._head]
            del self._ends[: self._head]
            self._head = 0

    def holds(self, offset: int) -> bool:
        """Return whether the batch with this offset is cached."""
        return self._head < len(self._ends) and self._start <= offset < self._ends[-1]

    def read(self, offset: int, max_bytes: int, upto_offset: int) -> bytes:
        """Return whole batches from the one that holds ``offset``; the first one even if over ``max_bytes``."""
        first = last = bisect_right(self._ends, offset, self._head)
        size = 0
        while last < len(self._ends) and self._ends[last] <= upto_offset:
            size += len(self._batches[last])
            if size > max_bytes and last > first:
                break
            last += 1
        return self._batches[first] if last == first + 1 else b"".join(self._batches[first:last])

    def truncate(self, offset: int) -> None:
        """Drop every batch that ends above ``offset``."""
        while self._head < len(self._ends) and self._ends[-1] > offset:
            self._bytes -= len(self._batches.pop())
            self._ends.pop()
