"""The metadata log: an append-only run of record batches in segment files.

``append`` writes, ``sync`` makes durable, and nothing in between is promised. One owner calls everything, one call at a
time; no call waits for anything but the disk. After a failed sync it is unknown what the disk holds (the kernel may
have dropped the dirty pages and called them clean), so the log then refuses everything: the node must stop and recover.

A disk can take seconds where it should take a fraction of a millisecond. So that its owner need not wait with it, each
operation also exists in two halves: ``begin_...`` changes what the memory holds and returns a :class:`DiskJob`, the
part that waits for the disk, which may run in another thread. The rules: *all memory of the log belongs to the owner's
thread*; a job touches files, and the few plain attributes that no other code reads while it runs; one job runs at a
time, in the order in which they were begun. Meanwhile the owner may read (what a reader asks for is never what a job
cuts
away: the memory has let go of that already) and may ``stage`` batches, which are readable at once and written, and made
durable, by the next flush. Nothing else of the log may be called until the job is done.

Invariants: offsets are contiguous and epochs never fall; ``start <= end``, ``flushed <= end``; what was committed is
never truncated; only zeros follow the end.

Rejected: memory-mapped segments (an I/O error becomes SIGBUS), O_DSYNC (no faster here, and it forbids grouping).
Source: on-disk formats §9, §10; raft §14, §16; Kafka ``KafkaMetadataLog``, ``UnifiedLog``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TypeAlias

from kraftpy.model.errors import (
    CorruptLogError,
    DiskFullError,
    LocalError,
    MalformedError,
    StorageError,
    SyncFailedError,
)
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.records.batch import CONTROL_BIT, Batch, parse_batch, split_batches
from kraftpy.storage.config import LogConfig
from kraftpy.storage.epoch_checkpoint import write_epoch_checkpoint
from kraftpy.storage.epochs import EpochEntries
from kraftpy.storage.filesystem import FileSystem, join, parent
from kraftpy.storage.index import RELATIVE_OFFSET_MAX
from kraftpy.storage.names import LEADER_EPOCH_CHECKPOINT, RECOVERY_POINT_CHECKPOINT
from kraftpy.storage.os_errors import storage_error
from kraftpy.storage.recovery import Recovered
from kraftpy.storage.recovery_point import epochs_checksum, write_recovery_point
from kraftpy.storage.scan import HEAD, MAGIC, OVERHEAD_BYTES
from kraftpy.storage.segment import Segment
from kraftpy.storage.tail_cache import TailCache

CLOSED = "it was closed"

ITERATE_BYTES = 1 << 20
"""How much ``iterate`` reads at a time."""

DiskJob: TypeAlias = Callable[[], None]
"""What is left to do on the disk; it blocks, raises StorageError, and may run in another thread."""


@dataclass(frozen=True, slots=True)
class StagedAppend:
    """Batches that are in the log's memory and not in its file yet."""

    data: bytes
    heads: list[tuple[Offset, Offset, Epoch, int]]
    sizes: list[int]
    now_ms: int


@dataclass(frozen=True, slots=True)
class Flush:
    """A flush that was begun.

    Attributes:
        on_disk: writes and syncs; blocking, perhaps in another thread.
        done: takes note of it, in the owner's thread, once ``on_disk`` has returned.
    """

    on_disk: DiskJob
    done: Callable[[], None]


