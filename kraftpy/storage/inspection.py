"""Inspect a metadata directory read-only: what it contains, and what is corrupt.

Nothing is written, nothing is locked, and corruption is reported instead of raised, so this may run on a corrupt
directory or while a node runs. While a node runs, the last batch may be read half written; its report then contains
that.

Source: on-disk formats §8, §10.
"""

from __future__ import annotations

from dataclasses import dataclass

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import KraftError
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.storage.config import LogConfig
from kraftpy.storage.corruption import UNKNOWN, BatchDiagnosis
from kraftpy.storage.filesystem import FileSystem, join, parent
from kraftpy.storage.names import QUORUM_STATE, RECOVERY_POINT_CHECKPOINT
from kraftpy.storage.quorum_state import read_quorum_state
from kraftpy.storage.recovery import missing_end, survey
from kraftpy.storage.recovery_point import read_recovery_point
from kraftpy.storage.scan import SegmentScan
from kraftpy.storage.snapshots import SnapshotStore


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentReport:
    """One segment: its offsets ``[base_offset, end_offset)``, its bytes, and what is wrong with it, if anything."""

    path: str
    base_offset: Offset
    end_offset: Offset
    batches: int
    valid_bytes: int
    file_bytes: int
    corruption: str | None = None
    is_torn_tail: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotReport:
    """One snapshot: its bytes, its records, what is wrong with it, and the digest of the state that it states."""

    snapshot_id: OffsetAndEpoch
    path: str
    file_bytes: int
    records: int
    corruption: str | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryReport:
    """The content of ``__cluster_metadata-0``.

    Attributes:
        election: the stored epoch, ``None`` when it cannot be read (``problems`` has the reason).
        recovery_point: everything below it was durable and committed, 0 when unknown.
        epochs: (epoch, start offset), ascending.
        unknown_end: why it is unknown whether the log lost its end; ``None`` with a valid recovery point.
        missing_end: what is missing where the log is valid and ends before its recovery point; ``None`` otherwise.
        problems: everything that is wrong, as text; empty for a valid directory.
    """

    path: str
    election: ElectionState | None
    recovery_point: Offset
    epochs: tuple[tuple[Epoch, Offset], ...]
    segments: tuple[SegmentReport, ...]
    snapshots: tuple[SnapshotReport, ...]
    unknown_end: str | None
    missing_end: str | None
    problems: tuple[str, ...]


def inspect_directory(fs: FileSystem, path: str, config: LogConfig | None = None) -> DirectoryReport:
    """Report on a directory; only a directory that cannot be listed raises.

    Args:
        fs: the disk.
        path: ``__cluster_metadata-0``, or a copy of one.
        config: how densely to index; the default does.

    Raises:
        StorageError: the directory or a segment cannot be read at all.
    """
    problems: list[str] = []
    election = unknown_end = None
    recovery_point, judged_by = 0, UNKNOWN
    try:
        election = read_quorum_state(fs, join(path, QUORUM_STATE))
    except KraftError as error:
        problems.append(str(error))
    try:
        recovery_point = judged_by = read_recovery_point(fs, join(parent(path), RECOVERY_POINT_CHECKPOINT))
    except KraftError as error:
        unknown_end = str(error)
        problems.append(unknown_end)
    found = survey(fs, path, config or LogConfig(), judged_by)
    segments = tuple(_segment_report(scan, verdict) for scan, verdict in found)
    snapshots = _snapshot_reports(fs, path, problems)
    corrupts = [report.corruption for report in segments] + [report.corruption for report in snapshots]
    problems += [corruption for corruption in corrupts if corruption is not None]
    missing = _missing_end(path, segments, snapshots, recovery_point)
    if missing is not None:
        problems.append(missing)
    epochs = sorted({epoch: start for scan, _ in reversed(found) for epoch, start in scan.epochs}.items())
    return DirectoryReport(
        path=path,
        election=election,
        recovery_point=recovery_point,
        epochs=tuple(epochs),
        segments=segments,
        snapshots=snapshots,
        unknown_end=unknown_end,
        missing_end=missing,
        problems=tuple(problems),
    )


def _missing_end(
    path: str, segments: tuple[SegmentReport, ...], snapshots: tuple[SnapshotReport, ...], recovery_point: Offset
) -> str | None:
    """Return the start's error for a log that was cut between two batches, where every remaining byte is valid."""
    if any(segment.corruption is not None for segment in segments):
        return None
    ends = [segment.end_offset for segment in segments[-1:]]
    ends += [snapshot.snapshot_id.offset for snapshot in snapshots if snapshot.corruption is None]
    return missing_end(path, max(ends, default=0), recovery_point)


def _segment_report(scan: SegmentScan, verdict: BatchDiagnosis | None) -> SegmentReport:
    return SegmentReport(
        path=scan.path,
        base_offset=scan.base_offset,
        end_offset=scan.end_offset,
        batches=scan.batches,
        valid_bytes=scan.valid_bytes,
        file_bytes=scan.file_bytes,
        corruption=None if verdict is None else f"{verdict.corruption}; {verdict.why}",
        is_torn_tail=verdict is not None and verdict.torn,
    )


def _snapshot_reports(fs: FileSystem, path: str, problems: list[str]) -> tuple[SnapshotReport, ...]:
    store = SnapshotStore(fs, path, bytes)
    problems += [f"{join(path, name)} is left from an interrupted or running operation" for name in store.load()]
    problems += store.warnings
    return tuple(_snapshot_report(store, snapshot_id) for snapshot_id in store.ids)


def _snapshot_report(store: SnapshotStore, snapshot_id: OffsetAndEpoch) -> SnapshotReport:
    size = records = 0
    corruption = digest = None
    try:
        size = store.size(snapshot_id)
        records = store.validate(snapshot_id)
        stated = store.stated_digest(snapshot_id)
        digest = None if stated is None else stated.hex()
    except KraftError as error:
        corruption = str(error)
    return SnapshotReport(
        snapshot_id=snapshot_id,
        path=store.path(snapshot_id),
        file_bytes=size,
        records=records,
        corruption=corruption,
        digest=digest,
    )
