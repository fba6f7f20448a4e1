"""Make a directory whose name is on the disk before anything in it is relied upon.

A file that was synced, in a directory that was synced, is gone all the same when the directory's own name was not: a
name is durable when the directory above it was synced. That holds for each one on the way that was missing, too. So
they are made from the top down, each durably before the next; whatever a kill leaves, only the lowest one that stands
there may be unsynced, and the next call syncs that one as well.
"""

from __future__ import annotations

import errno

from kraftpy.storage.filesystem import FileSystem, parent
from kraftpy.storage.os_errors import faults_of, sync_failed, sync_names

NOT_OURS_ERRNOS = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EINVAL})
"""What opening or syncing a directory says in which this node makes nothing: it belongs to somebody else, cannot be
written to, or is of a file system that has nothing to sync. It can be met above a directory that was there before."""


def make_directory_durably(fs: FileSystem, directory: str) -> None:
    """Make a directory, and those above it, where missing; all their names are durable when this returns.

    Raises:
        SyncFailedError: a sync failed, and must not be tried again.
        StorageError: it cannot be made.
    """
    missing = []
    place = directory
    with faults_of("creating", directory):
        while not fs.is_directory(place) and parent(place) != place:
            missing.append(place)
            place = parent(place)
    _sync_name(fs, place)
    for path in reversed(missing):
        with faults_of("creating", path):
            fs.make_directory(path)
        sync_names(fs, parent(path))


def _sync_name(fs: FileSystem, directory: str) -> None:
    """Make the name durable of a directory that stands there: a process that was killed may have made it."""
    above = parent(directory)
    if above == directory:
        return
    try:
        fs.sync_directory(above)
    except OSError as error:
        if error.errno not in NOT_OURS_ERRNOS:
            raise sync_failed(above, error) from error
