"""Record batches, format 2: the unit of appending, replicating and checking.

Layout of the header, all big-endian::

    offset  size  field
         0     8  base offset (int64)
         8     4  batch length: the size of the whole batch less 12 (int32)
        12     4  partition leader epoch (int32)
        16     1  magic: 2
        17     4  CRC-32C of bytes 21 to the end (uint32)
        21     2  attributes: 0 data, 0x20 control; bits 0-2 compression
        23     4  last offset delta: record count - 1 (int32)
        27     8  base timestamp, ms (int64)
        35     8  max timestamp, ms (int64)
        43    14  producer id, producer epoch, base sequence: -1 each
        57     4  record count (int32)
        61        the records

Base offset and epoch are before what the checksum covers, so :func:`restamp` may set them afterwards. A batch keeps
its raw bytes: what was received is stored and sent on as it is, never encoded again.

Reading is strict, as Kafka's Raft is: no compression, no headers, no timestamp deltas, offsets that count up, data
records without a key and control records with one, nothing left over. Source: ``on-disk formats`` §2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Final

from kraftpy.model.errors import CorruptError, LocalError, MalformedError, TooLargeError
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.records.control import CONTROL_KEY_BYTES, ControlRecord, decode_control, encode_control
from kraftpy.records.crc import crc32c
from kraftpy.records.varint import DELTAS, delta_pattern, read_varint, varint

BATCH_HEADER_BYTES: Final = 61
BATCH_OVERHEAD_BYTES: Final = 12
"""Base offset and batch length, which the batch length does not count."""

BATCH_BYTES_MAX: Final = 8 * 1024 * 1024
BASE_OFFSET_MAX: Final = 2**63 - 1 - 2**31
"""Above it, the offset after a batch might not be an int64 any more, which is what an offset is everywhere."""

MAGIC: Final = 2
CRC_START: Final = 21
CONTROL_BIT: Final = 0x20
COMPRESSION_BITS: Final = 0x07
TIMESTAMP_TYPE_BIT: Final = 0x08
TRANSACTIONAL_BIT: Final = 0x10
DELETE_HORIZON_BIT: Final = 0x40
COMPRESSIONS: Final = ("none", "gzip", "snappy", "lz4", "zstd", "codec 5", "codec 6", "codec 7")

RECORD_BYTES_MIN: Final = 7
"""No record is shorter: length, attributes, two deltas, key length, value length, header count."""

RECORD_OVERHEAD_MAX: Final = 15
"""The most a data record takes beyond its value: two lengths of 4 bytes, a delta of 3, and 4 single bytes."""

LONG: Final = 0x80
NEGATIVE: Final = 0x01
LONG_OR_NEGATIVE: Final = LONG | NEGATIVE
"""The bits of a varint's first byte that say: more bytes follow, or the number is negative."""

_HEADER: Final = Struct(">qiibIhiqqqhii")
_BODY: Final = Struct(">hiqqqhii")
_FRONT: Final = Struct(">qiibI")
_OFFSET: Final = Struct(">q")
_EPOCH: Final = Struct(">i")


@dataclass(frozen=True, slots=True)
class BatchHeader:
    """What is before the records. ``size`` is that of the whole batch, in bytes."""

    base_offset: Offset
    size: int
    epoch: Epoch
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp_ms: int
    max_timestamp_ms: int
    record_count: int

    @property
    def last_offset(self) -> Offset:
        """The offset of the last record."""
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> Offset:
        """The offset that follows the batch."""
        return self.base_offset + self.last_offset_delta + 1

    @property
    def is_control(self) -> bool:
        """Whether the batch holds control records, and only those."""
        return bool(self.attributes & CONTROL_BIT)


@dataclass(frozen=True, slots=True)
class Batch(BatchHeader):
    """A whole batch: its header, and ``data``, all of its bytes as they were read."""

    data: bytes

    def values(self) -> list[bytes]:
        """Return the values of a data batch, in offset order.

        Raises:
            MalformedError: when it is a control batch, or a record breaks a rule.
        """
        if self.is_control:
            raise MalformedError(f"batch at offset {self.base_offset} is a control batch: it has no metadata records")
        return _data_values(self)

    def control_records(self) -> list[ControlRecord]:
        """Return the records of a control batch, in offset order.

        Raises:
            MalformedError: when it is a data batch, or a record breaks a rule.
        """
        return [decode_control(key, value) for key, value in self.control_parts()]

    def control_parts(self) -> list[tuple[bytes, bytes]]:
        """Return the keys and values of a control batch as they are, in offset order.

        Raises:
            MalformedError: when it is a data batch, or a record breaks a rule.
        """
        if not self.is_control:
            raise MalformedError(f"batch at offset {self.base_offset} is a data batch: it has no control records")
        return list(_control_parts(self))


