"""Which epochs wrote which stretch of the log.

Each entry says where an epoch's records begin; the epoch ends where the next one begins, the last at the log end
offset. Two logs that agree on (epoch, end offset) agree on everything before it (Raft's log matching), so this short
list is all that a leader needs to find where a follower's log parts from its own.

Kept as two parallel ascending lists, so that look-ups are a bisection. The file form is leader-epoch-checkpoint.

Source: KIP-101 §Leader Epoch Cache; KIP-595 §Fetch; Kafka ``LeaderEpochFileCache``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch


class EpochHistory:
    """Ascending (epoch, first offset written under it).

    Invariants: epochs rise strictly; start offsets never fall (an epoch without a record shares its successor's).
    """

    __slots__ = ("_epochs", "_starts")

    def __init__(self, entries: Iterable[tuple[Epoch, Offset]] = ()) -> None:
        self._epochs: list[Epoch] = []
        self._starts: list[Offset] = []
        for epoch, start_offset in entries:
            self.assign(epoch, start_offset)

    @property
    def entries(self) -> tuple[tuple[Epoch, Offset], ...]:
        """All entries, ascending."""
        return tuple(zip(self._epochs, self._starts, strict=True))

    @property
    def latest_epoch(self) -> Epoch | None:
        """The epoch of the last entry."""
        return self._epochs[-1] if self._epochs else None

    def assign(self, epoch: Epoch, start_offset: Offset) -> None:
        """Note that ``epoch`` writes from ``start_offset`` on; nothing happens when the epoch is already the latest."""
        if self._epochs:
            if epoch == self._epochs[-1]:
                return
            invariant(epoch > self._epochs[-1], "epochs in the log never fall", self._epochs[-1], epoch)
            invariant(start_offset >= self._starts[-1], "epochs start in offset order", self._starts[-1], start_offset)
        self._epochs.append(epoch)
        self._starts.append(start_offset)

    def end_offset_for(self, epoch: Epoch, log_end_offset: Offset) -> OffsetAndEpoch | None:
        """Find where the largest known epoch not above ``epoch`` ends.

        Returns:
            The epoch found and its end offset; ``None`` when ``epoch`` is below the first entry or nothing is known.
        """
        place = bisect_right(self._epochs, epoch)
        if place == 0:
            return None
        end = self._starts[place] if place < len(self._starts) else log_end_offset
        return OffsetAndEpoch(epoch=self._epochs[place - 1], offset=end)

    def first_start_offset(self) -> Offset:
        """Return where the first entry begins; 0 for an empty history."""
        return self._starts[0] if self._starts else 0

    def truncate_to(self, end_offset: Offset) -> None:
        """Drop what starts at or after ``end_offset``, even an entry that no record was written under (KAFKA-10706)."""
        keep = bisect_left(self._starts, end_offset)
        del self._epochs[keep:], self._starts[keep:]

    def start_at(self, start_offset: Offset) -> None:
        """Let the history begin at ``start_offset``: older entries go, the one in force there moves up to it."""
        in_force = bisect_right(self._starts, start_offset) - 1
        if in_force < 0:
            return
        del self._epochs[:in_force], self._starts[:in_force]
        self._starts[0] = start_offset

    def restart(self, end: OffsetAndEpoch) -> None:
        """Forget everything: the log now begins, empty, at the end of a snapshot."""
        self._epochs, self._starts = ([end.epoch], [end.offset]) if end.epoch else ([], [])
