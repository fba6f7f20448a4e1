"""The reserve of a directory: a file that is removed when the disk is full, for work that frees space.

Work that frees space may need some first: a topic whose segments are all deleted gets a new segment before. So every
log directory of a broker holds a file of random bytes from the start on, and removing it gives that space back
(KIP-928). A controller has one for its metadata log, under a name of its own: a node may be both.

The bytes are random because a file system may store zeros, or what compresses well, in less space than they take. A
file of the right size is kept, so a restart writes nothing.

:func:`probe` finds out whether a directory can be written to.

Source: KIP-928.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from kraftpy.model.errors import DiskFullError, StorageError
from kraftpy.storage.atomic_file import remove_if_exists, replace_by
from kraftpy.storage.filesystem import File, FileSystem, join
from kraftpy.storage.names import PROBE, RESERVE
from kraftpy.storage.os_errors import faults_of, sync_file, sync_names

CHUNK_BYTES: Final = 1 << 20
"""How many random bytes are drawn at a time."""

PROBED: Final = b"\1" * 4_096
"""What a probe writes: one block of most file systems."""


def reserve_path(directory: str, name: str = RESERVE) -> str:
    """Return the path of a directory's reserve."""
    return join(directory, name)


def write_reserve(fs: FileSystem, directory: str, size: int, draw: Callable[[int], bytes], name: str = RESERVE) -> bool:
    """Make the reserve of a directory exactly ``size`` bytes long, durably; 0 removes it.

    Args:
        fs: the disk.
        directory: a log directory.
        size: in bytes.
        draw: returns that number of random bytes.
        name: of the file; ``METADATA_RESERVE`` for that of the metadata log.

    Returns:
        Whether something was written or removed.

    Raises:
        DiskFullError: it does not fit; the directory has no reserve now.
        StorageError: another operation failed.
    """
    path = reserve_path(directory, name)
    if size == 0:
        return remove_reserve(fs, directory, name)
    with faults_of("reading the size of", path):
        if fs.exists(path) and fs.size(path) == size:
            return False
    # One of another size would take up the space that is missing.
    remove_if_exists(fs, path)
    replace_by(fs, path, lambda file: _fill(file, size, draw))
    return True


def remove_reserve(fs: FileSystem, directory: str, name: str = RESERVE) -> bool:
    """Remove the reserve of a directory, durably; return whether there was one.

    Raises:
        StorageError: it could not be removed.
    """
    removed = remove_if_exists(fs, reserve_path(directory, name))
    if removed:
        sync_names(fs, directory)
    return removed


def has_reserve(fs: FileSystem, directory: str, name: str = RESERVE) -> bool:
    """Return whether a directory has a reserve."""
    path = reserve_path(directory, name)
    with faults_of("looking for", path):
        return fs.exists(path)


def probe(fs: FileSystem, directory: str) -> None:
    """Write a small file into a directory, durably, and remove it.

    Raises:
        DiskFullError: there is no space for it.
        StorageError: another operation failed.
    """
    path = join(directory, PROBE)
    try:
        with faults_of("creating", path):
            file = fs.open(path, write=True, create=True)
        try:
            with faults_of("writing", path):
                file.pwrite(PROBED, 0)
            sync_file(file)
        finally:
            file.close()
    finally:
        with suppress(StorageError):
            remove_if_exists(fs, path)


def is_full(error: StorageError, *, counts_quota: bool) -> bool:
    """Return whether an error says that no space is left; a used-up quota (EDQUOT) if that counts.

    A sync may say so, too: some file systems find the space for a write no earlier.
    """
    cause = error.__cause__
    if not isinstance(cause, OSError):
        return isinstance(error, DiskFullError)
    return cause.errno == errno.ENOSPC or (counts_quota and cause.errno == errno.EDQUOT)


def _fill(file: File, size: int, draw: Callable[[int], bytes]) -> None:
    for position in range(0, size, CHUNK_BYTES):
        file.pwrite(draw(min(CHUNK_BYTES, size - position)), position)