def read_header(buffer: bytes | memoryview, position: int = 0) -> BatchHeader:
    """Read the header that starts at ``position``; the records need not be there.

    Raises:
        MalformedError: when fewer than 61 bytes are left, or the header makes no sense.
    """
    header = BatchHeader(*_read_header(buffer, position))
    if header.last_offset_delta < 0 or header.record_count < 0:
        raise MalformedError(
            f"batch at byte {position} makes no sense: last offset delta {header.last_offset_delta}, "
            f"record count {header.record_count}; none may be negative"
        )
    return header


def _read_header(buffer: bytes | memoryview, position: int) -> tuple[int, int, int, int, int, int, int, int, int, int]:
    left = len(buffer) - position
    if left < BATCH_HEADER_BYTES:
        raise MalformedError(
            f"batch at byte {position} is cut off: {left} bytes left, a header has {BATCH_HEADER_BYTES}"
        )
    (
        base_offset,
        length,
        epoch,
        magic,
        crc,
        attributes,
        last_offset_delta,
        base_timestamp_ms,
        max_timestamp_ms,
        _producer_id,
        _producer_epoch,
        _base_sequence,
        record_count,
    ) = _HEADER.unpack_from(buffer, position)
    size = length + BATCH_OVERHEAD_BYTES
    where = f"batch at byte {position}"
    if magic != MAGIC:
        raise MalformedError(f"{where} has magic {magic}, expected {MAGIC}")
    if not BATCH_HEADER_BYTES <= size <= BATCH_BYTES_MAX:
        raise MalformedError(f"{where} claims {size} bytes, expected {BATCH_HEADER_BYTES} to {BATCH_BYTES_MAX}")
    if not 0 <= base_offset <= BASE_OFFSET_MAX or epoch < 0:
        raise MalformedError(
            f"{where} makes no sense: base offset {base_offset}, expected 0 to {BASE_OFFSET_MAX}; "
            f"epoch {epoch}, which may not be negative"
        )
    return (
        base_offset,
        size,
        epoch,
        magic,
        crc,
        attributes,
        last_offset_delta,
        base_timestamp_ms,
        max_timestamp_ms,
        record_count,
    )


def parse_batch(data: bytes, *, verify_crc: bool = True) -> Batch:
    """Read exactly one batch.

    Raises:
        CorruptError: when the checksum does not match.
        MalformedError: when ``data`` is not one whole batch.
    """
    batches = split_batches(data, verify_crc=verify_crc)
    if len(batches) != 1:
        raise MalformedError(f"{len(data)} bytes hold {len(batches)} batches, expected exactly 1")
    return batches[0]


def split_batches(data: bytes, *, verify_crc: bool = True) -> list[Batch]:
    """Cut bytes into whole batches and check each one's header.

    Whether their offsets follow on is for the caller to check: it depends on what they are.

    Raises:
        CorruptError: when a checksum does not match.
        MalformedError: when a header makes no sense or the last batch is not complete.
    """
    return list(iterate_batches(data, verify_crc=verify_crc))


def iterate_batches(data: bytes, *, verify_crc: bool = True) -> Iterator[Batch]:
    """Do as :func:`split_batches`, one batch at a time."""
    position = 0
    while position < len(data):
        header = _read_header(data, position)
        size = header[1]
        if size > len(data) - position:
            raise MalformedError(
                f"batch at byte {position} is cut off: it claims {size} bytes, {len(data) - position} are left"
            )
        # Compiled, a slice of all bytes is a copy of them; Python knows better.
        batch = Batch(*header, data if size == len(data) else data[position : position + size])
        check_batch(batch, verify_crc=verify_crc)
        yield batch
        position += size


