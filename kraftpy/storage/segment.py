"""One segment file: batches one after another, then perhaps zeros.

The logical end (``size``) and the length of the file (``allocated``) differ while the segment is active, because zeros
are written ahead: an fdatasync that need not record a new length costs about half. They are written where several
appends like the last one fit in, because what overwrites them goes to the disk twice, and behind data, never under it.
The zeros are cut when the segment is closed, and recovery takes a run of zeros for the end.

Invariant: only zeros are between ``size`` and the end of the file, so that no stale byte can ever be taken for a batch
that follows on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from kraftpy.model.errors import CorruptLogError
from kraftpy.records.crc import crc32c
from kraftpy.storage.atomic_file import remove_if_exists
from kraftpy.storage.filesystem import File, FileSystem, join
from kraftpy.storage.index import SegmentIndex
from kraftpy.storage.names import INDEX_SUFFIX, LOG_SUFFIX, TIME_INDEX_SUFFIX, segment_name
from kraftpy.storage.os_errors import faults_of, sync_failed, sync_file, sync_names
from kraftpy.storage.scan import BATCH_BYTES_MIN, CRC_COVERS_FROM, HEAD, MAGIC, OVERHEAD_BYTES, SegmentScan

READ_AHEAD_BYTES = 64 << 10
"""How much is read at a time while looking for a batch."""

APPENDS_AHEAD = 2
"""Zeros are written for this number of appends like the last one, or not at all: for fewer appends they cost more than
they save (measured: a flush of 310 KB takes a fifth less CPU time without them)."""


class Segment:
    """An open segment.

    Attributes:
        base_offset: the offset of its first record.
        end_offset: the offset after its last record.
        size: where its last batch ends.
        allocated: how long the file is.
        began_ms: when its first batch was appended, by this node's clock, ``None`` while empty. Of a segment that was
            read from the disk this is unknown: it is the time that the batch has from its leader.
    """

    __slots__ = (
        "_appended", "_directory", "_fs", "allocated", "base_offset", "began_ms", "end_offset", "file", "index", "size",
    )  # fmt: skip

    def __init__(self, fs: FileSystem, directory: str, file: File, scan: SegmentScan) -> None:
        self._fs = fs
        self._directory = directory
        self.file = file
        self.base_offset = scan.base_offset
        self.end_offset = scan.end_offset
        self.size = scan.valid_bytes
        self.allocated = scan.file_bytes
        self.index = scan.index
        self.began_ms = scan.first_timestamp_ms
        self._appended = 0

    @classmethod
    def create(cls, fs: FileSystem, directory: str, base_offset: int, interval_bytes: int) -> Segment:
        """Make an empty segment; its name is durable when this returns."""
        path = join(directory, segment_name(base_offset))
        with faults_of("creating", path):
            file = fs.open(path, write=True, create=True)
        sync_file(file)
        sync_names(fs, directory)
        index = SegmentIndex(base_offset, interval_bytes)
        scan = SegmentScan(path=path, base_offset=base_offset, file_bytes=0, index=index, end_offset=base_offset)
        return cls(fs, directory, file, scan)

    @property
    def path(self) -> str:
        """Where the file is."""
        return self.file.path

    # Writing.

    def write(self, data: bytes, zeros_ahead: int) -> None:
        """Write at the end, with zeros behind it where the file grew. ``size`` is not moved: ``accept`` does that.

        Raises:
            OSError: the write failed; :meth:`undo_write` must follow.
        """
        end = self.size + len(data)
        self._appended = len(data)
        self.file.pwrite(data, self.size)
        if end <= self.allocated:
            return
        self.allocated = end
        if self._gains_by(zeros_ahead):
            self._extend(self.size + zeros_ahead - end)
            if self.allocated == end:
                self.file.truncate(end)

    def _gains_by(self, zeros_ahead: int) -> bool:
        return 0 < APPENDS_AHEAD * self._appended <= zeros_ahead

    def _extend(self, size: int) -> None:
        # Zeros are optional: if the disk has no space for them, it may still have space for the data.
        with suppress(OSError):
            self.file.pwrite(bytes(size), self.allocated)
            self.allocated += size

    def preallocate(self, zeros_ahead: int) -> bool:
        """Write zeros when less than half of ``zeros_ahead`` is left, if they pay off; return whether it did."""
        if self.allocated - self.size >= zeros_ahead // 2 or not self._gains_by(zeros_ahead):
            return False
        before = self.allocated
        self._extend(zeros_ahead)
        if self.allocated == before:
            self.cut(self.size)
        return self.allocated != before

    def undo_write(self) -> None:
        """Truncate the file to ``size`` after a failed write.

        Raises:
            StorageError: the bytes after the end are unknown now; nothing may be appended.
        """
        self.cut(self.size)

    def age_ms(self, now_ms: int) -> int:
        """Return how long ago the first batch was appended; a leader's time that lies ahead counts as now."""
        if self.began_ms is None:
            return 0
        self.began_ms = min(self.began_ms, now_ms)
        return now_ms - self.began_ms

    def accept(self, last_offset: int, batch_bytes: int, max_timestamp_ms: int, now_ms: int) -> None:
        """Count one batch that is written now, by this node's clock, as part of the segment."""
        if self.began_ms is None:
            self.began_ms = now_ms
        self.index.add(last_offset, self.size, batch_bytes, max_timestamp_ms)
        self.size += batch_bytes
        self.end_offset = last_offset + 1

    def sync(self) -> None:
        """Make everything written durable.

        Raises:
            SyncFailedError: never try again.
        """
        try:
            self.file.sync()
        except OSError as error:
            raise sync_failed(self.path, error) from error

    def cut(self, position: int) -> None:
        """Make the file end at ``position``. Not durable yet."""
        with faults_of("truncating", self.path):
            self.file.truncate(position)
        self.allocated = position

    def begin_truncate(self, position: int, base_offset: int) -> Callable[[], None]:
        """Let the segment end at a batch, as :meth:`locate` found it; return what makes it so on the disk, durably."""
        self.size = position
        self.end_offset = base_offset
        self.index.truncate(position)
        if not position:
            self.began_ms = None

        def on_disk() -> None:
            self.cut(position)
            self.sync()
            self._remove_indexes()

        return on_disk

    def finish(self) -> None:
        """Cut the zeros, sync, and write the index files: nothing will be appended for now."""
        if self.allocated != self.size:
            self.cut(self.size)
        self.sync()
        self.write_indexes()

    def write_indexes(self) -> None:
        """Write ``.index`` and ``.timeindex``, unless the disk refuses: they are caches."""
        encoded = ((INDEX_SUFFIX, self.index.encode_offsets()), (TIME_INDEX_SUFFIX, self.index.encode_times()))
        for suffix, content in encoded:
            with suppress(OSError):
                file = self._fs.open(self._sibling(suffix), write=True, create=True)
                try:
                    file.pwrite(content, 0)
                finally:
                    file.close()

    def _sibling(self, suffix: str) -> str:
        return join(self._directory, segment_name(self.base_offset, suffix))

    def _remove_indexes(self) -> None:
        for suffix in (INDEX_SUFFIX, TIME_INDEX_SUFFIX):
            remove_if_exists(self._fs, self._sibling(suffix))

    def delete(self) -> None:
        """Remove the files, durably."""
        self.file.close()
        self._remove_indexes()
        remove_if_exists(self._fs, self._sibling(LOG_SUFFIX))
        sync_names(self._fs, self._directory)

    # Reading.

    def locate(self, offset: int) -> tuple[int, int]:
        """Return position and base offset of the batch that holds ``offset``."""
        position = self.index.position_for(offset)
        while position < self.size:
            chunk = self._pread(min(READ_AHEAD_BYTES, self.size - position), position)
            at = 0
            while at + BATCH_BYTES_MIN <= len(chunk):
                base, length, _, _, _, _, delta, _, _ = HEAD.unpack_from(chunk, at)
                if offset <= base + delta:
                    return position + at, base
                at += self._checked_size(length, position + at)
            if not at:
                raise self._rotten(position, None, "the file is shorter than it was")
            position += at
        if offset != self.end_offset:
            raise self._rotten(position, offset, "no batch contains it")
        return self.size, self.end_offset

    def read(
        self, offset: int, max_bytes: int, upto_offset: int, epoch_at: Callable[[int], int | None] = lambda _: None
    ) -> bytes:
        """Return whole batches from the one that holds ``offset``; the first one even if over ``max_bytes``.

        Args:
            offset: at or above this segment's base offset, below its end.
            max_bytes: about how much.
            upto_offset: only batches that end at or below it.
            epoch_at: returns the epoch of a batch by its base offset, ``None`` if unknown: no checksum covers the epoch
                and the magic.

        Raises:
            CorruptLogError: the bytes differ from what was written; they are not returned.
        """
        position, base_offset = self.locate(offset)
        if base_offset > offset:
            raise self._rotten(position, offset, f"base offset {base_offset}, expected {offset} or one before")
        room = min(max(max_bytes, BATCH_BYTES_MIN), self.size - position)
        data = self._pread(room, position)
        end, expected = 0, base_offset
        while end + BATCH_BYTES_MIN <= len(data):
            base, length, epoch, magic, crc, _, delta, _, _ = HEAD.unpack_from(data, end)
            size = self._checked_size(length, position + end)
            if base != expected:
                raise self._rotten(position + end, expected, f"base offset {base}, expected {expected}")
            ends_beyond = base + delta >= upto_offset
            if end and (ends_beyond or end + size > len(data)):
                break
            if size > len(data):
                data = self._pread(size, position)
            if crc32c(memoryview(data)[end + CRC_COVERS_FROM : end + size]) != crc:
                raise self._rotten(position + end, base, f"the checksum of the batch of {size} bytes does not match")
            known = epoch_at(base)
            if magic != MAGIC or (known is not None and known != epoch):
                raise self._rotten(position + end, base, f"magic {magic}, epoch {epoch}, expected {MAGIC}, {known}")
            if ends_beyond:
                # The checksum of this batch is verified: a flipped bit in its offsets must not shorten the result.
                break
            end += size
            expected = base + delta + 1
        return data[:end]

    def _checked_size(self, length: int, position: int) -> int:
        size = length + OVERHEAD_BYTES
        if size < BATCH_BYTES_MIN or position + size > self.size:
            raise self._rotten(position, None, f"impossible batch size {size}")
        return size

    def _rotten(self, position: int, offset: int | None, reason: str) -> CorruptLogError:
        """Return the error for bytes that were valid at the open or written since, and are corrupt now."""
        at = "" if offset is None else f" (offset {offset})"
        return CorruptLogError(
            f"{self.path} was whole when it was opened and is corrupt at byte {position}{at} now: {reason}. This node "
            "stops; when it is started again its log is fetched again from its peers, if that is possible. Check the "
            "disk."
        )

    def _pread(self, size: int, position: int) -> bytes:
        with faults_of("reading", self.path):
            return self.file.pread(size, position)
