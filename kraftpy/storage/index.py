"""Sparse indexes of one segment: offset to file position, and timestamp to offset.

They are caches in every sense. In memory they make look-ups cheap; on disk they are written for Kafka's tools when a
segment is closed, trimmed, and nothing here reads them back: recovery walks every batch anyway and rebuilds them.

Layout of ``.index``, 8 bytes an entry: int32 last offset of the batch minus the segment's base offset, int32 position
where that batch *starts*. Layout of ``.timeindex``, 12 bytes: int64 largest timestamp so far, int32 relative offset of
the batch that carried it. An entry is added when more than ``interval_bytes`` were written since the last one.

Source: on-disk formats §9.2, §9.3; Kafka ``OffsetIndex``, ``TimeIndex``.
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_left

_INDEX_ENTRY = struct.Struct(">ii")
_TIME_ENTRY = struct.Struct(">qi")

RELATIVE_OFFSET_MAX = 2**31 - 1
"""An offset further than this from the base offset does not fit in an entry."""

NO_TIMESTAMP = -1


class SegmentIndex:
    """Both indexes of one segment, in memory.

    Attributes:
        max_timestamp_ms: the largest timestamp of any batch so far, -1 for none.
    """

    __slots__ = (
        "_base_offset", "_interval", "_last_offsets", "_max_timestamp_offset", "_positions", "_since_entry", "_times",
        "max_timestamp_ms",
    )  # fmt: skip

    def __init__(self, base_offset: int, interval_bytes: int) -> None:
        self._base_offset = base_offset
        self._interval = interval_bytes
        self._last_offsets = array("q")
        self._positions = array("q")
        self._times: list[tuple[int, int]] = []
        self._since_entry = 0
        self.max_timestamp_ms = NO_TIMESTAMP
        self._max_timestamp_offset = base_offset

    def __len__(self) -> int:
        return len(self._positions)

    def add(self, last_offset: int, position: int, size: int, max_timestamp_ms: int) -> None:
        """Record a batch at ``position``; not every batch gets an entry."""
        if max_timestamp_ms > self.max_timestamp_ms:
            self.max_timestamp_ms = max_timestamp_ms
            self._max_timestamp_offset = last_offset
        if self._since_entry > self._interval:
            self._last_offsets.append(last_offset)
            self._positions.append(position)
            self._add_time()
            self._since_entry = 0
        self._since_entry += size

    def _add_time(self) -> None:
        if not self._times or self.max_timestamp_ms > self._times[-1][0]:
            self._times.append((self.max_timestamp_ms, self._max_timestamp_offset))

    def position_for(self, offset: int) -> int:
        """Return a position at or before the batch that holds ``offset``, to scan forward from."""
        # An entry's offset is the *last* of its batch: the first entry at or above the target may be the target's own
        # batch, and the one before it is always below.
        entry = bisect_left(self._last_offsets, offset)
        return self._positions[entry - 1] if entry else 0

    def truncate(self, position: int) -> None:
        """Forget every entry at or after ``position``. The largest timestamp is kept: it only bounds from above."""
        keep = bisect_left(self._positions, position)
        last_kept = self._last_offsets[keep - 1] if keep else self._base_offset - 1
        del self._last_offsets[keep:]
        del self._positions[keep:]
        self._times = [entry for entry in self._times if entry[1] <= last_kept]
        self._since_entry = position - (self._positions[-1] if keep else 0)

    def encode_offsets(self) -> bytes:
        """Return the bytes of the ``.index`` file, trimmed."""
        pairs = zip(self._last_offsets, self._positions, strict=True)
        return b"".join(_INDEX_ENTRY.pack(last - self._base_offset, position) for last, position in pairs)

    def encode_times(self) -> bytes:
        """Return the bytes of the ``.timeindex`` file, trimmed, with the final entry that closing adds."""
        if self.max_timestamp_ms >= 0:
            self._add_time()
        return b"".join(_TIME_ENTRY.pack(time, offset - self._base_offset) for time, offset in self._times)
