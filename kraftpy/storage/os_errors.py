"""What an ``errno`` means to a node: disk full, sync failed, or another disk error.

The three are distinguished because each is handled differently. A full disk is survivable: the write is undone and the
node keeps running. A failed fsync is final: the kernel may have dropped the dirty pages and marked them clean, so a
second fsync that succeeds proves nothing ("fsyncgate", 2018). Anything else is reported with the path and the reason.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from kraftpy.model.errors import DiskFullError, StorageError, SyncFailedError, UnreadableError
from kraftpy.storage.filesystem import File, FileSystem

FULL_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT})
FOREIGN_ERRNOS = frozenset({errno.EACCES, errno.EPERM})


def storage_error(doing: str, path: str, error: OSError) -> StorageError:
    """Translate an :class:`OSError` of any operation but a sync."""
    reason = error.strerror or str(error)
    if error.errno in FULL_ERRNOS:
        return DiskFullError(f"No space left while {doing} {path} ({reason}). Nothing was changed; free some space.")
    text = f"I/O error while {doing} {path}: {reason}"
    if error.errno in FOREIGN_ERRNOS:
        text += ". Give it, and the directory that it is in, to the user that this runs as"
    if error.errno == errno.EIO and doing == "reading":
        return UnreadableError(path, f"{text}. The disk does not return what was written there: replace it")
    return StorageError(text)


def sync_failed(path: str, error: OSError) -> SyncFailedError:
    """Translate the :class:`OSError` of a sync."""
    reason = error.strerror or str(error)
    return SyncFailedError(
        f"fsync of {path} failed: {reason}. What reached the disk is unknown, so this node must stop; "
        "check the device, then restart: recovery keeps what is intact."
    )


@contextmanager
def faults_of(doing: str, path: str) -> Iterator[None]:
    """Translate what the block raises; ``doing`` is a participle: ``renaming``, ``reading``."""
    try:
        yield
    except OSError as error:
        raise storage_error(doing, path, error) from error


def sync_file(file: File) -> None:
    """Make a file durable.

    Raises:
        SyncFailedError: the sync failed, and must not be tried again.
    """
    try:
        file.sync()
    except OSError as error:
        raise sync_failed(file.path, error) from error


def sync_names(fs: FileSystem, directory: str) -> None:
    """Make the names of a directory durable.

    Raises:
        SyncFailedError: the sync failed, and must not be tried again.
    """
    try:
        fs.sync_directory(directory)
    except OSError as error:
        raise sync_failed(directory, error) from error
