"""Create a directory whose name is on disk before anything in it is relied upon.

A synced file in a synced directory is still lost if the directory's own name was not synced: a name is durable when its
parent directory was synced. That also holds for each missing parent. So directories are created from the top down, each
durably before the next; after a kill, only the lowest existing one may be unsynced, and the next call syncs it as well.
"""

from __future__ import annotations

import errno

from kraftpy.storage.filesystem import FileSystem, parent
from kraftpy.storage.os_errors import faults_of, sync_failed, sync_names

NOT_OURS_ERRNOS = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EINVAL})
"""Errors from opening or syncing a directory in which this node creates nothing: it belongs to another owner, is
read-only, or is on a file system that has nothing to sync. They can occur above a directory that existed before."""


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
    """Make the name of an existing directory durable: a process that was killed may have created it."""
    above = parent(directory)
    if above == directory:
        return
    try:
        fs.sync_directory(above)
    except OSError as error:
        if error.errno not in NOT_OURS_ERRNOS:
            raise sync_failed(above, error) from error
