"""What happens to a log's files before the log may be used.

The log is always opened as if it had not been closed: every segment is walked, every checksum computed, indexes and
epochs rebuilt from the batches themselves. :func:`survey` looks and changes nothing (``inspect`` stops there);
:func:`recover` then acts on what it saw: it removes left-overs of interrupted operations, cuts a torn tail durably,
refuses corruption, and syncs the last segment, because bytes that a killed process wrote are readable but not yet
durable, and this node is about to promise them.

Source: on-disk formats §10; Kafka ``LogLoader`` (which cuts at the first bad batch whatever it is: see ``corruption``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kraftpy.model.errors import CorruptLogError
from kraftpy.model.offsets import Offset, OffsetAndEpoch
from kraftpy.storage.atomic_file import remove_if_exists
from kraftpy.storage.config import LogConfig
from kraftpy.storage.corruption import BatchDiagnosis, judge
from kraftpy.storage.filesystem import FileSystem, join, parent
from kraftpy.storage.names import (
    INDEX_SUFFIX,
    LEFTOVER_SUFFIXES,
    TIME_INDEX_SUFFIX,
    segment_base_offset,
    segment_name,
)
from kraftpy.storage.os_errors import faults_of, sync_names
from kraftpy.storage.scan import Corruption, SegmentScan, scan_segment
from kraftpy.storage.segment import Segment

SWAP_SUFFIX = ".swap"

EPOCH_FIRST: Final = 1
"""The lowest epoch of a log: an election raises the epoch before anything is written.

A batch of epoch 0 comes from a bootstrap checkpoint that a disk wrote in the place of the log. No follower could agree
with a leader about it: epoch 0 means "none" in Fetch responses (KIP-595).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryReport:
    """What opening the log found and did.

    Attributes:
        segments: how many there are.
        batches: how many were checked.
        checked_bytes: how much was checked.
        truncated_bytes: how many bytes of a torn tail were cut (zeros written ahead do not count).
        warnings: everything worth a line in the log, in words.
    """

    segments: int
    batches: int
    checked_bytes: int
    truncated_bytes: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Recovered:
    """A log that may be used."""

    segments: list[Segment] = field(default_factory=list)
    epochs: list[tuple[int, int]] = field(default_factory=list)
    truncated_bytes: int = 0
    batches: int = 0
    warnings: list[str] = field(default_factory=list)

    @property
    def end_offset(self) -> Offset:
        """The next offset to be written."""
        return self.segments[-1].end_offset if self.segments else 0

    def close(self) -> None:
        """Close the files: the log comes to nothing."""
        for segment in self.segments:
            segment.file.close()

    def report(self) -> RecoveryReport:
        """Summarise."""
        return RecoveryReport(
            segments=len(self.segments),
            batches=self.batches,
            checked_bytes=sum(segment.size for segment in self.segments),
            truncated_bytes=self.truncated_bytes,
            warnings=tuple(self.warnings),
        )


def survey(
    fs: FileSystem, directory: str, config: LogConfig, recovery_point: int
) -> tuple[tuple[SegmentScan, BatchDiagnosis | None], ...]:
    """Walk every segment in order and judge each; nothing is changed, nothing raised for what is found."""
    found: list[tuple[SegmentScan, BatchDiagnosis | None]] = []
    bases = segment_bases(fs, directory)
    expected, epoch = (bases[0] if bases else 0), EPOCH_FIRST
    for base in bases:
        path = join(directory, segment_name(base))
        with faults_of("reading", path):
            file = fs.open(path)
            try:
                scan = scan_segment(file, base, config.index_interval_bytes, epoch)
                verdict = judge(file, scan, is_last=base == bases[-1], recovery_point=recovery_point)
            finally:
                file.close()
        if base != expected and not (found and found[-1][1]):
            verdict = _gap(path, base, expected)
        found.append((scan, verdict))
        expected, epoch = scan.end_offset, max(epoch, scan.last_epoch)
    return tuple(found)


def segment_bases(fs: FileSystem, directory: str) -> list[int]:
    """Return the base offsets of the segments that exist, ascending."""
    with faults_of("listing", directory):
        names = fs.list_directory(directory) if fs.is_directory(directory) else []
    return sorted(base for name in names if (base := segment_base_offset(name)) is not None)


def _gap(path: str, base: int, expected: int) -> BatchDiagnosis:
    corruption = Corruption(
        path, 0, expected, f"this segment begins at offset {base}, but the one before it ends at {expected}"
    )
    return BatchDiagnosis(corruption, torn=False, may_override=False, why="segments must follow on")


