"""What a stopped node's log directory holds, read without changing or locking anything.

It reads kraftpy's directories and Kafka's: the files are the same. Beside what ``storage.inspection`` reports it keeps
the outline of the log (one entry a batch, with its checksum), so that two directories can be compared without their
bytes, and what the log says of the quorum: voter sets, and the voters that the last elected leader named.

A torn tail is no corruption: it was never promised. Corruption makes a directory useless as evidence of what was
promised. So does the status of a replica that was not eligible when its node stopped (``storage.replica_status``): a
log that is quarantined, or a disk that was empty, held more than what is there now. And so does a log that ends before
its recovery point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kraftpy.disaster_recovery.changes import FileIdentity, identify
from kraftpy.model.election import ElectionState
from kraftpy.model.errors import KraftError, LocalError, MalformedError
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import ORIGIN, Epoch, Offset, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.model.voters import VoterSet
from kraftpy.records.batch import BATCH_HEADER_BYTES, Batch, parse_batch, read_header
from kraftpy.records.control import (
    ControlRecord,
    KRaftVersionRecord,
    LeaderChangeMessage,
    VotersRecord,
    voter_set_from_record,
)
from kraftpy.storage.filesystem import FileSystem, base_name, join, parent
from kraftpy.storage.inspection import DirectoryReport, SegmentReport, inspect_directory
from kraftpy.storage.log_open import is_behind
from kraftpy.storage.meta_properties import MetaProperties, read_meta_properties
from kraftpy.storage.names import METADATA_DIRECTORY, REPLICA_STATUS
from kraftpy.storage.os_errors import faults_of
from kraftpy.storage.quarantine import list_quarantined
from kraftpy.storage.replica_status import ReplicaStatusFile
from kraftpy.storage.snapshots import SnapshotStore


@dataclass(frozen=True, slots=True)
class BatchOutline:
    """One batch: its offsets ``[base, next)``, its epoch, the checksum of its content, and its size in bytes."""

    base: Offset
    next: Offset
    epoch: Epoch
    crc: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryInspection:
    """The content of one log directory.

    Attributes:
        directory: the log directory, the one with ``meta.properties``.
        files: every file of it, with its digest: two inspections with equal files saw the same content.
        end: the log's end; the newest snapshot's where the log ends before that, or is replaced by it.
        is_replaced: a crash came between a snapshot's download and the log's restart behind it: the next start deletes
            the log, so nothing in it counts.
        committed: everything below it was committed, as far as this directory can prove.
        voter_sets: every voter set of the newest snapshot and the log behind it, with its offset, ascending.
        leader_voters: the voters that the newest LEADER_CHANGE record names, with its epoch; ``None`` without one.
        corruption: what contradicts acknowledged data; empty for a valid directory.
        status: the stored status of the directory's replica.
        incomplete: why it is no evidence of what was acknowledged, although nothing in it is corrupt; empty when it is.
        notes: what a crash explains, and which logs were quarantined.
        outline: the batches of the log, ascending.
    """

    directory: str
    files: Mapping[str, FileIdentity]
    properties: MetaProperties
    election: ElectionState
    report: DirectoryReport
    end: OffsetAndEpoch
    log_start: Offset
    is_replaced: bool
    committed: Offset
    kraft_version: int
    voter_sets: tuple[tuple[Offset, VoterSet], ...]
    leader_voters: tuple[Epoch, tuple[NodeId, ...]] | None
    last_timestamp_ms: int
    corruption: tuple[str, ...]
    status: ReplicaStatus
    incomplete: str
    notes: tuple[str, ...]
    outline: Sequence[BatchOutline] = field(repr=False)

    @property
    def node_id(self) -> NodeId:
        """Whose directory it is."""
        assert self.properties.node_id is not None
        return self.properties.node_id

    @property
    def directory_id(self) -> Uuid | None:
        """The directory's own id."""
        return self.properties.directory_id

    @property
    def voters(self) -> VoterSet | None:
        """The newest voter set, ``None`` at kraft.version 0."""
        return self.voter_sets[-1][1] if self.voter_sets else None

    @property
    def cluster_id(self) -> str | None:
        """The cluster that the directory belongs to."""
        return self.properties.cluster_id

    @property
    def epoch(self) -> Epoch:
        """The highest epoch that the directory has seen."""
        return max(self.election.epoch, self.end.epoch)

    @property
    def newest_snapshot(self) -> OffsetAndEpoch | None:
        """The newest snapshot that a state can be read from."""
        ids = [one.snapshot_id for one in self.report.snapshots if one.corruption is None and one.snapshot_id != ORIGIN]
        return ids[-1] if ids else None


