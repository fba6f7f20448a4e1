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
from kraftpy.storage.filesystem import File, FileSystem, parent

FULL_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT})
FOREIGN_ERRNOS = frozenset({errno.EACCES, errno.EPERM})


def storage_error(doing: str, path: str, error: OSError, write_bytes: int | None = None) -> StorageError:
    """Translate an :class:`OSError` of any operation but a sync; ``write_bytes`` is how much a write should write."""
    reason = error.strerror or str(error)
    if error.errno in FULL_ERRNOS:
        text = f"No space left while {doing} {path} ({reason}). Nothing was changed; free some space."
        return DiskFullError(text, path, write_bytes)
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


def with_space(fs: FileSystem, error: DiskFullError) -> DiskFullError:
    """Return the error that ends a node, from that of an operation: with the space there is, and the way out."""
    if error.path is None:
        return error
    directory = parent(error.path)
    try:
        free = f"{fs.free_bytes(directory)} bytes"
    except OSError as unknown:
        free = f"an unknown number of bytes ({unknown.strerror or unknown})"
    needed = "" if error.write_bytes is None else f", and the write needs {error.write_bytes}"
    ended = DiskFullError(
        f"{error} {directory} has {free} free{needed}: free space on its disk, or enlarge it, then start the node "
        "again; it goes on where its log ends.",
        error.path,
        error.write_bytes,
    )
    ended.__cause__ = error.__cause__
    return ended


@contextmanager
def naming_space(fs: FileSystem) -> Iterator[None]:
    """Let a full disk in the block end the node with :func:`with_space`."""
    try:
        yield
    except DiskFullError as error:
        raise with_space(fs, error) from error.__cause__


@contextmanager
def faults_of(doing: str, path: str, write_bytes: int | None = None) -> Iterator[None]:
    """Translate what the block raises as :func:`storage_error` does; ``doing`` is a participle: ``renaming``."""
    try:
        yield
    except OSError as error:
        raise storage_error(doing, path, error, write_bytes) from error


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
