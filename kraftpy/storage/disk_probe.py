"""How long the disk of a directory takes to make a block durable, measured in a file of its own.

A commit waits for the flushes of a majority, and a vote for one, so a disk that is slow at this makes a slow quorum,
however many bytes it writes per second. As in the log (:mod:`kraftpy.storage.segment`), what is written has its place
in the file already. The file is removed at the end; one that a crash left is overwritten by the next measurement.

Prior art: ``fio --fdatasync=1``, by which etcd's documentation recommends to qualify a disk; the limit is the one
given there.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from kraftpy.model.errors import StorageError
from kraftpy.storage.atomic_file import remove_if_exists
from kraftpy.storage.filesystem import File, FileSystem, join
from kraftpy.storage.names import SYNC_PROBE
from kraftpy.storage.os_errors import faults_of, sync_file

BLOCK_BYTES: Final = 4_096
"""How much each sync makes durable: a small batch, and one block of most file systems."""

BLOCKS: Final = 32
"""How many blocks the file has; they are written in turn."""

SYNC_P99_MS_MAX: Final = 10
"""A disk whose syncs take longer at the 99th percentile is slow."""


class DiskVerdict(enum.Enum):
    """What the times of a disk mean."""

    OK = "ok"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class SyncTimes:
    """How long the syncs of a disk took.

    Attributes:
        count: how many there were.
        p50_ms: half of them took at most this long.
        p99_ms: 99 of 100 took at most this long; with fewer than 100, all of them.
        max_ms: the longest.
    """

    count: int
    p50_ms: float
    p99_ms: float
    max_ms: float

    @property
    def verdict(self) -> DiskVerdict:
        """Whether that is fast enough for a quorum."""
        return DiskVerdict.SLOW if self.p99_ms > SYNC_P99_MS_MAX else DiskVerdict.OK


def measure_syncs(
    fs: FileSystem, directory: str, timer: Callable[[], float], *, syncs_max: int, time_ms_max: int
) -> SyncTimes:
    """Measure how long a block takes to become durable in a directory.

    Args:
        fs: the disk.
        directory: where to; it exists.
        timer: returns a time in seconds that never goes back.
        syncs_max: how many syncs are measured at most.
        time_ms_max: no sync is begun this long after the first; one that was begun takes as long as it takes.

    Raises:
        DiskFullError: there is no space for the file.
        SyncFailedError: a sync failed; the disk must not be relied on.
        StorageError: another operation failed.
    """
    path = join(directory, SYNC_PROBE)
    try:
        with faults_of("creating", path):
            file = fs.open(path, write=True, create=True)
        try:
            times_ms = _times_ms(file, timer, syncs_max, time_ms_max)
        finally:
            file.close()
    finally:
        # The first error is the one to report.
        with suppress(StorageError):
            remove_if_exists(fs, path)
    return _summary(times_ms)


def _times_ms(file: File, timer: Callable[[], float], syncs_max: int, time_ms_max: int) -> Sequence[float]:
    """Write and sync block by block; return the times of the syncs."""
    with faults_of("writing", file.path):
        file.pwrite(bytes(BLOCK_BYTES * BLOCKS), 0)
    began_s = timer()
    # This one makes the file's length durable, too, which those of the log need not. It counts where it is the only
    # one.
    first_ms = _sync_ms(file, timer)
    times_ms: list[float] = []
    while len(times_ms) < syncs_max and (timer() - began_s) * 1_000 < time_ms_max:
        with faults_of("writing", file.path):
            file.pwrite(b"\1" * BLOCK_BYTES, BLOCK_BYTES * (len(times_ms) % BLOCKS))
        times_ms.append(_sync_ms(file, timer))
    return times_ms or [first_ms]


def _sync_ms(file: File, timer: Callable[[], float]) -> float:
    began_s = timer()
    sync_file(file)
    return (timer() - began_s) * 1_000


def _summary(times_ms: Sequence[float]) -> SyncTimes:
    ascending = sorted(times_ms)

    def percentile(share: float) -> float:
        return round(ascending[math.ceil(share * len(ascending)) - 1], 3)

    return SyncTimes(len(ascending), percentile(0.5), percentile(0.99), round(ascending[-1], 3))
