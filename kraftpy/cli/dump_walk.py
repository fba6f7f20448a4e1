"""Walk one segment or snapshot file batch by batch, whatever state it is in, and say how it ends.

A tool that looks at corruption must not stop at it more than it has to: a batch whose checksum is wrong is handed over
with that fact, and only where nothing says how long a batch is does the walk end. Zeros up to the end of the file are
the tail that was allocated ahead, not corruption. The file is read forward in pieces and never mapped, so that a live
node may go on writing or truncating it.

Source: Kafka ``DumpLogSegments``, ``FileLogInputStream``; on-disk formats §2, §9.4.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from kraftpy.model.errors import MalformedError
from kraftpy.records.batch import BATCH_BYTES_MAX, BATCH_HEADER_BYTES, Batch, batch_crc, check_batch, read_header

PRODUCER = struct.Struct(">qhi")
"""Producer id, producer epoch and base sequence: fields that the metadata log never uses and the tool shows."""

PRODUCER_AT = 43
COMPRESSIONS = ("none", "gzip", "snappy", "lz4", "zstd", "unknown", "unknown", "unknown")
READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundBatch:
    """A batch and its position.

    Attributes:
        fault: what is wrong with it, in words; empty for a good one.
        crc_matches: whether its checksum fits its bytes.
    """

    batch: Batch
    position: int
    crc_matches: bool
    fault: str

    @property
    def producer(self) -> tuple[int, int, int]:
        """Producer id, producer epoch and base sequence."""
        found: tuple[int, int, int] = PRODUCER.unpack_from(self.batch.data, PRODUCER_AT)
        return found

    @property
    def compression(self) -> str:
        """The name of the compression that its attributes state."""
        return COMPRESSIONS[self.batch.attributes & 0x07]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the file ends.

    Attributes:
        position: the byte after the last batch.
        invalid_bytes: how many bytes after it are neither a batch nor zeros up to the end.
        zero_bytes: how many zeros are at the end, allocated ahead.
        reason: what is wrong with the bytes at ``position``; empty where nothing is.
    """

    position: int
    invalid_bytes: int = 0
    zero_bytes: int = 0
    reason: str = ""


def walk(file: BinaryIO, max_bytes: int | None = None) -> Iterator[FoundBatch | Ending]:
    """Yield the batches of an open file in order, then its ending.

    Args:
        file: opened for reading bytes; its position does not matter.
        max_bytes: look at no batch that starts there or later.
    """
    position = 0
    while max_bytes is None or position < max_bytes:
        head = _read(file, position, BATCH_HEADER_BYTES)
        if not head:
            break
        try:
            header = read_header(head)
        except MalformedError as error:
            yield _ending(file, position, str(error).removeprefix("batch at byte 0 "))
            return
        data = _read(file, position, header.size)
        if len(data) < header.size:
            yield _ending(file, position, f"claims {header.size} bytes, {len(data)} are left")
            return
        yield _found(Batch(**{name: getattr(header, name) for name in _HEADER_FIELDS}, data=data), position)
        position += header.size
    yield Ending(position)


_HEADER_FIELDS = (
    "base_offset", "size", "epoch", "magic", "crc", "attributes", "last_offset_delta", "base_timestamp_ms",
    "max_timestamp_ms", "record_count",
)  # fmt: skip


def _read(file: BinaryIO, position: int, size: int) -> bytes:
    assert size <= BATCH_BYTES_MAX, size
    file.seek(position)
    return file.read(size)


def _found(batch: Batch, position: int) -> FoundBatch:
    crc_matches = batch_crc(batch.data) == batch.crc
    try:
        check_batch(batch)
    except MalformedError as error:
        return FoundBatch(batch, position, crc_matches, str(error))
    return FoundBatch(batch, position, crc_matches, "")


def _ending(file: BinaryIO, position: int, reason: str) -> Ending:
    file.seek(position)
    size = 0
    zeros = True
    while chunk := file.read(READ_BYTES):
        size += len(chunk)
        zeros = zeros and chunk.count(0) == len(chunk)
    if zeros:
        return Ending(position, zero_bytes=size)
    return Ending(position, invalid_bytes=size, reason=reason)
