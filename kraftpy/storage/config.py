"""Every limit of the log, by name."""

from __future__ import annotations

from dataclasses import dataclass

GIBIBYTE = 1 << 30
SEVEN_DAYS_MS = 7 * 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class LogConfig:
    """How a metadata log is laid out.

    Attributes:
        segment_bytes: a segment is closed before it would grow beyond this.
        segment_ms: a segment is closed when its first batch is older than this.
        preallocate_bytes: how far ahead of the end zeros are written, 0 for not at all. A flush of a file that does not
            grow costs about half (measured); larger steps gain nothing more and make the flush after each one slower
            (256 KiB: 0.7 ms, 4 MiB: 8 ms).
        index_interval_bytes: bytes between two index entries.
        tail_cache_bytes: how much of the newest part of the log is kept in memory for followers that keep up.
        truncate_corrupt_tail: cut a corrupt last batch instead of refusing to start. It gives up that batch.
    """

    segment_bytes: int = GIBIBYTE
    segment_ms: int = SEVEN_DAYS_MS
    preallocate_bytes: int = 256 << 10
    index_interval_bytes: int = 4096
    tail_cache_bytes: int = 4 << 20
    truncate_corrupt_tail: bool = False
