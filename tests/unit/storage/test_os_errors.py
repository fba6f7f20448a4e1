"""What a full disk reads like where it ends a node."""

from __future__ import annotations

import errno
import os

from kraftpy.model.errors import DiskFullError
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.os_errors import storage_error, with_space

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Disk(RealFileSystem):
    def __init__(self, free):
        self.free = free

    def free_bytes(self, path):
        assert path == "/data/log"
        if self.free is None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return self.free


def full(write_bytes=None):
    error = storage_error("appending to", "/data/log/0.log", FULL, write_bytes)
    assert isinstance(error, DiskFullError)
    error.__cause__ = FULL
    return error


def test_the_space_and_the_way_out_are_named():
    ended = with_space(Disk(7), full(100))
    assert str(ended) == (
        "No space left while appending to /data/log/0.log (No space left on device). Nothing was changed; free some "
        "space. /data/log has 7 bytes free, and the write needs 100: free space on its disk, or enlarge it, then start "
        "the node again; it goes on where its log ends."
    )
    assert ended.__cause__ is FULL


def test_what_is_not_known_is_left_out():
    """How much was to be written, and the space of a disk that answers no more; a text that says all stays as it is."""
    assert "/data/log has 7 bytes free: free space" in str(with_space(Disk(7), full()))
    assert "has an unknown number of bytes (Input/output error) free, and the write needs 1:" in str(
        with_space(Disk(None), full(1))
    )
    whole = DiskFullError("the broker keeps a reserve")
    assert with_space(Disk(7), whole) is whole
