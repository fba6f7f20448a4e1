"""Which epoch begins at which offset: the log's own history, and its file.

An entry is the first offset written under an epoch. Epochs and offsets ascend together. An epoch whose leader appended
nothing leaves an entry without a record, which the next assignment at the same offset replaces. Recovery rebuilds the
entries from the batches. The file ``leader-epoch-checkpoint`` is second evidence for them: a batch's epoch is covered
by no checksum, and a bit that flips in it may pass for an epoch that began earlier or later. What is below the recovery
point was in the file before the recovery point was written, so there the two must agree (:func:`contradiction`).

Source: on-disk formats §8.3; Kafka ``LeaderEpochFileCache``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch, Offset


class EpochEntries:
    """The entries, ascending in both epoch and start offset."""

    __slots__ = ("_base_epoch", "_entries")

    def __init__(self, entries: list[tuple[Epoch, Offset]] | None = None, base_epoch: Epoch = 0) -> None:
        self._entries = list(entries or ())
        self._base_epoch = base_epoch

    @property
    def entries(self) -> tuple[tuple[Epoch, Offset], ...]:
        """(epoch, start offset), ascending."""
        return tuple(self._entries)

    @property
    def last_epoch(self) -> Epoch:
        """The newest epoch, or the one before the log's start when the log has none."""
        return self._entries[-1][0] if self._entries else self._base_epoch

    def at(self, offset: Offset) -> Epoch | None:
        """Return the epoch in force at an offset, ``None`` below the first entry."""
        # Asked for every batch that is read, and there may be as many entries as there were elections.
        place = bisect_right(self._entries, offset, key=itemgetter(1))
        return self._entries[place - 1][0] if place else None

    def assign(self, epoch: Epoch, start_offset: Offset) -> bool:
        """Record that ``epoch`` starts at ``start_offset``; return whether that changed anything.

        Entries at or above that offset belong to epochs in which nothing was written; they are removed.
        """
        invariant(epoch >= self.last_epoch, "epochs in the log never fall", epoch, self.last_epoch)
        if self._entries and epoch == self.last_epoch:
            return False
        self.truncate(start_offset)
        self._entries.append((epoch, start_offset))
        return True

    def truncate(self, offset: Offset) -> None:
        """Drop the entries that start at or above ``offset``, even when that is at or past the log's end."""
        while self._entries and self._entries[-1][1] >= offset:
            self._entries.pop()

    def advance_start(self, offset: Offset) -> None:
        """Drop the entries whose epoch ended below ``offset``; the one in force there is moved up to it."""
        in_force = -1
        for position, (_, start) in enumerate(self._entries):
            if start <= offset:
                in_force = position
        if in_force >= 0:
            epoch, start = self._entries[in_force]
            self._entries[: in_force + 1] = [(epoch, max(start, offset))]

    def reset(self, base_epoch: Epoch) -> None:
        """Drop everything: the log restarts empty, after a record of ``base_epoch``."""
        self._entries.clear()
        self._base_epoch = base_epoch


def contradiction(
    noted: Sequence[tuple[Epoch, Offset]], found: Sequence[tuple[Epoch, Offset]], below: Offset
) -> Offset | None:
    """Return the first offset below a bound at which two histories of one log disagree, ``None`` when they do not.

    Args:
        noted: the file's entries. They may begin later than the log's first segment: a log's start is moved inside one.
        found: those of the batches; the first one is at the start of the first segment.
        below: the recovery point.
    """
    if not noted or not found:
        return None
    first = max(noted[0][1], found[0][1])
    starts = {start for _, start in (*noted, *found) if first < start < below}
    offsets = [first, *sorted(starts)] if first < below else []
    for offset in offsets:
        one, other = _in_force(noted, offset), _in_force(found, offset)
        if one[0] != other[0] or (offset > first and one[1] != other[1]):
            return offset
    return None


def _in_force(entries: Sequence[tuple[Epoch, Offset]], offset: Offset) -> tuple[Epoch, Offset]:
    return next(entry for entry in reversed(entries) if entry[1] <= offset)
