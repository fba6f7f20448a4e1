"""Tell a torn write from damage.

A crash may lose what was never synced; that must be cut without ado, or no node would come back from a power failure.
Bits that rot in what *was* synced must be reported, or a committed record would vanish without a word. Both look like
"a bad batch". What tells them apart:

1. **The recovery point**, a lazily written lower bound of what was synced and committed. Below it everything is damage.
2. **What a lost write looks like.** Segments are zero-filled ahead and disks write whole 512-byte sectors, so an
   unsynced sector that was lost reads as zeros, or the file ends before it. A bad batch with neither is
   no crash's work.
3. **What follows.** Unsynced batches may arrive out of order, so a valid batch after a bad one is no proof of damage by
   itself; without a lost sector in between it is.
4. **The length field**, which no checksum covers: a flipped bit there may make a whole batch look as if it ran on into
   zeros. If the checksum fits some other length, the batch is whole and its length is damaged.

A segment that has a successor was synced before the successor was made: there nothing may be torn.

Prior art: Kafka cuts at the first bad batch, whatever it is; SQLite's WAL and etcd's WAL look for zero sectors as here.
Source: on-disk formats §10; etcd ``wal/decoder.go isTornEntry``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from crc32c import crc32c

from kraftpy.storage.filesystem import File
from kraftpy.storage.scan import (
    BATCH_BYTES_MIN,
    CRC_COVERS_FROM,
    HEAD,
    MAGIC,
    OVERHEAD_BYTES,
    Damage,
    SegmentScan,
    find_later_batch,
)

UNKNOWN = -1
"""The recovery point where there was one, and what it was cannot be read: nothing is taken for a torn write then."""

SECTOR_BYTES = 512
"""The smallest unit a disk is trusted to write whole."""

TRAILING_ZEROS_MAX = 4096
"""How many zeros a whole batch may end in and still be recognised when its length is damaged."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a bad batch is.

    Attributes:
        damage: where and what.
        torn: whether a crash explains it, so that it may be cut.
        may_override: whether an operator may have it cut by a stated option (nothing valid follows it, and nothing
            there was promised as far as this node knows).
        why: the ground of the verdict, in words.
    """

    damage: Damage
    torn: bool
    may_override: bool
    why: str


def judge(file: File, scan: SegmentScan, *, is_last: bool, recovery_point: int) -> Verdict | None:
    """Judge what stopped the walk over a segment; ``None`` when nothing did."""
    damage = scan.damage
    if damage is None:
        return None
    if recovery_point == UNKNOWN:
        verdict = judge(file, scan, is_last=is_last, recovery_point=0)
        assert verdict is not None
        why = f"{verdict.why}, and it may have been promised: the recovery point cannot be read"
        return replace(verdict, torn=False, may_override=verdict.may_override or verdict.torn, why=why)
    if damage.offset < recovery_point:
        why = f"everything below offset {recovery_point} was durable and committed"
        return Verdict(damage, torn=False, may_override=False, why=why)
    if not is_last:
        why = "a later segment exists, and this one was synced before that was made"
        return Verdict(damage, torn=False, may_override=False, why=why)
    start = damage.position
    data = file.pread(scan.file_bytes - start, start)
    later = find_later_batch(data, 0, damage.offset)
    if later is not None:
        torn = _has_lost_sector(data, start, later[0], damage.offset)
        why = f"a valid batch with offset {later[1]} follows at byte {start + later[0]}"
        return Verdict(damage, torn=torn, may_override=False, why=why)
    torn, why = _judge_tail(data, start, damage.offset)
    return Verdict(damage, torn=torn, may_override=not torn, why=why)


def _judge_tail(data: bytes, start: int, offset: int) -> tuple[bool, str]:
    """Judge a bad batch with nothing valid after it; ``data`` is the file from its start to the end."""
    written = len(data.rstrip(b"\0"))
    claimed = _claimed_size(data, offset)
    if claimed is None and len(data) >= BATCH_BYTES_MIN:
        torn = _has_lost_sector(data, start, max(written, BATCH_BYTES_MIN), offset)
        return torn, "its header is missing" if torn else "its header is damaged"
    if claimed is not None and _fits_another_length(data, written):
        return False, "its content is whole, its length field is not"
    if claimed is None or claimed > len(data):
        return True, "the file ends inside it"
    if _has_lost_sector(data, start, claimed, offset):
        return True, "a sector of it was never written"
    return False, "it is complete, and no lost write explains it"


def _claimed_size(data: bytes, offset: int) -> int | None:
    """The size a bad batch states, if its header may be believed."""
    if len(data) < BATCH_BYTES_MIN:
        return None
    base, length, _, magic, *_ = HEAD.unpack_from(data, 0)
    believable = magic == MAGIC and base == offset and length + OVERHEAD_BYTES >= BATCH_BYTES_MIN
    return length + OVERHEAD_BYTES if believable else None


def _fits_another_length(data: bytes, written: int) -> bool:
    crc = HEAD.unpack_from(data, 0)[4]
    end = max(written, BATCH_BYTES_MIN)
    found = crc32c(memoryview(data)[CRC_COVERS_FROM:end])
    for _ in range(min(TRAILING_ZEROS_MAX, len(data) - end)):
        if found == crc:
            return True
        found = crc32c(b"\0", found)
    return bool(found == crc)


def _has_lost_sector(data: bytes, start: int, size: int, offset: int) -> bool:
    """Say whether a sector that should hold part of ``data[:size]`` was never written.

    The first sector may begin with an older batch that was synced. Then the lost part is the rest of it, zeros where
    the base offset (and more) should be.
    """
    first = min(-start % SECTOR_BYTES, len(data))
    if first and data.count(0, 0, first) == first and any(offset.to_bytes(8, "big")[:first]):
        return True
    for at in range(first, size, SECTOR_BYTES):
        end = min(at + SECTOR_BYTES, len(data))
        if data.count(0, at, end) == end - at:
            return True
    return False
