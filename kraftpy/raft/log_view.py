"""The replica's picture of its own log: where it starts and ends, under which epochs, and which snapshots exist.

No record is kept here. The picture runs ahead of the disk: ``end_offset`` counts what the next ``Ready`` will append,
``flushed_offset`` what the driver has confirmed with ``advance``.

Invariants: start_offset <= flushed_offset <= end_offset; snapshots ascend; a log that starts above 0 starts at the end
of a snapshot.

Source: KIP-595 §Fetch; KIP-630 §Validation; Kafka ``KafkaMetadataLog``, ``ReplicatedLog.validateOffsetAndEpoch``.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import ORIGIN, Epoch, Offset, OffsetAndEpoch
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.epoch_history import EpochHistory


@dataclass(frozen=True, slots=True)
class Diverging:
    """The fetcher's log differs from ours: ``end`` is where the largest epoch that both may share ends here."""

    end: OffsetAndEpoch


@dataclass(frozen=True, slots=True)
class SnapshotNeeded:
    """What the fetcher asks for is gone, or dearer than this snapshot."""

    snapshot_id: OffsetAndEpoch


Mismatch: TypeAlias = Diverging | SnapshotNeeded


@dataclass(slots=True)
class LogView:
    """Where the log starts and ends, and its content; see the module for the invariants.

    Attributes:
        changes: how often ``start_offset`` or ``snapshots`` changed, for callers that cache derived values.
    """

    start_offset: Offset = 0
    end_offset: Offset = 0
    flushed_offset: Offset = 0
    epochs: EpochHistory = field(default_factory=EpochHistory)
    snapshots: list[OffsetAndEpoch] = field(default_factory=list)
    changes: int = 0

    @classmethod
    def from_recovered(cls, recovered: RecoveredState) -> LogView:
        """Take over what recovery found; all of it is on the disk."""
        invariant(recovered.log_start_offset <= recovered.log_end_offset, "a log starts before it ends", recovered)
        return cls(
            start_offset=recovered.log_start_offset,
            end_offset=recovered.log_end_offset,
            flushed_offset=recovered.log_end_offset,
            epochs=EpochHistory(recovered.epochs),
            snapshots=sorted(recovered.snapshots),
        )

    @property
    def last_epoch(self) -> Epoch:
        """The epoch of the last record; of an empty log the epoch of the snapshot it starts at; else 0."""
        latest = self.epochs.latest_epoch
        if latest is not None:
            return latest
        return self.snapshots[-1].epoch if self.snapshots else 0

    @property
    def end(self) -> OffsetAndEpoch:
        """The position that votes compare."""
        return OffsetAndEpoch(epoch=self.last_epoch, offset=self.end_offset)

    def has_snapshot(self, snapshot_id: OffsetAndEpoch) -> bool:
        """Return whether this snapshot is stored here."""
        return snapshot_id in self.snapshots

    def end_offset_for(self, epoch: Epoch) -> OffsetAndEpoch:
        """Return the largest epoch not above ``epoch`` in this log, and where it ends.

        An epoch above the latest answers with the log's end; one below the first with the snapshot that the log starts
        at, and where it starts at 0 with that: nothing in it was written under such an epoch.
        """
        latest = self.epochs.latest_epoch
        if latest is None or epoch > latest:
            return self.end
        found = self.epochs.end_offset_for(epoch, self.end_offset)
        if found is not None:
            return found
        if self.start_offset > 0 and self.snapshots and self.snapshots[0] != ORIGIN:
            return self.snapshots[0]
        return OffsetAndEpoch(epoch=epoch, offset=self.epochs.first_start_offset())

    def compare(self, offset: Offset, epoch: Epoch, snapshots: Sequence[OffsetAndEpoch]) -> Mismatch | None:
        """Check a fetch position against this log; ``None`` when the fetcher's log is a prefix of it.

        Args:
            offset: the fetch offset, which is the fetcher's log end offset.
            epoch: the epoch of the fetcher's last record.
            snapshots: those that the fetcher may have, ascending; the one that the log starts at is among them.
        """
        latest = snapshots[-1] if snapshots else None
        if latest is not None and latest != ORIGIN and offset == 0:
            return SnapshotNeeded(latest)
        if offset == 0 and self.start_offset == 0:
            return None
        if latest is not None:
            earliest = snapshots[0]
            at_start_of_another = offset == self.start_offset and epoch != earliest.epoch and self.start_offset > 0
            if offset < self.start_offset or at_start_of_another or epoch < earliest.epoch:
                return SnapshotNeeded(latest)
        end = self.end_offset_for(epoch)
        if end.epoch != epoch or end.offset < offset:
            return Diverging(end)
        return None

    def append(self, base_offset: Offset, next_offset: Offset, epoch: Epoch) -> None:
        """Count a batch that the next ``Ready`` appends."""
        invariant(base_offset == self.end_offset, "a batch starts at the log end offset", base_offset, self.end_offset)
        invariant(next_offset > base_offset, "a batch holds a record", base_offset, next_offset)
        self.epochs.assign(epoch, base_offset)
        self.end_offset = next_offset

    def extend(self, count: int) -> None:
        """Count records that were proposed and are not framed yet; their epoch began with the election."""
        self.end_offset += count

    def truncate_to(self, end_offset: Offset) -> None:
        """Cut the picture to ``end_offset``."""
        invariant(self.start_offset <= end_offset <= self.end_offset, "a log is cut within itself", end_offset)
        self.end_offset = end_offset
        self.flushed_offset = min(self.flushed_offset, end_offset)
        self.epochs.truncate_to(end_offset)

    def flushed(self, end_offset: Offset, cut_to: Offset | None) -> None:
        """Note that the disk holds the log up to ``end_offset``, less what is about to be cut."""
        kept = end_offset if cut_to is None else min(end_offset, cut_to)
        self.flushed_offset = max(self.start_offset, min(kept, self.end_offset))

    def add_snapshot(self, snapshot_id: OffsetAndEpoch) -> None:
        """Note that a snapshot was frozen here."""
        if snapshot_id not in self.snapshots:
            insort(self.snapshots, snapshot_id)
            self.changes += 1

    def restart_at(self, snapshot_id: OffsetAndEpoch) -> None:
        """Start the log, empty, at the end of a snapshot that was downloaded."""
        self.start_offset = self.end_offset = self.flushed_offset = snapshot_id.offset
        self.epochs.restart(snapshot_id)
        self.snapshots = [snapshot_id]
        self.changes += 1

    def advance_start(self, start_offset: Offset, snapshots: tuple[OffsetAndEpoch, ...]) -> None:
        """Let the log start later, with only these snapshots left."""
        invariant(start_offset <= self.flushed_offset, "a log starts before what is flushed", start_offset)
        self.start_offset = max(self.start_offset, start_offset)
        self.epochs.start_at(self.start_offset)
        self.snapshots = sorted(snapshots)
        self.changes += 1