def log_directory_of(fs: FileSystem, path: str) -> str:
    """Accept a log directory, or the ``__cluster_metadata-0`` in it.

    Raises:
        LocalError: it is neither.
    """
    plain = path.rstrip("/") or "/"
    if base_name(plain) == METADATA_DIRECTORY:
        return parent(plain)
    if not fs.is_directory(plain):
        what = "is not a directory" if fs.exists(plain) else "there is no such directory"
        raise LocalError(f"{path}: {what}")
    if fs.is_directory(join(plain, METADATA_DIRECTORY)):
        return plain
    raise LocalError(
        f"{path}: holds no metadata log (there is no {METADATA_DIRECTORY} in it); name the metadata.log.dir of "
        "a node, or the first of its log.dirs"
    )


def inspect_log_directory(fs: FileSystem, path: str, *, identified: bool = True) -> DirectoryInspection:
    """Read a directory.

    Args:
        fs: the disk.
        path: the log directory, or its ``__cluster_metadata-0``.
        identified: whether to digest every file; not beside a running node, which changes them.

    Raises:
        LocalError: it is no node's log directory, or its identity cannot be read.
        StorageError: it cannot be read.
    """
    directory = log_directory_of(fs, path)
    properties = _properties(fs, directory)
    metadata = join(directory, METADATA_DIRECTORY)
    report = inspect_directory(fs, metadata)
    corruption = _corruption(report)
    reading = _read(fs, report)
    log_start = report.segments[0].base_offset if report.segments else 0
    newest, end = reading.snapshot, reading.log_end(log_start)
    is_replaced = newest is not None and bool(report.segments) and is_behind(log_start, end, newest)
    if newest is not None and (is_replaced or newest.offset >= end.offset):
        end = newest
    if is_replaced and end.offset < report.recovery_point:
        corruption.append(
            f"snapshot {end} in {metadata} is newer than the log, but everything below offset {report.recovery_point} "
            "was durable and committed: one of them is corrupt"
        )
    if is_replaced:
        log_start, reading = end.offset, _RecordFacts()
        _read_newest_snapshot(fs, report, reading)
    status = ReplicaStatusFile.read(fs, metadata).value
    return DirectoryInspection(
        directory=directory,
        files=identify(fs, directory) if identified else {},
        properties=properties,
        election=report.election or ElectionState(),
        report=report,
        end=end,
        log_start=log_start,
        is_replaced=is_replaced,
        committed=_committed(report, status, newest),
        kraft_version=reading.kraft_version,
        voter_sets=tuple(reading.voter_sets),
        leader_voters=reading.leader_voters,
        last_timestamp_ms=reading.last_timestamp_ms,
        corruption=tuple(corruption),
        status=status,
        incomplete=_why_incomplete(status, report),
        notes=(*_explained(report, corruption), *_quarantined_logs(fs, metadata)),
        outline=reading.outline,
    )


def _corruption(report: DirectoryReport) -> list[str]:
    torn = {segment.corruption for segment in report.segments if segment.is_torn_tail}
    corruption = [
        one.corruption for one in report.segments if one.corruption is not None and one.corruption not in torn
    ]
    corruption += [one.corruption for one in report.snapshots if one.corruption is not None]
    if report.election is None:
        corruption.append(report.problems[0])
    return corruption


def _explained(report: DirectoryReport, corruption: Sequence[str]) -> Iterator[str]:
    """Yield the problems that an inspection reports nowhere else: a crash explains them."""
    reported = (*corruption, report.unknown_end, report.missing_end)
    return (text for text in report.problems if text not in reported)


def _committed(report: DirectoryReport, status: ReplicaStatus, newest: OffsetAndEpoch | None) -> Offset:
    return max(report.recovery_point, newest.offset if newest is not None else 0, status.committed)


def _why_incomplete(status: ReplicaStatus, report: DirectoryReport) -> str:
    if report.missing_end is not None:
        return report.missing_end.partition(" Ways out: ")[0].removesuffix(".")
    if report.unknown_end is not None:
        return report.unknown_end
    if status.is_eligible:
        return ""
    what = status.reason
    if status.quarantine is not None:
        what += f", and what that held was committed below offset {status.committed}"
    return f"its vote did not count when it stopped: {what} ({REPLICA_STATUS})"