class MetadataLog:
    """An open log; made by :func:`kraftpy.storage.log_open.open_metadata_log`.

    Attributes:
        recovery: what opening it found.
        start_offset: the first offset that may be read.
        end_offset: the next offset to be written.
        flushed_offset: everything below it is durable here.
        recovery_point: everything below it was written down as durable and committed.
        end_unknown: why the recovery point found at the start was unusable, with the ways out: this log is readable,
            but may have lost its end; else ``None``.
    """

    def __init__(
        self, fs: FileSystem, directory: str, config: LogConfig, found: Recovered, epochs: EpochEntries, noted: Offset
    ) -> None:
        """Hold the parts; use :func:`kraftpy.storage.log_open.open_metadata_log`.

        Args:
            fs: the disk.
            directory: ``<log dir>/__cluster_metadata-0``.
            config: the limits.
            found: the segments, at least one; they are the log's from here on.
            epochs: the history of those; the log's own, too.
            noted: the recovery point as its file has it.
        """
        self._fs = fs
        self._directory = directory
        self._config = config
        self._segments = found.segments
        self._staged: deque[StagedAppend] = deque()
        self._epochs = epochs
        self._written_epochs: tuple[tuple[Epoch, Offset], ...] | None = None
        self._cache = TailCache(config.tail_cache_bytes)
        self._refuses: str | None = None
        # The memory has let go of what the disk still holds: until that job is done the files are not what we believe.
        self._is_cutting = False
        self._recovery_point_path = join(parent(directory), RECOVERY_POINT_CHECKPOINT)
        self._recovery_point_written = noted
        self.recovery = found.report()
        self.recovery_point = noted
        self.end_unknown: str | None = None
        self.start_offset: Offset = found.segments[0].base_offset
        self.end_offset = self.flushed_offset = found.end_offset

    # What it is.

    @property
    def last_epoch(self) -> Epoch:
        """The epoch of the newest entry; of the snapshot below it when the log is empty; else 0."""
        return self._epochs.last_epoch

    @property
    def epoch_entries(self) -> tuple[tuple[Epoch, Offset], ...]:
        """(epoch, start offset), ascending."""
        return self._epochs.entries

    @property
    def size_bytes(self) -> int:
        """How many bytes of batches the log holds."""
        return sum(segment.size for segment in self._segments)

    @property
    def active_path(self) -> str:
        """The file that appends go to."""
        return self._segments[-1].path

    # Writing.

    def append(self, batches: Sequence[bytes], now_ms: int) -> None:
        """Append complete framed batches with contiguous offsets; they are not durable before :meth:`sync`.

        All or nothing: on an error none of them is in the log.

        Raises:
            DiskFullError: the disk is full; the log is unchanged.
            StorageError: the write failed; the log is unchanged, or rejects every later operation.
        """
        self._check_usable()
        invariant(not self._staged, "what was staged is written before what comes after it", self.end_offset)
        if not batches:
            return
        heads = _check_follow_on(batches, self.end_offset, self._epochs.last_epoch)
        data = batches[0] if len(batches) == 1 else b"".join(batches)
        active = self._segments[-1]
        if _must_roll(self._config, active, len(data), heads[-1][1], now_ms):
            active = self._roll()
        self._write(active, data)
        for batch, (base, last, epoch, max_ms) in zip(batches, heads, strict=True):
            active.accept(last, len(batch), max_ms, now_ms)
            self._remember(batch, base, last, epoch)
        self.end_offset = active.end_offset

    def _write(self, active: Segment, data: bytes) -> None:
        try:
            active.write(data, _zeros_ahead(self._config, active))
        except OSError as error:
            self._undo(active)
            raise storage_error("appending to", active.path, error, len(data)) from error

    def _remember(self, batch: bytes, base: Offset, last: Offset, epoch: Epoch) -> None:
        self._cache.append(batch, base, last + 1)
        if epoch != self._epochs.last_epoch or not self._epochs.entries:
            self._epochs.assign(epoch, base)

    def _roll(self) -> Segment:
        """Close the active segment, durably, and open the next one."""
        new = self._rolled(self._segments[-1], self.end_offset)
        self.flushed_offset = self.end_offset
        self._segments.append(new)
        return new

    def _rolled(self, active: Segment, end_offset: Offset) -> Segment:
        """Do the disk's part of a roll.

        The old segment is synced *before* the new one exists: a segment with a successor is never torn, and recovery
        relies on it.
        """
        with self._refusing_after(SyncFailedError):
            active.finish()
            return Segment.create(self._fs, self._directory, end_offset, self._config.index_interval_bytes)

    # Writing without waiting.

    def stage(self, batches: Sequence[bytes], now_ms: int) -> None:
        """Append batches to what can be read; :meth:`begin_flush` takes them to the disk. It never waits."""
        self._check_usable()
        if not batches:
            return
        heads = _check_follow_on(batches, self.end_offset, self._epochs.last_epoch)
        data = batches[0] if len(batches) == 1 else b"".join(batches)
        self._staged.append(StagedAppend(data, heads, [len(batch) for batch in batches], now_ms))
        # They can be read from the cache alone, so it lets go of none of them.
        self._cache.keep_from(self._staged[0].heads[0][0])
        for batch, (base, last, epoch, _) in zip(batches, heads, strict=True):
            self._remember(batch, base, last, epoch)
        self.end_offset = heads[-1][1] + 1

    def begin_flush(self) -> Flush:
        """Begin to make durable what was appended and staged so far, or as much of it as fits the active segment."""
        self._check_usable()
        active, taken, size, rolls = self._segments[-1], 0, 0, False
        for staged in self._staged:
            size += len(staged.data)
            if taken and active.size + size > self._config.segment_bytes:
                break
            if _must_roll(self._config, active, size, staged.heads[-1][1], staged.now_ms):
                # What opens a new segment goes there alone: the next flush asks again what fits.
                rolls = taken == 0
                taken += rolls
                break
            taken += 1
        writes = [self._staged[number] for number in range(taken)]
        return self._flush_of(active, writes, rolls=rolls)

    def _flush_of(self, active: Segment, writes: list[StagedAppend], *, rolls: bool) -> Flush:
        end = writes[-1].heads[-1][1] + 1 if writes else active.end_offset
        written = [active]

        def on_disk() -> None:
            self._check_usable()
            if rolls:
                written.append(self._rolled(active, active.end_offset))
            with self._refusing_after(StorageError):
                if writes:
                    self._write(written[-1], b"".join([one.data for one in writes]))
                written[-1].sync()

        def done() -> None:
            if rolls:
                self._segments.append(written[-1])
            for staged in writes:
                for size, (_, last, _, max_ms) in zip(staged.sizes, staged.heads, strict=True):
                    written[-1].accept(last, size, max_ms, staged.now_ms)
                self._staged.popleft()
            self._cache.keep_from(self._staged[0].heads[0][0] if self._staged else None)
            self.flushed_offset = end

        return Flush(on_disk, done)

    def _undo(self, active: Segment) -> None:
        try:
            active.undo_write()
        except StorageError as error:
            self._refuses = f"a failed append could not be undone ({error})"

    def sync(self) -> None:
        """Make everything appended so far durable (one fdatasync).

        Raises:
            SyncFailedError: what the disk holds is unknown now; the log refuses everything from here on.
        """
        self._check_usable()
        invariant(not self._staged, "what was staged is made durable by its own flush", self.end_offset)
        end = self.end_offset
        if self.flushed_offset == end:
            return
        try:
            self._segments[-1].sync()
        except StorageError as error:
            self._refuses = str(error)
            raise
        self.flushed_offset = end

    def maybe_preallocate(self) -> bool:
        """Write zeros after the end when few are left, preferably while idle; return whether it did."""
        self._check_usable()
        active = self._segments[-1]
        zeros = _zeros_ahead(self._config, active)
        # An empty segment gets its zeros with its first append: a node that never writes uses no disk space.
        return active.size > 0 and zeros > 0 and active.preallocate(zeros)

    def note_durable(self, offset: Offset) -> None:
        """Write down that everything below ``offset`` is durable and committed; the caller limits how often.

        Args:
            offset: the smaller of the high watermark and what was flushed; a lower one than before changes nothing.
        """
        self.begin_note_durable(offset)()

    def begin_note_durable(self, offset: Offset) -> DiskJob:
        """Do the memory's half of :meth:`note_durable`."""
        self._check_usable()
        invariant(offset <= self.flushed_offset, "only what is durable is noted so", offset, self.flushed_offset)
        self.recovery_point = point = max(self.recovery_point, offset)
        entries, write_epochs = self._epochs.entries, self._epochs_written()

        def on_disk() -> None:
            if point > self._recovery_point_written:
                # Below the recovery point the epochs have second evidence, so that one comes first.
                write_epochs()
                if self._written_epochs != entries:
                    return
                epochs = epochs_checksum(entries, point)
                with self._refusing_after(SyncFailedError):
                    write_recovery_point(self._fs, self._recovery_point_path, point, epochs)
                self._recovery_point_written = point

        return on_disk

    def assign_epoch(self, epoch: Epoch, start_offset: Offset) -> None:
        """Enter a new leader's epoch, before its first record is appended. Durable."""
        self.begin_assign_epoch(epoch, start_offset)()

    def begin_assign_epoch(self, epoch: Epoch, start_offset: Offset) -> DiskJob:
        """Do the memory's half of :meth:`assign_epoch`."""
        self._check_usable()
        return self._epochs_written() if self._epochs.assign(epoch, start_offset) else _nothing

    # Cutting.

    def truncate_to(self, offset: Offset) -> None:
        """Remove the batch that holds ``offset`` and everything after it, durably.

        Epoch entries that start at or above ``offset`` go even when the log already ends there: an epoch may have an
        entry without a record. Nothing below the recovery point is ever removed.
        """
        self.begin_truncate_to(offset)()

    def begin_truncate_to(self, offset: Offset) -> DiskJob:
        """Do the memory's half of :meth:`truncate_to`."""
        self._check_usable()
        invariant(offset >= self.start_offset, "a truncation stays above the log start", offset, self.start_offset)
        invariant(not self._staged, "what was staged is written before it is cut", self.end_offset)
        cuts = self._cut(offset) if offset < self.end_offset else []
        self._is_cutting = bool(cuts)
        self._epochs.truncate(min(offset, self.end_offset) if cuts else offset)
        write_epochs = self._epochs_written()

        def on_disk() -> None:
            with self._refusing_after(StorageError):
                for cut in cuts:
                    cut()
            self._is_cutting = False
            write_epochs()

        return on_disk

    def _cut(self, offset: Offset) -> list[DiskJob]:
        target = _segment_at(self._segments, offset)
        position, cut = target.locate(offset)
        invariant(
            cut >= self.recovery_point,
            "what was committed is never truncated; the leader's log is another than this (was the quorum recovered "
            "from a copy that had less? then move this node's metadata log away, and it fetches everything again)",
            cut, self.recovery_point, self._directory,
        )  # fmt: skip
        kept = self._segments.index(target) + 1
        # From the newest down: whatever a crash leaves is a log without holes.
        jobs: list[DiskJob] = [segment.delete for segment in reversed(self._segments[kept:])]
        jobs.append(target.begin_truncate(position, cut))
        del self._segments[kept:]
        self._cache.truncate(target.end_offset)
        self.end_offset = self.flushed_offset = target.end_offset
        return jobs

    def reset_to(self, position: OffsetAndEpoch) -> None:
        """Throw the whole log away, durably, and start an empty one at a snapshot's end.

        A crash in between leaves a log that ends before the snapshot, which the next opening then resets again.
        """
        self.begin_reset_to(position)()

    def begin_reset_to(self, position: OffsetAndEpoch) -> DiskJob:
        """Do the memory's half of :meth:`reset_to`."""
        self._check_usable()
        invariant(
            position.offset >= self.recovery_point,
            "a log is only replaced by a snapshot of everything committed",
            position, self.recovery_point,
        )  # fmt: skip
        invariant(not self._staged, "what was staged is written before it is replaced", self.end_offset)
        self._is_cutting = True
        gone, self._segments = self._segments, []
        # Until the job is done there is no segment, and nothing to read either: the log starts where it ends.
        self._cache.truncate(self.start_offset)
        self._epochs.reset(position.epoch)
        self.start_offset = self.end_offset = self.flushed_offset = position.offset
        write_epochs = self._epochs_written()

        def on_disk() -> None:
            with self._refusing_after(StorageError):
                for segment in reversed(gone):
                    segment.delete()
                interval = self._config.index_interval_bytes
                new = Segment.create(self._fs, self._directory, position.offset, interval)
            self._segments.append(new)
            self._is_cutting = False
            write_epochs()

        return on_disk

    def advance_start(self, offset: Offset) -> None:
        """Let the log start at ``offset``: delete the segments wholly below it, never the active one."""
        self.begin_advance_start(offset)()

    def begin_advance_start(self, offset: Offset) -> DiskJob:
        """Do the memory's half of :meth:`advance_start`; it may be called while another job runs."""
        self._check_usable()
        invariant(offset <= self.end_offset, "the log start stays within the log", offset, self.end_offset)
        if offset <= self.start_offset:
            return _nothing
        self.start_offset = offset
        self._epochs.advance_start(offset)
        gone: list[Segment] = []
        while len(self._segments) > 1 and self._segments[0].end_offset <= offset:
            gone.append(self._segments.pop(0))
        write_epochs = self._epochs_written()

        def on_disk() -> None:
            with self._refusing_after(StorageError):
                # From the oldest up: whatever a crash leaves is a log without holes.
                for segment in gone:
                    segment.delete()
            write_epochs()

        return on_disk

    # Reading.

    def read(self, from_offset: Offset, max_bytes: int, upto_offset: Offset | None = None) -> bytes:
        """Return whole batches, beginning with the one that holds ``from_offset``.

        Args:
            from_offset: between the log's start and its end.
            max_bytes: about how much; the first batch is returned even when it is larger.
            upto_offset: only batches that end at or below it; ``None`` for the log's end.

        Returns:
            The bytes as stored in the segment; empty at the end. It may be fewer than available.
        """
        self._check_usable()
        if not self.start_offset <= from_offset <= self.end_offset:
            raise LocalError(f"offset {from_offset} is outside the log, [{self.start_offset}, {self.end_offset})")
        upto = self.end_offset if upto_offset is None else min(upto_offset, self.end_offset)
        if from_offset >= upto:
            return b""
        if self._cache.holds(from_offset):
            return self._cache.read(from_offset, max_bytes, upto)
        return _segment_at(self._segments, from_offset).read(from_offset, max_bytes, upto, self._epochs.at)

    def iterate(self, from_offset: Offset) -> Iterator[Batch]:
        """Yield the batches from the one that holds ``from_offset``, checksums verified, to the log's present end.

        Raises:
            CorruptLogError: a batch is not what it was when the log was opened.
        """
        while data := self.read(from_offset, ITERATE_BYTES):
            try:
                for batch in split_batches(data):
                    yield batch
                    from_offset = batch.next_offset
            except MalformedError as error:
                path = _segment_at(self._segments, from_offset).path
                raise CorruptLogError(
                    f"{path} was whole when it was opened and is corrupt at offset {from_offset} now: {error}. "
                    "Stop this node and check the disk."
                ) from error

    def control_batches(self, from_offset: Offset) -> Iterator[Batch]:
        """Yield the control batches from an offset to the log's end; data batches are skipped unread."""
        while data := self.read(from_offset, ITERATE_BYTES):
            position = 0
            while position < len(data):
                base, length, _, _, _, attributes, delta, _, _ = HEAD.unpack_from(data, position)
                size = length + OVERHEAD_BYTES
                if attributes & CONTROL_BIT:
                    yield parse_batch(data[position : position + size])
                position += size
                from_offset = base + delta + 1

    # Ending.

    def close(self) -> None:
        """Cut the zeros, sync, write indexes, epochs and recovery point, and close the files. Once.

        A log that refuses to go on, or that was about to be cut when its owner failed, is left to the next recovery.
        """
        if self._refuses == CLOSED:
            return
        try:
            if self._refuses is None and not self._is_cutting:
                while self._staged:
                    flush = self.begin_flush()
                    flush.on_disk()
                    flush.done()
                with self._refusing_after(SyncFailedError):
                    self._segments[-1].finish()
                    self.flushed_offset = self.end_offset
                    self._epochs_written()()
                    self.note_durable(self.recovery_point)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close the files and write nothing: for a start that failed."""
        for segment in self._segments:
            segment.file.close()
        self._refuses = CLOSED

    def _epochs_written(self) -> DiskJob:
        path, entries = join(self._directory, LEADER_EPOCH_CHECKPOINT), self._epochs.entries

        def on_disk() -> None:
            if entries == self._written_epochs:
                return
            # If the disk is full, the log continues without it and recovery rebuilds it; the recovery point does not
            # advance.
            with self._refusing_after(SyncFailedError), suppress(DiskFullError):
                write_epoch_checkpoint(self._fs, path, entries)
                self._written_epochs = entries

        return on_disk

    @contextmanager
    def _refusing_after(self, failure: type[StorageError]) -> Iterator[None]:
        """Refuse everything after such a failure: SyncFailedError, or any that leaves the files half way."""
        try:
            yield
        except failure as error:
            self._refuses = str(error)
            raise

    def _check_usable(self) -> None:
        if self._refuses is not None:
            raise StorageError(f"The log in {self._directory} refuses to go on: {self._refuses}")


def _nothing() -> None:
    """Do nothing: a job for the disk where there is nothing to do."""


def _check_follow_on(
    batches: Sequence[bytes], expected: Offset, epoch_before: Epoch
) -> list[tuple[Offset, Offset, Epoch, int]]:
    """Check the headers; return base and last offset, epoch and largest timestamp of each."""
    heads = []
    for batch in batches:
        base, length, epoch, magic, _, _, delta, _, max_ms = HEAD.unpack_from(batch)
        follows = base == expected and epoch >= epoch_before and delta >= 0
        invariant(follows, "appended batches follow on in offset and epoch", base, expected, epoch, epoch_before)
        is_whole = length + OVERHEAD_BYTES == len(batch) and magic == MAGIC
        invariant(is_whole, "an appended batch is one whole batch", length, len(batch), magic)
        heads.append((base, base + delta, epoch, max_ms))
        expected, epoch_before = base + delta + 1, epoch
    return heads


def _must_roll(config: LogConfig, active: Segment, size: int, last_offset: Offset, now_ms: int) -> bool:
    """Return whether the next append opens a new segment. Source: on-disk formats §9.1.

    Age is measured by this node's clock from end to end, so that the clock of a leader that is far behind or ahead
    cannot make every append roll, or none. Only what was on the disk when the log was opened has its leader's time: it
    rolls once at most for that, and counts as new where that time lies ahead.
    """
    if active.size == 0:
        return False
    if active.size + size > config.segment_bytes:
        return True
    if active.age_ms(now_ms) > config.segment_ms:
        return True
    return last_offset - active.base_offset > RELATIVE_OFFSET_MAX


def _zeros_ahead(config: LogConfig, active: Segment) -> int:
    return max(0, min(config.preallocate_bytes, config.segment_bytes - active.size))


def _segment_at(segments: Sequence[Segment], offset: Offset) -> Segment:
    return segments[bisect_right(segments, offset, key=lambda segment: segment.base_offset) - 1]
