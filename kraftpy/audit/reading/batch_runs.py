"""Batch runs: consecutive valid data batches in a piece of a file, with their headers as columns.

A log has a batch every few hundred or few thousand bytes, and an object for each costs more than checking its bytes. So
many headers are read at once and checked by the rules of ``records.batch.check_batch``, and every checksum is computed
in place. A run ends before the first batch that is not a plain valid one: a control batch, or one with any problem.
``scan`` examines those, so that problems are described in one place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from struct import Struct
from typing import Any, Final, TypeAlias

from kraftpy.audit.optional_dependencies import extra
from kraftpy.records.batch import (
    BASE_OFFSET_MAX,
    BATCH_BYTES_MAX,
    BATCH_HEADER_BYTES,
    BATCH_OVERHEAD_BYTES,
    CRC_START,
    MAGIC,
    RECORD_BYTES_MIN,
    Batch,
    BatchHeader,
    parse_batch,
    read_header,
)
from kraftpy.records.crc import crc32c

Array: TypeAlias = Any
"""A numpy array; numpy is optional here."""

Data: TypeAlias = bytes | memoryview
"""Bytes that contain records; a slice that is to be kept is copied (``bytes(data[start:stop])``)."""

RUN_BYTES: Final = 4 * 1024 * 1024
"""A run of this many bytes takes no further batch: what is made of it should fit a processor's cache."""

PADDING: Final = bytes(16)
"""Follows each piece, so that a number may be read at the end of a run's last batch."""

_LENGTH: Final = Struct(">i")
_LENGTH_AT: Final = 8
_ATTRIBUTES_AT: Final = 22
_FIELDS: Final = (
    ("base_offset", ">i8"), ("length", ">i4"), ("epoch", ">i4"), ("magic", "i1"), ("crc", ">u4"),
    ("attributes", ">i2"), ("last_offset_delta", ">i4"), ("base_timestamp_ms", ">i8"), ("max_timestamp_ms", ">i8"),
    ("producer", "V14"), ("record_count", ">i4"),
)  # fmt: skip


@dataclass(slots=True)
class BatchRun:
    """Consecutive valid data batches; every column has one element for each.

    Attributes:
        data: a piece of the file that contains all of them, and ``PADDING``.
        piece_position: the byte of the file at which ``data`` starts.
        places: where each batch starts in ``data``.
        sizes: its bytes.
        base_offsets, epochs, counts, base_times, max_times: from its header.
        checksums: from its header; they match.
    """

    data: Data
    piece_position: int
    places: Array
    sizes: Array
    base_offsets: Array
    epochs: Array
    counts: Array
    base_times: Array
    max_times: Array
    checksums: Array

    def __len__(self) -> int:
        return len(self.places)

    @property
    def position(self) -> int:
        """The byte of the file at which the first batch starts."""
        return self.piece_position + int(self.places[0])

    @property
    def size(self) -> int:
        """The bytes of all batches."""
        return int(self.places[-1] + self.sizes[-1] - self.places[0])

    @property
    def positions(self) -> Array:
        """The byte of the file at which each batch starts."""
        return self.places + self.piece_position

    @property
    def next_offsets(self) -> Array:
        """The offset that follows each batch."""
        return self.base_offsets + self.counts

    def views(self) -> Iterator[memoryview]:
        """Yield the bytes of each batch."""
        view = memoryview(self.data)
        for place, size in zip(self.places.tolist(), self.sizes.tolist(), strict=True):
            yield view[place : place + size]

    def headers(self) -> Iterator[BatchHeader]:
        """Yield the header of each batch."""
        return map(self.header, range(len(self)))

    def header(self, index: int) -> BatchHeader:
        """Return one batch's header."""
        place = int(self.places[index])
        return read_header(self.data[place : place + BATCH_HEADER_BYTES])

    def batch(self, index: int) -> Batch:
        """Return one batch by itself."""
        place, size = int(self.places[index]), int(self.sizes[index])
        return parse_batch(bytes(self.data[place : place + size]), verify_crc=False)


def run_at(piece: Data, begin: int, piece_position: int, stop: int) -> BatchRun | None:
    """Return the run that starts at a place of a piece, ``None`` if no plain valid data batch starts there.

    Args:
        piece: bytes of the file, and ``PADDING``.
        begin: the place.
        piece_position: the byte of the file at which the piece starts.
        stop: batches that start at this byte of the file or later are not wanted.
    """
    np = extra("numpy")
    starts = _starts(piece, begin, stop - piece_position)
    if not starts:
        return None
    places = np.array(starts, np.int64)
    kind = _header_type()
    heads = np.frombuffer(piece, np.uint8)[places[:, None] + np.arange(kind.itemsize)].view(kind).ravel()
    sizes = heads["length"].astype(np.int64) + BATCH_OVERHEAD_BYTES
    counts = heads["record_count"].astype(np.int64)
    base_offsets, epochs = heads["base_offset"].astype(np.int64), heads["epoch"].astype(np.int64)
    good = (
        (heads["magic"] == MAGIC)
        & (base_offsets >= 0) & (base_offsets <= BASE_OFFSET_MAX) & (epochs >= 0)
        & (counts >= 1) & (counts == heads["last_offset_delta"].astype(np.int64) + 1)
        & (counts * RECORD_BYTES_MIN <= sizes - BATCH_HEADER_BYTES)
    )  # fmt: skip
    length = len(starts) if good.all() else int(good.argmin())
    checksums = heads["crc"].astype(np.int64)
    length = _right(piece, starts[:length], sizes.tolist(), checksums.tolist())
    if not length:
        return None
    base_times, max_times = (heads[name].astype(np.int64) for name in ("base_timestamp_ms", "max_timestamp_ms"))
    columns = (places, sizes, base_offsets, epochs, counts, base_times, max_times, checksums)
    return BatchRun(piece, piece_position, *(column[:length] for column in columns))


@cache
def _header_type() -> Any:
    kind = extra("numpy").dtype(list(_FIELDS))
    assert kind.itemsize == BATCH_HEADER_BYTES
    return kind


def _starts(piece: Data, begin: int, stop: int) -> list[int]:
    """Return where batches start that look whole and have no attributes, following their lengths."""
    starts: list[int] = []
    at, end = begin, len(piece) - len(PADDING)
    last = min(stop, end - BATCH_HEADER_BYTES + 1, begin + RUN_BYTES)
    while at < last and not piece[at + _ATTRIBUTES_AT]:
        size = _LENGTH.unpack_from(piece, at + _LENGTH_AT)[0] + BATCH_OVERHEAD_BYTES
        if not BATCH_HEADER_BYTES <= size <= min(end - at, BATCH_BYTES_MAX):
            break
        starts.append(at)
        at += size
    return starts


def _right(piece: Data, starts: list[int], sizes: list[int], checksums: list[int]) -> int:
    """Return how many batches have a matching checksum before the first that has not."""
    view = memoryview(piece)
    for index, start in enumerate(starts):
        if crc32c(view[start + CRC_START : start + sizes[index]]) != checksums[index]:
            return index
    return len(starts)
