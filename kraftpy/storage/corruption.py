"""Distinguish a torn write from corruption.

A crash may lose unsynced data. That must be truncated automatically, or no node could restart after a power failure.
Bit rot in data that *was* synced must be reported, or a committed record would be lost silently. Both appear as "a bad
batch". They are distinguished by:

1. **The recovery point**, a lazily written lower bound of what was synced and committed. Below it, every bad batch is
   corruption.
2. **The shape of a lost write.** Segments are zero-filled in advance and disks write whole 512-byte sectors, so a lost
   unsynced sector reads as zeros, or the file ends before it. A bad batch with neither was not caused by a crash.
3. **What follows the bad batch.** Unsynced batches may reach the disk out of order, so a valid batch after a bad one
   does not prove corruption by itself; without a lost sector in between it does.
4. **The length field**, which no checksum covers: a flipped bit there may make a complete batch appear to extend into
   the zeros. If the checksum matches another length, the batch is complete and its length is corrupt.

A segment that has a successor was synced before the successor was created, so nothing in it may be torn.

Prior art: Kafka truncates at the first bad batch, whatever the cause; SQLite's WAL and etcd's WAL look for zero sectors
as here.
Source: on-disk formats §10; etcd ``wal/decoder.go isTornEntry``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kraftpy.records.crc import crc32c
from kraftpy.storage.filesystem import File
from kraftpy.storage.scan import (
    BATCH_BYTES_MIN,
    CRC_COVERS_FROM,
    HEAD,
    MAGIC,
    OVERHEAD_BYTES,
    SCAN_WINDOW_BYTES,
    Corruption,
    SegmentScan,
    find_later_batch,
)

UNKNOWN = -1
"""Given for the recovery point where it cannot be read, or where a file beside the log shows that the disk wrote to a
wrong place: nothing is taken for a torn write then."""

SECTOR_BYTES = 512
"""The smallest unit a disk is trusted to write whole."""

TRAILING_ZEROS_MAX = 4096
"""How many zeros a whole batch may end in and still be recognised when its length is corrupt."""


@dataclass(frozen=True, slots=True)
class BatchDiagnosis:
    """What a bad batch is.

    Attributes:
        corruption: where and what.
        torn: whether a crash explains it, so that it may be cut.
        may_override: whether an operator may have it cut by a stated option (nothing valid follows it, and nothing
            there was promised as far as this node knows).
        why: the ground of the verdict, in words.
    """

    corruption: Corruption
    torn: bool
    may_override: bool
    why: str


def judge(file: File, scan: SegmentScan, *, is_last: bool, recovery_point: int) -> BatchDiagnosis | None:
    """Judge what stopped the walk over a segment; ``None`` when nothing did."""
    corruption = scan.corruption
    if corruption is None:
        return None
    if recovery_point == UNKNOWN:
        verdict = judge(file, scan, is_last=is_last, recovery_point=0)
        assert verdict is not None
        why = f"{verdict.why}, and it may have been promised: a file beside the log is malformed"
        return replace(verdict, torn=False, may_override=verdict.may_override or verdict.torn, why=why)
    if corruption.offset < recovery_point:
        why = f"everything below offset {recovery_point} was durable and committed"
        return BatchDiagnosis(corruption, torn=False, may_override=False, why=why)
    if not is_last:
        why = "a later segment exists, and this one was synced before that was made"
        return BatchDiagnosis(corruption, torn=False, may_override=False, why=why)
    tail = _Tail(file, corruption.position, scan.file_bytes - corruption.position)
    later = find_later_batch(file, corruption.position, corruption.offset)
    if later is not None:
        torn = _has_lost_sector(tail, later[0] - tail.start, corruption.offset)
        why = f"a valid batch with offset {later[1]} follows at byte {later[0]}"
        return BatchDiagnosis(corruption, torn=torn, may_override=False, why=why)
    torn, why = _judge_tail(tail, corruption.offset)
    return BatchDiagnosis(corruption, torn=torn, may_override=not torn, why=why)


@dataclass(frozen=True, slots=True)
class _Tail:
    """A file from a bad batch to its end, of which no more than a piece is in memory."""

    file: File
    start: int
    size: int

    def read(self, at: int, size: int) -> bytes:
        return self.file.pread(max(0, min(size, self.size - at)), self.start + at)

    def pieces(self, at: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Yield the bytes from ``at`` to ``end`` with each piece's position; all but the last have the same size."""
        while at < end and (piece := self.read(at, min(SCAN_WINDOW_BYTES, end - at))):
            yield at, piece
            at += len(piece)

    def written(self) -> int:
        """Return where the zeros begin that the file ends with."""
        written = 0
        for at, piece in self.pieces(0, self.size):
            kept = len(piece.rstrip(b"\0"))
            written = at + kept if kept else written
        return written


def _judge_tail(tail: _Tail, offset: int) -> tuple[bool, str]:
    """Judge a bad batch with nothing valid after it."""
    written, head = tail.written(), tail.read(0, BATCH_BYTES_MIN)
    claimed = _claimed_size(head, offset)
    if claimed is None and len(head) >= BATCH_BYTES_MIN:
        torn = _has_lost_sector(tail, max(written, BATCH_BYTES_MIN), offset)
        return torn, "its header is missing" if torn else "its header is corrupt"
    if claimed is not None and _fits_another_length(tail, head, written):
        return False, "its content is whole, its length field is not"
    if claimed is None or claimed > tail.size:
        return True, "the file ends inside it"
    if _has_lost_sector(tail, claimed, offset):
        return True, "a sector of it was never written"
    return False, "it is complete, and no lost write explains it"


def _claimed_size(data: bytes, offset: int) -> int | None:
    """The size a bad batch states, if its header may be believed."""
    if len(data) < BATCH_BYTES_MIN:
        return None
    base, length, _, magic, *_ = HEAD.unpack_from(data, 0)
    believable = magic == MAGIC and base == offset and length + OVERHEAD_BYTES >= BATCH_BYTES_MIN
    return length + OVERHEAD_BYTES if believable else None


def _fits_another_length(tail: _Tail, head: bytes, written: int) -> bool:
    crc = HEAD.unpack_from(head, 0)[4]
    end = max(written, BATCH_BYTES_MIN)
    found = 0
    for _, piece in tail.pieces(CRC_COVERS_FROM, end):
        found = crc32c(piece, found)
    for _ in range(min(TRAILING_ZEROS_MAX, tail.size - end)):
        if found == crc:
            return True
        found = crc32c(b"\0", found)
    return bool(found == crc)


def _has_lost_sector(tail: _Tail, size: int, offset: int) -> bool:
    """Return whether a sector that should hold part of the first ``size`` bytes was never written.

    The first sector may begin with an older batch that was synced. Then the lost part is the rest of the sector: zeros
    where the base offset (and more) should be.
    """
    first = min(-tail.start % SECTOR_BYTES, tail.size)
    if first and not any(tail.read(0, first)) and any(offset.to_bytes(8, "big")[:first]):
        return True
    # To the end of the last sector.
    end = first + -(-(size - first) // SECTOR_BYTES) * SECTOR_BYTES
    for _, piece in tail.pieces(first, end):
        for at in range(0, len(piece), SECTOR_BYTES):
            sector = min(SECTOR_BYTES, len(piece) - at)
            if piece.count(0, at, at + sector) == sector:
                return True
    return False
