"""Replace a file in one step: after a kill at any moment it holds the old content or the new, nothing else.

The new content is written beside the file under ``<name>.tmp``, synced, renamed over the file, and the directory is
synced. Before the rename the old name still points at the old bytes; the rename is atomic; and since the bytes were
synced before it, no crash can leave the new name pointing at bytes that never arrived. A ``.tmp`` that a crash left is
ignored by every reader, overwritten by the next writer, and, in the directories of a node, removed by its next start.

Source: Kafka ``PropertiesUtils.writePropertiesFile``, ``FileQuorumStateStore``, ``CheckpointFile``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from kraftpy.model.errors import StorageError
from kraftpy.storage.filesystem import Bytes, File, FileSystem, parent
from kraftpy.storage.os_errors import faults_of, sync_file, sync_names

T = TypeVar("T")

TEMPORARY_SUFFIX = ".tmp"


def replace_file(fs: FileSystem, path: str, content: Bytes) -> None:
    """Replace the content of ``path`` durably, or leave it unchanged.

    Raises:
        DiskFullError: the disk is full; the old content is kept.
        SyncFailedError: a sync failed; the file has the old or the new content.
        StorageError: another operation failed; the file has the old or the new content.
    """
    replace_by(fs, path, lambda file: file.pwrite(content, 0), len(content))


def replace_by(fs: FileSystem, path: str, write: Callable[[File], T], write_bytes: int | None = None) -> T:
    """Make ``path`` hold what ``write`` writes, and return what that returns; as :func:`replace_file`.

    ``write_bytes`` is how much that is, where it is known: an error of a full disk has it.
    """
    temporary = path + TEMPORARY_SUFFIX
    try:
        result = _written(fs, temporary, write, write_bytes)
        with faults_of("renaming", temporary):
            fs.rename(temporary, path)
    except StorageError:
        # The first error is the one to report; a left-over is overwritten by the next writer.
        with suppress(StorageError):
            remove_if_exists(fs, temporary)
        raise
    sync_names(fs, parent(path))
    return result


def _written(fs: FileSystem, path: str, write: Callable[[File], T], write_bytes: int | None) -> T:
    with faults_of("creating", path):
        file = fs.open(path, write=True, create=True)
    try:
        with faults_of("writing", path, write_bytes):
            result = write(file)
        sync_file(file)
    finally:
        file.close()
    return result


def remove_if_exists(fs: FileSystem, path: str) -> bool:
    """Remove a file; return whether there was one. The removal is not synced."""
    with faults_of("removing", path):
        if not fs.exists(path):
            return False
        fs.unlink(path)
    return True
