"""Limits of both protocols: how much of one is in use, and bytes shared by many holders.

Two kinds of bytes: :class:`HeldBytes` closes the largest holder, where that frees its bytes; :class:`ByteBudget`
rejects new requests, where held bytes cannot be reclaimed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LimitUse:
    """One limit, now.

    Attributes:
        limit: its name, as in the table of docs/limits.md.
        used: how much is in use.
        most: the limit itself.
        refused: how often, ever, something was refused, closed or dropped because of it.
    """

    limit: str
    used: int
    most: int
    refused: int


class MemoryHolder(Protocol):
    """An owner of bytes."""

    def evict(self, reason: str) -> None:
        """End it now, because others need what it holds."""
        ...


class HeldBytes:
    """Bytes that many hold together; when they are too many, who holds most of them is ended.

    Attributes:
        used: how many bytes are held.
        closed: how many holders were ended, ever.
    """

    def __init__(self, bytes_max: int, what: str) -> None:
        self.bytes_max = bytes_max
        self._what = what
        self._held: dict[MemoryHolder, int] = {}
        self.used = 0
        self.closed = 0

    def hold(self, holder: MemoryHolder, count: int) -> None:
        """Record how many bytes a holder has now."""
        self.used += count - self._held.get(holder, 0)
        if count:
            self._held[holder] = count
        else:
            self._held.pop(holder, None)
        while self.used > self.bytes_max:
            most = max(self._held, key=lambda one: self._held[one])
            self.closed += 1
            self.forget(most)
            most.evict(f"it holds most of the {self.bytes_max} bytes of {self._what} that may wait")

    def forget(self, holder: MemoryHolder) -> None:
        """Remove an owner that has ended."""
        self.used -= self._held.pop(holder, 0)


class ByteBudget:
    """Bytes that many hold together; what would make them too many is refused.

    One alone is never refused, so that something always goes on.

    Attributes:
        used: how many bytes are held.
        refused: how often they would have been too many, ever.
    """

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self.used = 0
        self.refused = 0

    def take(self, count: int) -> bool:
        """Add this number of bytes; return false, and add nothing, when they exceed the budget."""
        if self.used and self.used + count > self.bytes_max:
            self.refused += 1
            return False
        self.used += count
        return True

    def give_back(self, count: int) -> None:
        """Release this number of bytes."""
        self.used -= count
