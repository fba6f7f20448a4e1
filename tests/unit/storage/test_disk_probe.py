"""The probe of a disk: how long its syncs take, and what that means."""

from __future__ import annotations

import errno
import os
import random

import pytest

from kraftpy.model.errors import DiskFullError, SyncFailedError
from kraftpy.storage.disk_probe import BLOCK_BYTES, BLOCKS, SYNC_P99_MS_MAX, DiskVerdict, SyncTimes, measure_syncs
from kraftpy.storage.names import SYNC_PROBE
from tests.fakes.filesystem import SimulatedFileSystem

PATH = f"/data/{SYNC_PROBE}"


class Disk(SimulatedFileSystem):
    """Its syncs take what they are given, one after the other; nothing else takes any time."""

    def __init__(self, *sync_ms, capacity=1 << 30):
        super().__init__(capacity)
        self.left = list(sync_ms)
        self.now_ms = 0.0
        self.sizes = []
        self.make_directory("/data")

    def check_sync(self, path):
        self.now_ms += self.left.pop(0) if self.left else 1.0
        self.sizes.append(self.size(path))
        super().check_sync(path)

    def measured(self, *, syncs_max=32, time_ms_max=100):
        return measure_syncs(self, "/data", lambda: self.now_ms / 1_000, syncs_max=syncs_max, time_ms_max=time_ms_max)


def test_a_fast_disk_is_measured_by_all_syncs():
    """The first, which makes the length durable, is none of them; the file is gone afterwards, and never grows."""
    disk = Disk(50.0, *[0.25] * 16, *[0.5] * 15, 2.0)
    assert disk.measured() == SyncTimes(32, 0.25, 2.0, 2.0)
    assert disk.sizes == [BLOCK_BYTES * BLOCKS] * 33
    assert not disk.exists(PATH)


def test_a_slow_disk_is_measured_for_a_limited_time():
    """No sync is begun later; one alone counts."""
    assert Disk(30.0, 30.0, 30.0, 30.0, 30.0).measured() == SyncTimes(3, 30.0, 30.0, 30.0)
    disk = Disk(2_000.0)
    assert disk.measured() == SyncTimes(1, 2_000.0, 2_000.0, 2_000.0)
    assert disk.syncs == 1


def test_percentiles_are_of_all_times():
    """Whatever their order is."""
    times = [float(number) for number in range(1, 201)]
    random.Random(3).shuffle(times)
    assert Disk(1.0, *times).measured(syncs_max=200, time_ms_max=10**6) == SyncTimes(200, 100.0, 198.0, 200.0)


@pytest.mark.parametrize(("p99_ms", "verdict"), [(10.0, DiskVerdict.OK), (10.001, DiskVerdict.SLOW)])
def test_the_limit_is_that_of_etcd(p99_ms, verdict):
    assert SYNC_P99_MS_MAX == 10
    assert SyncTimes(32, 0.1, p99_ms, 99.0).verdict is verdict


def test_a_full_disk_is_no_slow_one():
    disk = Disk(capacity=BLOCK_BYTES)
    with pytest.raises(DiskFullError, match=SYNC_PROBE):
        disk.measured()
    assert not disk.exists(PATH)


def test_a_failed_sync_is_final():
    """It is not tried again, and the error is the one that stops a node."""
    disk = Disk()
    disk.failing_syncs.add(PATH)
    with pytest.raises(SyncFailedError, match=SYNC_PROBE):
        disk.measured()
    assert disk.syncs == 1
    assert not disk.exists(PATH)


def test_a_file_that_cannot_be_removed_hides_no_error():
    disk = Disk()
    disk.failing_syncs.add(PATH)

    def before(operation, path):
        if operation == "unlink":
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    disk.before = before
    with pytest.raises(SyncFailedError):
        disk.measured()


def test_what_a_crash_left_is_overwritten():
    disk = Disk()
    disk.open(PATH, create=True).pwrite(b"x" * 999_999, 0)
    assert disk.measured().count == 32
    assert set(disk.sizes) == {BLOCK_BYTES * BLOCKS}
