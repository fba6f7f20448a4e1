"""What the log tests share: batches, a tiny configuration, and a log on the simulated disk."""

from __future__ import annotations

from kraftpy.records.batch import encode_batch
from kraftpy.storage.config import LogConfig
from kraftpy.storage.log_open import open_metadata_log
from tests.fakes.filesystem import SimulatedFileSystem

ROOT = "/data"
DIRECTORY = "/data/__cluster_metadata-0"
TINY = LogConfig(segment_bytes=4096, preallocate_bytes=2048, index_interval_bytes=256, tail_cache_bytes=1024)
T0 = 1_700_000_000_000


def batch(offset, epoch=1, values=(b"\x01\x14\x00\x00",), timestamp_ms=T0):
    """One framed batch at an offset."""
    return encode_batch(list(values), base_offset=offset, epoch=epoch, timestamp_ms=timestamp_ms)


def batches(start, count, epoch=1, size=100):
    """``count`` batches of one record each from offset ``start``."""
    return [batch(start + i, epoch, (bytes([1 + (start + i) % 255]) * size,)) for i in range(count)]


def disk():
    """An empty simulated disk with the log's root on it."""
    fs = SimulatedFileSystem()
    fs.make_directory(ROOT)
    return fs


def open_log(fs, config=TINY, snapshot=None):
    """Open the log of the tests."""
    return open_metadata_log(fs, DIRECTORY, config, snapshot=snapshot)


def filled(fs, count, config=TINY, *, epoch=1, size=100):
    """A log with ``count`` synced batches, one append each."""
    log = open_log(fs, config)
    for one in batches(0, count, epoch, size):
        log.append([one], T0)
    log.sync()
    return log


def content(log):
    """The log's whole content, batch by batch."""
    return [(b.base_offset, b.epoch, b.data) for b in log.iterate(log.start_offset)]
