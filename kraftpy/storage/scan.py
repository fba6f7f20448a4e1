"""Walk the batches of one segment file, check everything that can be checked, and change nothing.

This is what recovery, ``inspect`` and the search for a batch have in common. The walk is the longest part of a start
(every byte of the log is read), so it unpacks only the part of the header it needs:

====== ===== ====================================================================
offset width field
====== ===== ====================================================================
0      8     base offset
8      4     length of everything after this field: batch size - 12
12     4     leader epoch
16     1     magic, 2
17     4     CRC-32C of bytes 21 to the end; **the 17 bytes before it are not covered**
21     2     attributes
23     4     last offset - base offset
27     8     base timestamp
35     8     largest timestamp
====== ===== ====================================================================

What the checksum leaves out is checked by rule: a base offset must follow on, an epoch must not fall, a batch must end
inside the file. A run of zeros to the end of the file is the end of the log: segments are zero-filled ahead.

Source: on-disk formats §2.1, §10.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from kraftpy.records.batch import BASE_OFFSET_MAX, CONTROL_BIT
from kraftpy.records.crc import crc32c
from kraftpy.storage.filesystem import File
from kraftpy.storage.index import SegmentIndex

HEAD = struct.Struct(">qiibIhiqq")
"""Base offset, length, epoch, magic, CRC, attributes, last offset delta, base and largest timestamp."""

OVERHEAD_BYTES = 12
CRC_COVERS_FROM = 21
BATCH_BYTES_MIN = 61
MAGIC_AT = 16
MAGIC = 2
SCAN_WINDOW_BYTES = 1 << 20
"""How much of a segment is read at a time; a larger batch is read whole."""


@dataclass(frozen=True, slots=True)
class Corruption:
    """The first position in a segment that does not hold a valid batch.

    Attributes:
        path: the segment file.
        position: the byte where the bad batch starts.
        offset: the log offset that should be there.
        reason: what is wrong, as text.
    """

    path: str
    position: int
    offset: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path} at byte {self.position} (offset {self.offset}): {self.reason}"


@dataclass(slots=True, kw_only=True)
class SegmentScan:
    """What a walk found.

    Attributes:
        valid_bytes: where the last good batch ends.
        end_offset: the offset after the last good batch.
        epochs: (epoch, first offset) of every epoch that begins in this segment, the first batch's included.
        first_timestamp_ms: base timestamp of the first batch, ``None`` without one.
        corruption: what stopped the walk, ``None`` when it came to the end.
    """

    path: str
    base_offset: int
    file_bytes: int
    index: SegmentIndex
    valid_bytes: int = 0
    end_offset: int = 0
    batches: int = 0
    epochs: list[tuple[int, int]] = field(default_factory=list)
    first_timestamp_ms: int | None = None
    corruption: Corruption | None = None

    @property
    def last_epoch(self) -> int:
        """The epoch of the last good batch, -1 without one."""
        return self.epochs[-1][0] if self.epochs else -1


class Window:
    """A piece of the file in memory, which moves to where it is asked for."""

    __slots__ = ("_file", "data", "start")

    def __init__(self, file: File) -> None:
        self._file = file
        self.data = b""
        self.start = 0

    def at(self, position: int, size: int) -> int:
        """Make ``size`` bytes at ``position`` available if the file has them; return their index in ``data``."""
        index = position - self.start
        if index < 0 or index + size > len(self.data):
            self.data = self._file.pread(max(SCAN_WINDOW_BYTES, size), position)
            self.start = position
            index = 0
        return index


def scan_segment(file: File, base_offset: int, interval_bytes: int, epoch_min: int = 0) -> SegmentScan:
    """Walk a segment to its end or to the first bad batch.

    Args:
        file: the segment.
        base_offset: the offset of the first record according to its name.
        interval_bytes: how densely to index.
        epoch_min: the last epoch of the segments before this one.
    """
    size = file.size()
    index = SegmentIndex(base_offset, interval_bytes)
    scan = SegmentScan(path=file.path, base_offset=base_offset, file_bytes=size, index=index, end_offset=base_offset)
    window = Window(file)
    reason = ""
    epoch_before = epoch_min
    while scan.valid_bytes < size:
        position = scan.valid_bytes
        at = window.at(position, BATCH_BYTES_MIN)
        if len(window.data) - at < BATCH_BYTES_MIN:
            reason = "the file ends inside a batch header"
            break
        base, length, epoch, magic, crc, _, delta, first_ms, max_ms = HEAD.unpack_from(window.data, at)
        total = length + OVERHEAD_BYTES
        reason = _header_fault(scan, base, total, magic, delta)
        if reason:
            break
        if epoch < epoch_before:
            reason = f"epoch {epoch} where at least {epoch_before} is expected"
            break
        at = window.at(position, total)
        if crc32c(memoryview(window.data)[at + CRC_COVERS_FROM : at + total]) != crc:
            reason = f"the checksum of the batch of {total} bytes does not match"
            break
        if not scan.batches:
            scan.first_timestamp_ms = first_ms
        if epoch != epoch_before or not scan.batches:
            scan.epochs.append((epoch, base))
            epoch_before = epoch
        scan.batches += 1
        scan.end_offset = base + delta + 1
        scan.valid_bytes = position + total
        index.add(base + delta, position, total, max_ms)
    if reason and not is_zero_from(file, scan.valid_bytes):
        scan.corruption = Corruption(file.path, scan.valid_bytes, scan.end_offset, reason)
    return scan


def _header_fault(scan: SegmentScan, base: int, total: int, magic: int, delta: int) -> str:
    if total < BATCH_BYTES_MIN:
        return f"impossible batch size {total}"
    if magic != MAGIC:
        return f"magic {magic}, expected {MAGIC}"
    if base != scan.end_offset:
        return f"base offset {base}, expected {scan.end_offset}"
    if base > BASE_OFFSET_MAX:
        return f"impossible base offset {base}"
    if delta < 0:
        return f"impossible last offset delta {delta}"
    if scan.valid_bytes + total > scan.file_bytes:
        return f"the file ends inside a batch of {total} bytes"
    return ""


@dataclass(frozen=True, slots=True)
class WholeBatch:
    """A batch with a valid checksum: its position, and the offsets ``[base, next)`` in its header."""

    position: int
    size: int
    base: int
    next: int
    epoch: int
    is_control: bool


def whole_batches(file: File, base_offset: int) -> Iterator[WholeBatch]:
    """Yield every valid batch of a segment that may be corrupt, in bounded memory, skipping bad bytes.

    A batch that is not contiguous with its predecessor follows corruption: its offset, which no checksum covers, may be
    any higher one that so much data could reach.

    Args:
        file: the segment.
        base_offset: the offset of the first record according to its name.
    """
    size, position, expected = file.size(), 0, base_offset
    window = Window(file)
    while size - position >= BATCH_BYTES_MIN:
        found = _whole_at(window, position, size, range(expected, expected + 1))
        if found is None:
            found = _next_whole(file, position + 1, size, range(expected + 1, base_offset + size))
        if found is None:
            return
        yield found
        position, expected = found.position + found.size, found.next


def _whole_at(window: Window, position: int, size: int, offsets: range) -> WholeBatch | None:
    """Return the batch at a position, if it is valid and has one of these offsets."""
    at = window.at(position, BATCH_BYTES_MIN)
    if len(window.data) - at < BATCH_BYTES_MIN:
        # The file became shorter: it may be in use, and zeros that were written ahead are cut from a full segment.
        return None
    base, length, epoch, magic, crc, attributes, delta, _, _ = HEAD.unpack_from(window.data, at)
    total = length + OVERHEAD_BYTES
    if magic != MAGIC or epoch < 0 or delta < 0 or not BATCH_BYTES_MIN <= total <= size - position:
        return None
    # Before the checksum: what only looks like a header may claim the whole rest of the file, again and again.
    if base not in offsets:
        return None
    found, covered = 0, position + CRC_COVERS_FROM
    while covered < position + total:
        take = min(SCAN_WINDOW_BYTES, position + total - covered)
        at = window.at(covered, take)
        found = crc32c(memoryview(window.data)[at : at + take], found)
        covered += take
    is_control = bool(attributes & CONTROL_BIT)
    return WholeBatch(position, total, base, base + delta + 1, epoch, is_control) if found == crc else None


def _next_whole(file: File, start: int, size: int, offsets: range) -> WholeBatch | None:
    """Search from a position on for a whole batch with one of these offsets."""
    here = Window(file)
    while size - start >= BATCH_BYTES_MIN:
        data = file.pread(SCAN_WINDOW_BYTES, start)
        at = data.find(MAGIC, MAGIC_AT)
        while at >= 0 and size - start - at + MAGIC_AT >= BATCH_BYTES_MIN:
            found = _whole_at(here, start + at - MAGIC_AT, size, offsets)
            if found is not None:
                return found
            at = data.find(MAGIC, at + 1)
        if len(data) <= MAGIC_AT:
            return None
        start += len(data) - MAGIC_AT
    return None


def is_zero_from(file: File, position: int) -> bool:
    """Return whether the file contains only zeros from ``position`` on."""
    while chunk := file.pread(SCAN_WINDOW_BYTES, position):
        if chunk.count(0) != len(chunk):
            return False
        position += len(chunk)
    return True


def find_later_batch(file: File, position: int, expected_offset: int) -> tuple[int, int] | None:
    """Search behind a position for a whole valid batch whose offset is above the expected one, in bounded pieces.

    Returns:
        Position and base offset of the first such batch, or ``None``.
    """
    found = _next_whole(file, position + 1, file.size(), range(expected_offset + 1, BASE_OFFSET_MAX + 1))
    return None if found is None else (found.position, found.base)