def recover(
    fs: FileSystem, directory: str, config: LogConfig, recovery_point: int, snapshot: OffsetAndEpoch | None
) -> Recovered:
    """Make the log in a directory usable.

    Args:
        fs: the disk.
        directory: ``__cluster_metadata-0``.
        config: the log's limits.
        recovery_point: below it everything was durable and committed.
        snapshot: the newest snapshot; a log that ends before it is about to be replaced by it.

    Raises:
        CorruptLogError: something that was promised is corrupt or missing.
    """
    recovered = Recovered()
    try:
        _prepare_directory(fs, directory, recovered)
        _recover_segments(fs, directory, config, recovery_point, recovered)
        check_length(recovered, directory, recovery_point, snapshot)
        if not recovered.segments:
            recovered.segments.append(Segment.create(fs, directory, 0, config.index_interval_bytes))
    except BaseException:
        # No other code holds these files yet.
        recovered.close()
        raise
    return recovered


def _recover_segments(
    fs: FileSystem, directory: str, config: LogConfig, recovery_point: int, recovered: Recovered
) -> None:
    for scan, verdict in survey(fs, directory, config, recovery_point):
        if verdict is not None and not verdict.torn and not (verdict.may_override and config.truncate_corrupt_tail):
            raise corrupt_log(verdict, directory)
        with faults_of("opening", scan.path):
            file = fs.open(scan.path, write=True)
        segment = Segment(fs, directory, file, scan)
        recovered.segments.append(segment)
        _take(recovered, segment, scan, verdict)


def _take(recovered: Recovered, segment: Segment, scan: SegmentScan, verdict: BatchDiagnosis | None) -> None:
    recovered.batches += scan.batches
    known = recovered.epochs[-1][0] if recovered.epochs else -1
    recovered.epochs.extend(entry for entry in scan.epochs if entry[0] > known)
    if verdict is not None:
        torn_bytes = scan.file_bytes - scan.valid_bytes
        recovered.truncated_bytes += torn_bytes
        kind = "torn tail" if verdict.torn else "CORRUPT tail (truncate_corrupt_tail is set)"
        recovered.warnings.append(f"cut {torn_bytes} bytes of a {kind}: {verdict.corruption}; {verdict.why}")
    if segment.allocated != segment.size:
        segment.cut(segment.size)
    # What a killed process wrote can be read, but may not be on disk yet.
    segment.sync()


def check_length(recovered: Recovered, directory: str, recovery_point: int, snapshot: OffsetAndEpoch | None) -> None:
    """Refuse a log that, with its newest snapshot, ends before what was durable and committed.

    Raises:
        CorruptLogError: it does.
    """
    end = max(recovered.end_offset, 0 if snapshot is None else snapshot.offset)
    fault = missing_end(directory, end, recovery_point)
    if fault is not None:
        raise CorruptLogError(fault)


def missing_end(directory: str, end: Offset, recovery_point: Offset) -> str | None:
    """Describe what is missing if log and snapshots end before what was durable and committed; else return ``None``."""
    if end >= recovery_point:
        return None
    return (
        f"The log in {directory} ends at offset {end}, but everything below offset {recovery_point} was durable and "
        f"committed: {recovery_point - end} records are missing. {_ways_out(directory)}"
    )


def corrupt_log(verdict: BatchDiagnosis, directory: str) -> CorruptLogError:
    """Put a verdict into words, with the ways out."""
    override = (
        " Or, to give up this batch and all after it, start once with truncate_corrupt_tail=True."
        if verdict.may_override
        else ""
    )
    return CorruptLogError(
        f"The metadata log is corrupt in {verdict.corruption}; {verdict.why}. This is no torn write, so nothing was "
        f"cut. {_ways_out(directory)}{override}"
    )


def _ways_out(directory: str) -> str:
    return (
        f"Ways out: restore the file from a copy; or, while a majority of the other voters is healthy, move "
        f"{directory} away and let this node fetch everything from the leader."
    )


def _prepare_directory(fs: FileSystem, directory: str, recovered: Recovered) -> None:
    with faults_of("preparing", directory):
        if not fs.is_directory(directory):
            fs.make_directory(directory)
            sync_names(fs, parent(directory))
        names = fs.list_directory(directory)
    swapped = [name for name in names if name.endswith(SWAP_SUFFIX)]
    for name in swapped:
        with faults_of("completing", join(directory, name)):
            fs.rename(join(directory, name), join(directory, name.removesuffix(SWAP_SUFFIX)))
    leftovers = _leftovers(names, {name.removesuffix(SWAP_SUFFIX) for name in swapped})
    for name in leftovers:
        remove_if_exists(fs, join(directory, name))
    # A killed process's last creations and renames (segments, snapshots, the vote) are visible, but may not be on disk
    # yet.
    sync_names(fs, directory)
    if swapped or leftovers:
        done = ", ".join(sorted([*swapped, *leftovers]))
        recovered.warnings.append(f"cleaned up after an interrupted operation in {directory}: {done}")


def _leftovers(names: Sequence[str], completed: set[str]) -> list[str]:
    present = {*names, *completed}
    found = []
    for name in names:
        if name.endswith(LEFTOVER_SUFFIXES) and ".checkpoint" not in name:
            found.append(name)
        for suffix in (INDEX_SUFFIX, TIME_INDEX_SUFFIX):
            base = segment_base_offset(name, suffix)
            if base is not None and segment_name(base) not in present:
                found.append(name)
    return found
