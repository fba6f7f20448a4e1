"""The reserve of a log directory, and the probe that finds out whether one is full. Source: KIP-928."""

from __future__ import annotations

import errno
import os
import random
import zlib

import pytest

from kraftpy.model.errors import DiskFullError, StorageError
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.names import PROBE, RESERVE
from kraftpy.storage.os_errors import faults_of
from kraftpy.storage.reserve import (
    CHUNK_BYTES,
    PROBED,
    has_reserve,
    is_full,
    probe,
    remove_reserve,
    reserve_path,
    write_reserve,
)
from tests.fakes.filesystem import SimulatedFileSystem

DIRECTORY = "/data"
PATH = reserve_path(DIRECTORY)


def disk(capacity=1 << 30):
    fs = SimulatedFileSystem(capacity)
    fs.make_directory(DIRECTORY)
    fs.sync_directory("/")
    return fs


def draw():
    return random.Random(5).randbytes


def refuse(fs, number, *, of):
    def before(operation, path):
        if operation == of and path.startswith(DIRECTORY):
            raise OSError(number, os.strerror(number), path)

    fs.before = before


@pytest.mark.parametrize("size", [1, CHUNK_BYTES, 3 * CHUNK_BYTES + 7])
def test_a_reserve_has_its_size_and_does_not_compress(size):
    """Zeros, or bytes that repeat, could take less space on the disk than the file is long."""
    fs = disk()
    assert write_reserve(fs, DIRECTORY, size, draw())
    content = read_file(fs, PATH)
    assert len(content) == size
    assert len(zlib.compress(content)) >= size
    fs.crash(random.Random(1), in_order=True)
    assert read_file(fs, PATH) == content, "durable when the call returns"


def test_a_reserve_of_the_right_size_is_kept():
    """A restart writes nothing; another size is written again, and 0 is none."""
    fs = disk()
    write_reserve(fs, DIRECTORY, 5_000, draw())
    before = read_file(fs, PATH)
    assert not write_reserve(fs, DIRECTORY, 5_000, bytes)
    assert read_file(fs, PATH) == before
    assert write_reserve(fs, DIRECTORY, 3_000, draw())
    assert fs.size(PATH) == 3_000
    assert write_reserve(fs, DIRECTORY, 0, draw())
    assert not has_reserve(fs, DIRECTORY)
    assert not write_reserve(fs, DIRECTORY, 0, draw())


def test_a_reserve_that_does_not_fit_leaves_nothing():
    """What was written of it would take up the last space."""
    fs = disk(10_000)
    with pytest.raises(DiskFullError):
        write_reserve(fs, DIRECTORY, 20_000, draw())
    assert fs.list_directory(DIRECTORY) == []


def test_a_reserve_of_another_size_makes_way_first():
    """Both would not fit together."""
    fs = disk(10_000)
    write_reserve(fs, DIRECTORY, 9_000, draw())
    write_reserve(fs, DIRECTORY, 8_000, draw())
    assert fs.size(PATH) == 8_000


def test_removing_a_reserve_frees_its_space():
    """On a disk that has no byte left, a file fits again."""
    fs = disk(10_000)
    write_reserve(fs, DIRECTORY, 10_000, draw())
    with pytest.raises(DiskFullError):
        probe(fs, DIRECTORY)
    assert remove_reserve(fs, DIRECTORY)
    probe(fs, DIRECTORY)
    assert not remove_reserve(fs, DIRECTORY)


def test_a_probe_leaves_nothing():
    """Neither where there is space, nor where there is none; it needs one block."""
    fs = disk(len(PROBED))
    probe(fs, DIRECTORY)
    assert fs.list_directory(DIRECTORY) == []
    fs = disk(len(PROBED) - 1)
    with pytest.raises(DiskFullError):
        probe(fs, DIRECTORY)
    assert fs.list_directory(DIRECTORY) == []


@pytest.mark.parametrize("operation", ["create", "pwrite", "sync"])
def test_a_probe_meets_every_error(operation):
    """It really writes, and syncs: a disk may be broken without being full."""
    fs = disk()
    refuse(fs, errno.EIO, of=operation)
    with pytest.raises(StorageError) as failed:
        probe(fs, DIRECTORY)
    assert not isinstance(failed.value, DiskFullError)
    assert PROBE in str(failed.value)


@pytest.mark.parametrize(
    ("number", "counts_quota", "expected"),
    [
        (errno.ENOSPC, False, True),
        (errno.ENOSPC, True, True),
        (errno.EDQUOT, False, False),
        (errno.EDQUOT, True, True),
        (errno.EIO, True, False),
        (errno.EROFS, True, False),
    ],
)
def test_only_a_full_disk_is_full(number, counts_quota, expected):
    """No space is left, or the quota is used up where that counts; any other error is another error (K928-3)."""
    with pytest.raises(StorageError) as raised, faults_of("writing", RESERVE):
        raise OSError(number, os.strerror(number))
    assert is_full(raised.value, counts_quota=counts_quota) is expected