def check_batch(batch: Batch, *, verify_crc: bool = True) -> None:
    """Check what can be said of a batch without looking at its records.

    Raises:
        CorruptError: when the checksum does not match.
        MalformedError: when it has an attribute that the metadata log does not use, or a count that cannot be.
    """
    where = f"batch at offset {batch.base_offset}"
    if verify_crc:
        computed = batch_crc(batch.data)
        if computed != batch.crc:
            raise CorruptError(f"{where} ({batch.size} bytes): checksum is {computed:08x}, expected {batch.crc:08x}")
    if batch.attributes & COMPRESSION_BITS:
        name = COMPRESSIONS[batch.attributes & COMPRESSION_BITS]
        raise MalformedError(f"{where} is compressed with {name}: the metadata log is never compressed")
    if batch.attributes & ~CONTROL_BIT & 0xFF:
        raise MalformedError(f"{where} has attributes {batch.attributes:#06x}: only control (0x20) is used in this log")
    if batch.record_count != batch.last_offset_delta + 1 or batch.record_count < 1:
        raise MalformedError(
            f"{where} has {batch.record_count} records and last offset delta {batch.last_offset_delta}: "
            "the metadata log has no gaps and no empty batches"
        )
    if batch.record_count * RECORD_BYTES_MIN > batch.size - BATCH_HEADER_BYTES:
        raise MalformedError(f"{where} has {batch.size} bytes, too few for {batch.record_count} records")


def batch_crc(data: bytes | memoryview) -> int:
    """Compute the checksum of a whole batch: CRC-32C of everything from byte 21 on."""
    checksum: int = crc32c(memoryview(data)[CRC_START:])
    return checksum


def _data_values(batch: Batch) -> list[bytes]:
    data, count = batch.data, batch.record_count
    patterns = DELTAS if count <= len(DELTAS) else [delta_pattern(index) for index in range(count)]
    at = BATCH_HEADER_BYTES
    values: list[bytes] = []
    append = values.append
    try:
        for pattern in patterns[:count]:
            # Lengths of one and two varint bytes are read here: a call costs more than all the rest of a record.
            length = data[at]
            if not length & LONG_OR_NEGATIVE:
                at += 1
                length >>= 1
            elif not length & NEGATIVE and (more := data[at + 1]) < LONG:
                at += 2
                length = (length - LONG | more << 7) >> 1
            else:
                length, at = read_varint(data, at)
            place = at + len(pattern)
            if data[at:place] != pattern:
                raise _record_fault(batch, len(values), "it has attributes, a timestamp delta, a gap or a key")
            size = data[place]
            if not size & LONG_OR_NEGATIVE:
                place += 1
                stop = place + (size >> 1)
            elif not size & NEGATIVE and (more := data[place + 1]) < LONG:
                place += 2
                size = (size - LONG | more << 7) >> 1
                stop = place + size
            else:
                size, place = read_varint(data, place)
                stop = place + size
            if size <= 0 or data[stop] or stop + 1 != at + length:
                raise _record_fault(batch, len(values), "its value is empty, it has headers, or its lengths disagree")
            append(data[place:stop])
            at = stop + 1
    except (IndexError, ValueError) as error:
        raise _record_fault(batch, len(values), "it is cut off") from error
    if at != batch.size:
        raise MalformedError(f"batch at offset {batch.base_offset}: {batch.size - at} bytes follow the last record")
    return values


def _record_fault(batch: Batch, index: int, why: str) -> MalformedError:
    return MalformedError(f"record {index} of the batch at offset {batch.base_offset} is malformed: {why}")


def _control_parts(batch: Batch) -> Iterator[tuple[bytes, bytes]]:
    data = batch.data
    at = BATCH_HEADER_BYTES
    try:
        for index in range(batch.record_count):
            length, at = read_varint(data, at)
            stop = at + length
            delta, place = read_varint(data, at + 2)
            if delta != index or data[at] or data[at + 1]:
                raise _record_fault(batch, index, f"its offset delta is {delta}, or it has a timestamp delta")
            size, place = read_varint(data, place)
            if size < CONTROL_KEY_BYTES or size > stop - place:
                raise _record_fault(batch, index, f"its key claims {size} bytes, expected {CONTROL_KEY_BYTES}")
            key = data[place : place + size]
            size, place = read_varint(data, place + size)
            at = place + size
            if size <= 0 or at + 1 != stop or data[at]:
                raise _record_fault(batch, index, "its value is empty, it has headers, or its lengths contradict")
            yield key, data[place:at]
            at = stop
    except (IndexError, ValueError) as error:
        raise MalformedError(f"control batch at offset {batch.base_offset}: a record is cut off") from error
    if at != batch.size:
        raise MalformedError(f"batch at offset {batch.base_offset}: {batch.size - at} bytes follow the last record")


