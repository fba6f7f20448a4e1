"""A log, an election state and snapshots in memory, which can lose what was not flushed."""

from __future__ import annotations

from dataclasses import dataclass, field

from kraftpy.model.election import ElectionState
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.model.replica_status import LogQuarantine, ReplicaStatus
from kraftpy.model.voters import VoterSet
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.ready import LogRead
from kraftpy.records.batch import Batch, encode_control_batch, parse_batch, split_batches
from kraftpy.records.control import (
    KRaftVersionRecord,
    SnapshotHeaderRecord,
    VotersRecord,
    voter_set_from_record,
    voter_set_to_record,
)


@dataclass(slots=True)
class FakeDisk:
    """What a node has stored. ``batches[:flushed]`` survive a crash, and whatever else the caller lets survive.

    Attributes:
        replica_status: whether its replica may vote, and what it has to remember.
    """

    election_state: ElectionState = field(default_factory=ElectionState)
    start_offset: Offset = 0
    batches: list[Batch] = field(default_factory=list)
    flushed: int = 0
    epochs: list[tuple[Epoch, Offset]] = field(default_factory=list)
    snapshots: dict[OffsetAndEpoch, bytes] = field(default_factory=dict)
    partial: tuple[OffsetAndEpoch, bytes] | None = None
    replica_status: ReplicaStatus = field(default_factory=ReplicaStatus)

    @property
    def end_offset(self) -> Offset:
        return self.batches[-1].next_offset if self.batches else self.start_offset

    def truncate(self, end_offset: Offset) -> None:
        self.batches = [batch for batch in self.batches if batch.next_offset <= end_offset]
        assert self.end_offset == end_offset, f"cut to {end_offset} falls inside a batch, log ends at {self.end_offset}"
        self.flushed = min(self.flushed, len(self.batches))
        self.epochs = [(epoch, start) for epoch, start in self.epochs if start < end_offset]

    def append(self, data: bytes) -> None:
        for batch in split_batches(data):
            assert batch.base_offset == self.end_offset, f"gap: {batch.base_offset} after {self.end_offset}"
            latest = self.epochs[-1][0] if self.epochs else 0
            assert batch.epoch >= latest, f"a batch of epoch {batch.epoch} at {batch.base_offset}, in epoch {latest}"
            self.note_epoch(batch.epoch, batch.base_offset)
            self.batches.append(batch)

    def note_epoch(self, epoch: Epoch, start: Offset) -> None:
        if not self.epochs or self.epochs[-1][0] < epoch:
            self.epochs.append((epoch, start))

    def flush(self) -> None:
        self.flushed = len(self.batches)

    def crash(self, *, survivors: int = 0) -> None:
        """Lose the unflushed tail, but for its first ``survivors`` batches; a partial download is lost too."""
        self.batches = self.batches[: self.flushed + survivors]
        self.flushed = len(self.batches)
        self.epochs = [(epoch, start) for epoch, start in self.epochs if start < self.end_offset]
        self.partial = None

    def wipe(self) -> None:
        self.election_state = ElectionState()
        self.start_offset, self.batches, self.flushed, self.epochs = 0, [], 0, []
        self.snapshots, self.partial = {}, None
        self.replica_status = ReplicaStatus()

    def quarantine_log(self, committed: Offset) -> None:
        """Lose the log, and keep the promises that are stored beside it."""
        self.start_offset, self.batches, self.flushed, self.epochs = 0, [], 0, []
        self.snapshots, self.partial = {}, None
        quarantine = LogQuarantine("then", max(self.replica_status.committed, committed), is_finished=True)
        self.replica_status = self.replica_status.as_quarantined(quarantine)

    def read(self, read: LogRead) -> bytes:
        data = b""
        for batch in self.batches:
            if read.from_offset <= batch.base_offset and batch.next_offset <= read.upto_offset:
                if data and len(data) + len(batch.data) > read.max_bytes:
                    break
                data += batch.data
        assert data, f"nothing to read in [{read.from_offset}, {read.upto_offset}), log ends at {self.end_offset}"
        return data

    def record_epoch(self, offset: Offset) -> Epoch:
        return next(batch.epoch for batch in self.batches if batch.base_offset <= offset < batch.next_offset)

    def values(self, end_offset: Offset | None = None) -> list[tuple[Offset, Epoch, bytes]]:
        """Every data record below ``end_offset``, with offset and epoch."""
        return [
            (offset, batch.epoch, value)
            for batch in self.batches
            if not batch.is_control and (end_offset is None or batch.next_offset <= end_offset)
            for offset, value in enumerate(batch.values(), batch.base_offset)
        ]

    def recovered_state(self) -> RecoveredState:
        """What recovery would find."""
        voters: list[tuple[Offset, VoterSet]] = []
        versions: list[tuple[Offset, int]] = []
        latest = max(self.snapshots, default=None)
        if latest is not None:
            voters, versions = (list(part) for part in snapshot_history(latest, self.snapshots[latest]))
        for batch in self.batches:
            if batch.is_control and (latest is None or batch.base_offset >= latest.offset):
                for offset, record in enumerate(batch.control_records(), batch.base_offset):
                    if isinstance(record, VotersRecord):
                        voters.append((offset, voter_set_from_record(record)))
                    elif isinstance(record, KRaftVersionRecord):
                        versions.append((offset, record.kraft_version))
        return RecoveredState(
            election_state=self.election_state,
            log_start_offset=self.start_offset,
            log_end_offset=self.end_offset,
            epochs=tuple(self.epochs),
            snapshots=tuple(sorted(self.snapshots)),
            voters=tuple(voters),
            kraft_versions=tuple(versions),
            replica_status=self.replica_status,
        )


def snapshot_bytes(voters: VoterSet | None = None, *, size: int = 0) -> bytes:
    """Make a file in place of a snapshot: a control batch with the voters, and filler to make it long."""
    records = [SnapshotHeaderRecord()]
    if voters is not None:
        records += [KRaftVersionRecord(kraft_version=1), voter_set_to_record(voters)]
    return encode_control_batch(records, base_offset=0, epoch=0, timestamp_ms=0) + b"." * size


def snapshot_history(
    snapshot_id: OffsetAndEpoch, data: bytes
) -> tuple[tuple[tuple[Offset, VoterSet], ...], tuple[tuple[Offset, int], ...]]:
    """Read a fake snapshot's voters and kraft.version. Raises MalformedError when it was corrupt."""
    size = 12 + int.from_bytes(data[8:12], "big")
    records = parse_batch(data[:size]).control_records()
    offset = snapshot_id.offset - 1
    voters = [voter_set_from_record(record) for record in records if isinstance(record, VotersRecord)]
    versions = [record.kraft_version for record in records if isinstance(record, KRaftVersionRecord)]
    return tuple((offset, each) for each in voters), tuple((offset, each) for each in versions)
