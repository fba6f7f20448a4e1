"""Find a committed record that cannot be applied in stopped directories, and replace it with a no-op.

The record is on every node, so it must be replaced on every node, and the logs must be equal again: the batch is
rewritten with a no-op in the record's place, which keeps every offset, epoch and time. The replacement depends on the
batch alone, so each node computes the same bytes, and the same digest of the replacement. A node that was left out
still stops at the record; it does not follow another history.

A batch whose records cannot even be separated becomes no-ops entirely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kraftpy.disaster_recovery.changes import FileChange, apply_changes
from kraftpy.disaster_recovery.inspection import log_directory_of
from kraftpy.disaster_recovery.tar_bundle import Content, Joined, Piece
from kraftpy.image import MetadataLoader, ReplayError
from kraftpy.model.errors import KraftError, LocalError, MalformedError
from kraftpy.model.features import DEFAULT_LEVEL, METADATA_VERSION, SchemaSet
from kraftpy.model.offsets import ORIGIN, Offset
from kraftpy.records.batch import BATCH_HEADER_BYTES, Batch, encode_batch, parse_batch, read_header
from kraftpy.records.metadata import NoOpRecord, decode_record, encode_for_level, type_name
from kraftpy.storage.filesystem import FileSystem, base_name, join
from kraftpy.storage.inspection import DirectoryReport, inspect_directory
from kraftpy.storage.names import INDEX_SUFFIX, LOG_SUFFIX, METADATA_DIRECTORY, TIME_INDEX_SUFFIX
from kraftpy.storage.os_errors import faults_of
from kraftpy.storage.snapshots import SnapshotStore

PURPOSE = "skipping a record"
UNREADABLE = "(unreadable)"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreplayableRecord:
    """A record that cannot be applied, and its replacement.

    Attributes:
        directory: the log directory.
        segment: the file that holds it; the batch is at ``position`` and has ``size`` bytes.
        applied_below: everything below this offset is applied: where the batch begins.
        offset: the offset of the record.
        skipped: the offsets that become no-ops: the record's, or all of a batch that cannot be read.
        kind: the kind of record.
        reason: why it cannot be applied.
        replacement: the batch that would take the place of the bad one.
        digest: of what is replaced by what; equal on every node that holds the same.
        next_offset: the offset of the next record that cannot be applied, once this one is replaced; ``None`` for none.
        next_reason: why, ``None`` when everything else applies.
    """

    directory: str
    segment: str
    position: int
    size: int
    applied_below: Offset
    offset: Offset
    skipped: tuple[Offset, ...]
    kind: str
    reason: str
    replacement: bytes
    digest: str
    next_offset: Offset | None
    next_reason: str | None


@dataclass(frozen=True, slots=True)
class _Placed:
    segment: str
    position: int
    batch: Batch


def find_unreplayable(fs: FileSystem, path: str) -> UnreplayableRecord | None:
    """Apply a directory's snapshot and log to a scratch image; return the first record that cannot be applied, if any.

    Nothing is changed. The end of the log may not be committed: the files do not contain that.

    Raises:
        LocalError: the directory is corrupt, or its snapshot cannot be applied: that needs another procedure.
    """
    directory = log_directory_of(fs, path)
    report = inspect_directory(fs, join(directory, METADATA_DIRECTORY))
    _check_sound(directory, report)
    loader = MetadataLoader()
    start = _load_snapshot(fs, report, loader)
    placed = _batches_from(fs, report, start)
    for one in placed:
        try:
            loader.load_batches([one.batch])
        except ReplayError as error:
            return _describe(fs, directory, report, one, error, loader)
    return None


def _check_sound(directory: str, report: DirectoryReport) -> None:
    corruption = [one.corruption for one in report.segments if one.corruption is not None and not one.is_torn_tail]
    corruption += [one.corruption for one in report.snapshots if one.corruption is not None]
    if corruption:
        raise LocalError(f"{directory} is corrupt, which skipping a record does not mend: {corruption[0]}")


def _load_snapshot(fs: FileSystem, report: DirectoryReport, loader: MetadataLoader) -> Offset:
    ids = [one.snapshot_id for one in report.snapshots if one.snapshot_id != ORIGIN]
    if not ids:
        return 0
    store = SnapshotStore(fs, report.path, bytes)
    store.load()
    newest = ids[-1]
    try:
        loader.load_snapshot(newest, store.batches(newest), store.last_contained_timestamp_ms(newest))
    except ReplayError as error:
        raise LocalError(
            f"{store.path(newest)} cannot be applied: {error}. A snapshot is not repaired: where the log still has the "
            "records below it, move the snapshot away; or move the metadata log away and fetch everything again."
        ) from error
    return newest.offset


def _batches_from(fs: FileSystem, report: DirectoryReport, start: Offset) -> Iterator[_Placed]:
    for segment in report.segments:
        with faults_of("reading", segment.path):
            file = fs.open(segment.path)
            try:
                position = 0
                while position < segment.valid_bytes:
                    header = read_header(file.pread(BATCH_HEADER_BYTES, position))
                    if header.next_offset > start:
                        yield _Placed(segment.path, position, parse_batch(file.pread(header.size, position)))
                    position += header.size
            finally:
                file.close()


def _describe(
    fs: FileSystem, directory: str, report: DirectoryReport, bad: _Placed, error: ReplayError, loader: MetadataLoader
) -> UnreplayableRecord:
    offset = bad.batch.base_offset if error.offset is None else error.offset
    levels = loader.image.features.levels
    level = loader.image.level if METADATA_VERSION in levels else DEFAULT_LEVEL
    skipped, replacement = _replaced(bad.batch, offset, level)
    following = _following(fs, report, parse_batch(replacement))
    seen = hashlib.sha256(bad.batch.data)
    seen.update(replacement)
    return UnreplayableRecord(
        directory=directory,
        segment=bad.segment,
        position=bad.position,
        size=bad.batch.size,
        applied_below=bad.batch.base_offset,
        offset=offset,
        skipped=skipped,
        kind=_kind(bad.batch, offset, SchemaSet.for_level(level)),
        reason=str(error),
        replacement=replacement,
        digest=seen.hexdigest(),
        next_offset=None if following is None else following.offset,
        next_reason=None if following is None else str(following),
    )


def _replaced(batch: Batch, offset: Offset, level: int) -> tuple[tuple[Offset, ...], bytes]:
    """Return the offsets that become no-ops, and the batch with them."""
    nothing = encode_for_level(NoOpRecord(), level)
    try:
        values = batch.values()
        values[offset - batch.base_offset] = nothing
        skipped: tuple[Offset, ...] = (offset,)
    except MalformedError:
        values = [nothing] * batch.record_count
        skipped = tuple(range(batch.base_offset, batch.next_offset))
    data = encode_batch(values, base_offset=batch.base_offset, epoch=batch.epoch, timestamp_ms=batch.base_timestamp_ms)
    return skipped, data


def _kind(batch: Batch, offset: Offset, schema: SchemaSet) -> str:
    """Name the kind of record; its content is not shown, because records carry credentials."""
    try:
        return type_name(decode_record(batch.values()[offset - batch.base_offset], schema))
    except KraftError:
        return UNREADABLE


def _following(fs: FileSystem, report: DirectoryReport, replacement: Batch) -> ReplayError | None:
    """Return whether everything else applies once the batch is replaced."""
    loader = MetadataLoader()
    start = _load_snapshot(fs, report, loader)
    try:
        for one in _batches_from(fs, report, start):
            is_bad = one.batch.base_offset == replacement.base_offset
            loader.load_batches([replacement if is_bad else one.batch])
    except ReplayError as error:
        return error
    return None


def check_same(found: Sequence[UnreplayableRecord | None]) -> None:
    """Refuse directories that do not hold the same bad record: they would not be equal afterwards.

    Raises:
        LocalError: two of them differ.
    """
    poisons = [one for one in found if one is not None]
    for one in poisons[1:]:
        if (one.offset, one.digest) != (poisons[0].offset, poisons[0].digest):
            raise LocalError(
                f"{one.directory} stops at offset {one.offset} and {poisons[0].directory} at {poisons[0].offset}, or "
                "their batches differ there. Repair the one that is behind first; or repair one, and move the metadata "
                "logs of the others away: they fetch everything again."
            )


def replace_unreplayable(fs: FileSystem, poison: UnreplayableRecord, command: str) -> None:
    """Replace the bad batch; the caller holds the directory's lock.

    Raises:
        LocalError: an earlier change of the directory was not put back or kept.
        StorageError: the disk said no.
    """
    with faults_of("reading", poison.segment):
        size = fs.size(poison.segment)
    end = poison.position + poison.size
    content: Content = Joined(
        (Piece(poison.segment, poison.position), poison.replacement, Piece(poison.segment, size - end, end))
    )
    path = f"{METADATA_DIRECTORY}/{base_name(poison.segment)}"
    # The batch has another size, so later batches have other positions: the indexes are rebuilt at a start.
    indexes = (path.removesuffix(LOG_SUFFIX) + suffix for suffix in (INDEX_SUFFIX, TIME_INDEX_SUFFIX))
    changes = [FileChange(index, None) for index in indexes if fs.exists(join(poison.directory, index))]
    changes.append(FileChange(path, content))
    apply_changes(fs, poison.directory, changes, purpose=PURPOSE, digest=poison.digest, command=command)