def encode_batch(values: Sequence[bytes], *, base_offset: Offset, epoch: Epoch, timestamp_ms: int) -> bytes:
    """Frame metadata record values as one data batch.

    Raises:
        LocalError: when there is no value, or an empty one.
        TooLargeError: when the batch would be over 8 MiB.
    """
    count = len(values)
    sizes = list(map(len, values))
    if not count or not all(sizes):
        raise LocalError(f"a batch of {count} records at offset {base_offset} has no records, or an empty one")
    if sum(sizes) > BATCH_BYTES_MAX:
        raise _too_large(count, sum(sizes))
    # Interleaved by slices, because a loop in Python would cost four times as much.
    parts: list[bytes] = [b"\0"] * (4 * count + 1)
    for heads, first in zip(_HEADS, _DELTA_WIDTHS, strict=True):
        end = min(count, 2 ** (7 * heads.delta_bytes - 1))
        if first < end:
            parts[4 * first : 4 * end : 4] = map(heads.__getitem__, sizes[first:end])
    ready = min(count, len(DELTAS))
    parts[1 : 4 * ready : 4] = DELTAS[:ready]
    if count > len(DELTAS):
        parts[4 * len(DELTAS) + 1 : 4 * count : 4] = map(delta_pattern, range(len(DELTAS), count))
    parts[2 : 4 * count : 4] = map(_VALUE_LENGTHS.__getitem__, sizes)
    parts[3 : 4 * count : 4] = values
    parts[0] = parts[0][1:]
    return _finish(parts, count, 0, base_offset, epoch, timestamp_ms)


class _Heads(dict[int, bytes]):
    """By the size of a value: the end of the record before, then this record's length."""

    def __init__(self, delta_bytes: int) -> None:
        super().__init__()
        self.delta_bytes = delta_bytes

    def __missing__(self, size: int) -> bytes:
        head = b"\0" + varint(5 + self.delta_bytes - 1 + len(varint(size)) + size)
        if size <= _CACHED_SIZE_MAX:
            self[size] = head
        return head


class _ValueLengths(dict[int, bytes]):
    """By the size of a value: its length as a varint."""

    def __missing__(self, size: int) -> bytes:
        length = varint(size)
        if size <= _CACHED_SIZE_MAX:
            self[size] = length
        return length


_CACHED_SIZE_MAX: Final = 2048
"""Values up to this size have their prefixes cached, which bounds the caches."""

_HEADS: Final = tuple(_Heads(delta_bytes) for delta_bytes in (1, 2, 3))
_DELTA_WIDTHS: Final = (0, 2**6, 2**13)
"""The first offset deltas of one, two and three varint bytes. 8 MiB have no room for a fourth."""

_VALUE_LENGTHS: Final = _ValueLengths()


def encode_control_batch(
    records: Sequence[ControlRecord], *, base_offset: Offset, epoch: Epoch, timestamp_ms: int
) -> bytes:
    """Frame control records as one control batch.

    Raises:
        LocalError: when there is no record.
        TooLargeError: when the batch would be over 8 MiB.
    """
    if not records:
        raise LocalError(f"a control batch at offset {base_offset} has no records")
    parts: list[bytes] = []
    for index, record in enumerate(records):
        key, value = encode_control(record)
        body = b"".join((b"\0\0", varint(index), varint(len(key)), key, varint(len(value)), value, b"\0"))
        parts += (varint(len(body)), body)
    return _finish(parts, len(records), CONTROL_BIT, base_offset, epoch, timestamp_ms)


def _finish(parts: list[bytes], count: int, attributes: int, base_offset: Offset, epoch: Epoch, time_ms: int) -> bytes:
    body = _BODY.pack(attributes, count - 1, time_ms, time_ms, -1, -1, -1, count)
    records = b"".join(parts)
    size = BATCH_HEADER_BYTES + len(records)
    if size > BATCH_BYTES_MAX:
        raise _too_large(count, size)
    checksum = crc32c(records, crc32c(body))
    front = _FRONT.pack(base_offset, size - BATCH_OVERHEAD_BYTES, epoch, MAGIC, checksum)
    return b"".join((front, body, records))


def _too_large(count: int, size: int) -> TooLargeError:
    return TooLargeError(
        f"{count} records make a batch of {size} bytes, over the limit of {BATCH_BYTES_MAX}: append fewer at a time"
    )


def batch_size_bound(values: Sequence[bytes]) -> int:
    """Return a size that the batch of these values does not exceed."""
    return BATCH_HEADER_BYTES + sum(map(len, values)) + RECORD_OVERHEAD_MAX * len(values)


def restamp(batch: bytes, base_offset: Offset, epoch: Epoch) -> bytes:
    """Give a batch another base offset and epoch; the checksum does not cover them."""
    stamped = bytearray(batch)
    _OFFSET.pack_into(stamped, 0, base_offset)
    _EPOCH.pack_into(stamped, BATCH_OVERHEAD_BYTES, epoch)
    return bytes(stamped)
