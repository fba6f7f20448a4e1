"""Move a corrupt metadata log into quarantine as a whole, so that the node can re-replicate it from its peers.

:func:`quarantined` moves segments, indexes, snapshots and the epoch checkpoint into
``__cluster_metadata-0/kraftpy.quarantine/<time>/``, with the reason in ``reason.txt``. Nothing is deleted and nothing
is rewritten; moved back, the files are the same log as before. It is a separate directory, so neither kraftpy nor Kafka
reads it at a start. What stays in place is what the node promised apart from records: ``quorum-state`` with the epoch
and the vote (it must not vote twice), and its identity.

The order makes it safe. First the status (:mod:`kraftpy.storage.replica_status`) is written durably: from then on the
replica is not counted until it has proved that it holds everything acknowledged (docs/design/voter-eligibility.md).
Then the files are moved, then the recovery point is reset (the next log begins at 0 and is no shorter than promised),
then the status is written again: the quarantine is complete. After a kill in between, the next start completes it; it
reads the status before anything else.

The number of quarantined logs is limited (:data:`QUARANTINED_LOGS_MAX`), and there must be enough disk space to fetch
as much as is moved: a disk that corrupts one log after another must be replaced, not filled.

The committed end according to the corrupt log is written into the status: the smaller of the recovery point (an offset
that a flipped bit may have raised) and the end of what can be read, or the end of a snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from kraftpy.model.errors import CorruptLogError, MalformedError, StorageError, UnreadableError
from kraftpy.model.offsets import Offset, OffsetAndEpoch
from kraftpy.model.replica_status import LogQuarantine
from kraftpy.records.batch import parse_batch
from kraftpy.records.control import ControlRecord
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import File, FileSystem, base_name, join, parent, read_file
from kraftpy.storage.names import (
    INDEX_SUFFIX,
    LEADER_EPOCH_CHECKPOINT,
    LOG_SUFFIX,
    METADATA_DIRECTORY,
    QUARANTINE,
    RECOVERY_POINT_CHECKPOINT,
    TIME_INDEX_SUFFIX,
    segment_base_offset,
    segment_name,
)
from kraftpy.storage.os_errors import faults_of, sync_names
from kraftpy.storage.recovery import segment_bases
from kraftpy.storage.recovery_point import UnusableRecoveryPointError, read_recovery_point, write_recovery_point
from kraftpy.storage.replica_status import ReplicaStatusFile
from kraftpy.storage.scan import WholeBatch, whole_batches
from kraftpy.storage.snapshots import SnapshotStore

QUARANTINED_LOGS_MAX = 3
"""The number of quarantined logs in one directory; the next corruption stops the node."""

REASON_FILE = "reason.txt"
SEGMENT_SUFFIXES = (LOG_SUFFIX, INDEX_SUFFIX, TIME_INDEX_SUFFIX)
SPARE_NAMES_MAX = 100
"""The number of logs that can be quarantined within one second."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A log that was moved into quarantine.

    Attributes:
        path: the directory that holds it now.
        files: how many files were moved.
        committed: everything below it was committed, as far as could be read.
    """

    path: str
    files: int
    committed: Offset


def quarantine(fs: FileSystem, log_directory: str, reason: str, now_ms: int) -> Quarantined:
    """Move the metadata log of a stopped node into quarantine, and mark its replica as recovering.

    Args:
        fs: the disk; the caller holds the directory's lock, and nothing of the log is open.
        log_directory: ``metadata.log.dir``.
        reason: why, as text for the operator.
        now_ms: the time, from which the directory is named.

    Raises:
        StorageError: too many logs are quarantined, there is no space to fetch another one, or a disk operation failed.
    """
    directory = join(log_directory, METADATA_DIRECTORY)
    names = _files_of_the_log(fs, directory)
    _check_limits(fs, directory, names, reason)
    # Read before anything is made: each start that fails here would leave one more place that counts as a log.
    status = ReplicaStatusFile.read(fs, directory)
    committed = committed_end(fs, directory)
    name = _free_name(fs, directory, now_ms)
    place = _place(directory, name)
    with faults_of("making", place):
        fs.make_directory(place)
    sync_names(fs, directory)
    sync_names(fs, parent(place))
    replace_file(fs, join(place, REASON_FILE), f"{reason}\n".encode())
    committed = max(committed, status.value.committed)
    status.write(status.value.as_quarantined(LogQuarantine(name, committed, is_finished=False)))
    finish_quarantine(fs, directory, status)
    return Quarantined(place, len(names), committed)


def finish_quarantine(fs: FileSystem, directory: str, status: ReplicaStatusFile) -> None:
    """Move what is still to be moved, if the status states an unfinished quarantine."""
    note = status.value.quarantine
    if note is None or note.is_finished:
        return
    place = _place(directory, note.name)
    for name in _files_of_the_log(fs, directory):
        with faults_of("quarantining", join(directory, name)):
            fs.rename(join(directory, name), join(place, name))
    # The new names first: whatever a crash leaves, each file has one.
    sync_names(fs, place)
    sync_names(fs, directory)
    recovery_point_path = join(parent(directory), RECOVERY_POINT_CHECKPOINT)
    if _promised(fs, recovery_point_path) != 0:
        write_recovery_point(fs, recovery_point_path, 0)
    status.write(status.value.as_quarantined(replace(note, is_finished=True)))


def quarantined_logs(fs: FileSystem, directory: str) -> tuple[str, ...]:
    """Return the directories of quarantined logs, the oldest first.

    Args:
        fs: the disk.
        directory: ``__cluster_metadata-0``.
    """
    place = join(directory, QUARANTINE)
    with faults_of("listing", place):
        names = fs.list_directory(place) if fs.is_directory(place) else []
    return tuple(join(place, name) for name in names)


@dataclass(frozen=True, slots=True)
class QuarantinedLog:
    """The content of a quarantined log.

    Attributes:
        path: the directory that holds it.
        reason: why it was quarantined, as text; empty when that cannot be read.
        end: the last epoch and end offset of its valid prefix, or of its newest snapshot if that is higher.
        readable: where the last valid batch ends, regardless of what precedes it.
    """

    path: str
    reason: str
    end: OffsetAndEpoch
    readable: Offset


def list_quarantined(fs: FileSystem, directory: str) -> tuple[QuarantinedLog, ...]:
    """Inspect the quarantined logs, the oldest first; nothing is changed.

    Args:
        fs: the disk.
        directory: ``__cluster_metadata-0``.
    """
    return tuple(_look_at(fs, path) for path in quarantined_logs(fs, directory) if fs.is_directory(path))


def _look_at(fs: FileSystem, path: str) -> QuarantinedLog:
    reason = join(path, REASON_FILE)
    with faults_of("reading", reason):
        text = read_file(fs, reason).decode("utf-8", "replace") if fs.exists(reason) else ""
    bases = segment_bases(fs, path)
    end, readable = OffsetAndEpoch(epoch=0, offset=0), 0
    is_whole, expected = True, bases[0] if bases else 0
    for base in bases:
        is_whole = is_whole and base == expected
        try:
            for _, batch in _segment(fs, path, base):
                readable = max(readable, batch.next)
                is_whole = is_whole and batch.base == expected
                if is_whole:
                    expected = batch.next
                    end = OffsetAndEpoch(epoch=batch.epoch, offset=expected)
        except UnreadableError:
            is_whole = False
    store = SnapshotStore(fs, path, bytes)
    store.load()
    for snapshot_id in store.ids:
        with suppress(CorruptLogError, UnreadableError):
            store.validate(snapshot_id)
            end = max(end, snapshot_id)
    return QuarantinedLog(path, text.strip().partition(" Ways out: ")[0], end, max(readable, end.offset))


def _place(directory: str, name: str) -> str:
    return join(join(directory, QUARANTINE), name)


def _files_of_the_log(fs: FileSystem, directory: str) -> list[str]:
    with faults_of("listing", directory):
        names = fs.list_directory(directory)
    return [name for name in names if is_of_the_log(name)]


def is_of_the_log(path: str) -> bool:
    """Return whether a file is one of those that are moved into quarantine."""
    name = base_name(path)
    return (
        name == LEADER_EPOCH_CHECKPOINT
        or parse_snapshot_file_name(name) is not None
        or any(segment_base_offset(name, suffix) is not None for suffix in SEGMENT_SUFFIXES)
    )


def _check_limits(fs: FileSystem, directory: str, names: list[str], reason: str) -> None:
    quarantined = quarantined_logs(fs, directory)
    if len(quarantined) >= QUARANTINED_LOGS_MAX:
        raise StorageError(
            f"{reason} It was not quarantined: {len(quarantined)} corrupt logs are in {join(directory, QUARANTINE)} "
            "already, so this disk is not to be trusted. Replace it; or, if you know better, remove those that you do "
            "not need any more."
        )
    with faults_of("measuring", directory):
        needed = sum(fs.size(join(directory, name)) for name in names)
        free = fs.free_bytes(directory)
    if free < needed:
        raise StorageError(
            f"{reason} It was not quarantined: fetching it again takes about {needed} bytes, and {free} are free in "
            f"{directory}. Make room."
        )


def _free_name(fs: FileSystem, directory: str, now_ms: int) -> str:
    stem = datetime.fromtimestamp(now_ms // 1_000, UTC).strftime("%Y-%m-%dT%H-%M-%SZ")
    candidates = (stem if number == 1 else f"{stem}-{number}" for number in range(1, SPARE_NAMES_MAX))
    return next(name for name in candidates if not fs.exists(_place(directory, name)))


# What can still be read of it.


def committed_end(fs: FileSystem, directory: str) -> Offset:
    """Return the committed end according to a corrupt log, as far as that can be read.

    A segment that cannot be read at all may have contained everything that was promised.
    """
    ends = [_readable_end(fs, directory, base) for base in segment_bases(fs, directory)]
    committed = max((end for end in ends if end is not None), default=0)
    promised = _promised(fs, join(parent(directory), RECOVERY_POINT_CHECKPOINT))
    if promised is not None:
        committed = promised if None in ends else min(committed, promised)
    store = SnapshotStore(fs, directory, bytes)
    store.load()
    return max([committed, *(snapshot_id.offset for snapshot_id in store.ids)])


def _promised(fs: FileSystem, recovery_point_path: str) -> Offset | None:
    """Return the recovery point, ``None`` when the file is none: then all that can be read may have been committed."""
    try:
        return read_recovery_point(fs, recovery_point_path)
    except UnusableRecoveryPointError:
        return None


def readable_control_records(fs: FileSystem, directory: str) -> tuple[tuple[Offset, ControlRecord], ...]:
    """Return the readable control records of a corrupt log, including those after the corruption.

    Those of the newest complete snapshot have the offset before its end; those of the log follow.
    """
    found: list[tuple[Offset, ControlRecord]] = []
    store = SnapshotStore(fs, directory, bytes)
    store.load()
    for snapshot_id in reversed(store.ids):
        try:
            store.validate(snapshot_id)
            found = [(snapshot_id.offset - 1, record) for record in store.control_records(snapshot_id)]
        except (CorruptLogError, UnreadableError):
            continue
        break
    start = found[-1][0] + 1 if found else 0
    for base in segment_bases(fs, directory):
        with suppress(UnreadableError):
            found += [(offset, record) for offset, record in _control_records(fs, directory, base) if offset >= start]
    return tuple(found)


def _segment(fs: FileSystem, directory: str, base: Offset) -> Iterator[tuple[File, WholeBatch]]:
    """Yield the valid batches of a segment, each with its file.

    Raises:
        UnreadableError: the disk fails to read the next piece.
    """
    path = join(directory, segment_name(base))
    with faults_of("reading", path):
        file = fs.open(path)
        try:
            for batch in whole_batches(file, base):
                yield file, batch
        finally:
            file.close()


def _readable_end(fs: FileSystem, directory: str, base: Offset) -> Offset | None:
    """Return the offset after the last valid batch of a segment, skipping bad bytes; ``None`` if unreadable."""
    end = base
    try:
        for _, batch in _segment(fs, directory, base):
            end = batch.next
    except UnreadableError:
        return None
    return end


def _control_records(fs: FileSystem, directory: str, base: Offset) -> Iterator[tuple[Offset, ControlRecord]]:
    for file, batch in _segment(fs, directory, base):
        if batch.is_control:
            with suppress(MalformedError), faults_of("reading", file.path):
                records = parse_batch(file.pread(batch.size, batch.position)).control_records()
                yield from enumerate(records, batch.base)
