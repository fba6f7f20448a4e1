"""Which voter set, and which kraft.version, is in force at which offset.

A set takes effect when its record is in the log, committed or not, and is reverted when the record is truncated
(KIP-853). So the history is a short ascending list of (offset, value): the last entry is in force, truncation drops
from the end, and a frozen snapshot allows the beginning to be dropped, except for the entry that is in force at its
end.

Without an entry the configuration applies: the static voters, which have no directory ids.

Source: KIP-853 §Voters record; Kafka ``VoterSetHistory``, ``TreeMapLogHistory``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Offset
from kraftpy.model.voters import VoterSet

Value = TypeVar("Value")

ZERO_CHECKPOINT_OFFSET: Offset = -1
"""Where the set of the 0-0 checkpoint counts as standing: before every record."""


class OffsetHistory(Generic[Value]):
    """Values by the offset of the record that brought them, ascending; the last is in force."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Iterable[tuple[Offset, Value]] = ()) -> None:
        self._entries: list[tuple[Offset, Value]] = []
        for offset, value in entries:
            self.add(offset, value)

    @property
    def latest(self) -> tuple[Offset, Value] | None:
        """The entry in force, with its offset."""
        return self._entries[-1] if self._entries else None

    def at(self, offset: Offset) -> Value | None:
        """Return the value in force at ``offset``; ``None`` when the history does not reach down that far."""
        return next((value for start, value in reversed(self._entries) if start <= offset), None)

    @property
    def entries(self) -> tuple[tuple[Offset, Value], ...]:
        """All entries, ascending."""
        return tuple(self._entries)

    def add(self, offset: Offset, value: Value) -> None:
        """Put a value in force from ``offset`` on."""
        if self._entries:
            invariant(offset > self._entries[-1][0], "a history is written in order", self._entries[-1][0], offset)
        self._entries.append((offset, value))

    def truncate_to(self, end_offset: Offset) -> bool:
        """Drop every entry at or above ``end_offset``; return whether any was dropped."""
        before = len(self._entries)
        while self._entries and self._entries[-1][0] >= end_offset:
            self._entries.pop()
        return len(self._entries) != before

    def trim_before(self, end_offset: Offset) -> None:
        """Drop what was superseded before ``end_offset``: of the entries below it only the last stays."""
        while len(self._entries) > 1 and self._entries[1][0] < end_offset:
            del self._entries[0]

    def restart(self, entries: Iterable[tuple[Offset, Value]]) -> None:
        """Replace the history by what a snapshot holds."""
        self._entries = list(entries)


class VoterSetHistory(OffsetHistory[VoterSet]):
    """Voter sets by offset, above the static set."""

    __slots__ = ("static",)

    def __init__(self, static: VoterSet, entries: Iterable[tuple[Offset, VoterSet]] = ()) -> None:
        self.static = static
        super().__init__(entries)

    @property
    def in_force(self) -> VoterSet:
        """The effective set: of the log (uncommitted records included), else of the configuration."""
        return self._entries[-1][1] if self._entries else self.static

    @property
    def offset(self) -> Offset | None:
        """The offset of the set in force; ``None`` when it comes from the configuration."""
        return self._entries[-1][0] if self._entries else None

    def add(self, offset: Offset, value: VoterSet) -> None:
        """Put a set in force; it may add one key and remove one key, so that old and new majorities overlap.

        Exempt are the sets that follow none, or follow the one of the 0-0 checkpoint or of the configuration.
        """
        if self._entries and self._entries[-1][0] > ZERO_CHECKPOINT_OFFSET:
            before = {voter.key for voter in self._entries[-1][1]}
            after = {voter.key for voter in value}
            one_step = len(after - before) <= 1 and len(before - after) <= 1
            invariant(one_step, "a voter set changes by at most one key added and one removed", offset, value.ids)
        super().add(offset, value)