def _quarantined_logs(fs: FileSystem, metadata: str) -> Iterator[str]:
    for one in list_quarantined(fs, metadata):
        holds = f"whole up to offset {one.end.offset} (epoch {one.end.epoch})"
        if one.readable > one.end.offset:
            holds += f" and readable in parts up to {one.readable}"
        yield (
            f"a quarantined log is in {one.path}: {holds}; {one.reason or 'nothing states why.'} It is no "
            "part of this plan. If it holds what the others lack: repair or replace what is corrupt in it, move its "
            f"files back into {metadata} in place of those there, remove {REPLICA_STATUS}, and plan again."
        )


def _properties(fs: FileSystem, directory: str) -> MetaProperties:
    try:
        with faults_of("reading", directory):
            properties = read_meta_properties(fs, directory)
    except MalformedError as error:
        raise LocalError(f"{directory}/meta.properties: {error}") from error
    if properties is None:
        raise LocalError(
            f"{directory} has no meta.properties, so it is not known whose log it holds. Name the log directory of a "
            "node, not a copy of its inner directory alone."
        )
    if properties.node_id is None:
        raise LocalError(f"{directory}/meta.properties names no node.id")
    return properties


@dataclass(slots=True)
class _RecordFacts:
    """What the records say on the way."""

    outline: list[BatchOutline] = field(default_factory=list)
    snapshot: OffsetAndEpoch | None = None
    kraft_version: int = 0
    voter_sets: list[tuple[Offset, VoterSet]] = field(default_factory=list)
    leader_voters: tuple[Epoch, tuple[NodeId, ...]] | None = None
    last_timestamp_ms: int = 0

    def log_end(self, log_start: Offset) -> OffsetAndEpoch:
        """Return where the log ends, which begins at an offset."""
        if not self.outline:
            return OffsetAndEpoch(epoch=0, offset=log_start)
        return OffsetAndEpoch(epoch=self.outline[-1].epoch, offset=self.outline[-1].next)

    def take_control(self, epoch: Epoch, records: Iterable[tuple[Offset, ControlRecord]]) -> None:
        for offset, record in records:
            if isinstance(record, KRaftVersionRecord):
                self.kraft_version = record.kraft_version
            elif isinstance(record, VotersRecord):
                self.voter_sets.append((offset, voter_set_from_record(record)))
            elif isinstance(record, LeaderChangeMessage):
                self.leader_voters = (epoch, tuple(voter.voter_id for voter in record.voters))


def _read(fs: FileSystem, report: DirectoryReport) -> _RecordFacts:
    """Read the newest snapshot, and the log up to the first corruption."""
    reading = _RecordFacts()
    _read_newest_snapshot(fs, report, reading)
    for segment in report.segments:
        _read_segment(fs, segment, reading)
        if segment.corruption is not None:
            break
    return reading


def _read_newest_snapshot(fs: FileSystem, report: DirectoryReport, reading: _RecordFacts) -> None:
    sound = [one for one in report.snapshots if one.corruption is None]
    if not sound:
        return
    store = SnapshotStore(fs, report.path, bytes)
    store.load()
    newest = sound[-1].snapshot_id
    reading.take_control(newest.epoch, ((newest.offset - 1, record) for record in store.control_records(newest)))
    if newest != ORIGIN:
        reading.snapshot = newest
        reading.last_timestamp_ms = store.last_contained_timestamp_ms(newest)


def _read_segment(fs: FileSystem, segment: SegmentReport, reading: _RecordFacts) -> None:
    known = reading.snapshot.offset if reading.snapshot is not None else 0
    with faults_of("reading", segment.path):
        file = fs.open(segment.path)
        try:
            position = 0
            while position < segment.valid_bytes:
                header = read_header(file.pread(BATCH_HEADER_BYTES, position))
                reading.outline.append(
                    BatchOutline(header.base_offset, header.next_offset, header.epoch, header.crc, header.size)
                )
                reading.last_timestamp_ms = max(reading.last_timestamp_ms, header.max_timestamp_ms)
                if header.is_control and header.next_offset > known:
                    batch: Batch = parse_batch(file.pread(header.size, position))
                    reading.take_control(header.epoch, enumerate(batch.control_records(), batch.base_offset))
                position += header.size
        except KraftError as error:
            raise LocalError(f"{segment.path} at byte {position}: {error}") from error
        finally:
            file.close()
