"""The port to the disk: the few operations that this package uses, and their implementation by system calls.

Every operation is a thin wrapper of a system call, with that system call's durability: data is durable after ``sync``
of its file, a name (a create, a rename, an unlink) after ``sync_directory`` of its directory, and nothing is durable
before. The port exists so that the crash tests and the simulator run the production code on a simulated disk that loses
unsynced data. Operations raise :class:`OSError`; the packages above see the translated errors of
:mod:`kraftpy.storage.os_errors`.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from collections.abc import Callable
from typing import Protocol, TypeAlias

Bytes: TypeAlias = bytes | bytearray | memoryview

DIRECTORY_MODE = 0o777
FILE_MODE = 0o666
"""The umask restricts the permissions, as with Kafka."""


class File(Protocol):
    """An open file, read and written at stated positions; it has no cursor."""

    @property
    def path(self) -> str:
        """The path the file was opened under."""

    def pread(self, size: int, position: int) -> bytes:
        """Read up to ``size`` bytes; fewer only where the file ends."""

    def pwrite(self, data: Bytes, position: int) -> None:
        """Write all of ``data``; on an error any part of it may have been written."""

    def truncate(self, size: int) -> None:
        """Make the file exactly ``size`` bytes long."""

    def sync(self) -> None:
        """Make data and size durable (fdatasync)."""

    def size(self) -> int:
        """Return the length in bytes."""

    def close(self) -> None:
        """Close the file; it syncs nothing."""


class FileSystem(Protocol):
    """The operations on names. Paths are absolute or relative strings with ``/``."""

    def open(self, path: str, *, write: bool = False, create: bool = False) -> File:
        """Open a file; ``create`` makes it when it is missing and empties it when it is not."""

    def rename(self, source: str, target: str) -> None:
        """Give a file another name, replacing what had it."""

    def unlink(self, path: str) -> None:
        """Remove a name."""

    def list_directory(self, path: str) -> list[str]:
        """Return the names in a directory, ascending."""

    def exists(self, path: str) -> bool:
        """Return whether a name exists."""

    def is_directory(self, path: str) -> bool:
        """Return whether a path is a directory."""

    def size(self, path: str) -> int:
        """Return a file's length in bytes."""

    def make_directory(self, path: str) -> None:
        """Make a directory, and its parents, where missing."""

    def sync_directory(self, path: str) -> None:
        """Make the names of a directory durable."""

    def make_read_only(self, path: str) -> None:
        """Take away the write permissions."""

    def free_bytes(self, path: str) -> int:
        """Return the bytes that this process may still write where ``path`` lives."""


def _sync_on_macos(descriptor: int) -> None:
    """Make it durable where there is no fdatasync, and an fsync leaves the bytes in the drive's own memory."""
    try:
        fcntl.fcntl(descriptor, F_FULLFSYNC)
    except OSError as error:
        if error.errno not in NO_FULL_FSYNC_ERRNOS:
            raise
        os.fsync(descriptor)


F_FULLFSYNC = 51
"""macOS: ``fcntl`` with it returns when the drive has written everything."""

NO_FULL_FSYNC_ERRNOS = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOTTY})
"""The errors of a file system that does not support ``F_FULLFSYNC``."""

_sync_data: Callable[[int], None] = _sync_on_macos if sys.platform == "darwin" else os.fdatasync
_sync_all: Callable[[int], None] = _sync_on_macos if sys.platform == "darwin" else os.fsync


class RealFile:
    """A file descriptor."""

    __slots__ = ("_descriptor", "_path")

    def __init__(self, descriptor: int, path: str) -> None:
        self._descriptor = descriptor
        self._path = path

    @property
    def path(self) -> str:
        """The path the file was opened under."""
        return self._path

    def pread(self, size: int, position: int) -> bytes:
        """Read up to ``size`` bytes; fewer only where the file ends."""
        data = os.pread(self._descriptor, size, position)
        if len(data) == size or not data:
            return data
        parts = [data]
        have = len(data)
        while have < size and (more := os.pread(self._descriptor, size - have, position + have)):
            parts.append(more)
            have += len(more)
        return b"".join(parts)

    def pwrite(self, data: Bytes, position: int) -> None:
        """Write all of ``data``; on an error any part of it may have been written."""
        written = os.pwrite(self._descriptor, data, position)
        while written < len(data):
            written += os.pwrite(self._descriptor, memoryview(data)[written:], position + written)

    def truncate(self, size: int) -> None:
        """Make the file exactly ``size`` bytes long."""
        os.ftruncate(self._descriptor, size)

    def sync(self) -> None:
        """Make data and size durable (fdatasync)."""
        _sync_data(self._descriptor)

    def size(self) -> int:
        """Return the length in bytes."""
        return os.fstat(self._descriptor).st_size

    def close(self) -> None:
        """Close the descriptor, once."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


class RealFileSystem:
    """The operating system's files."""

    __slots__ = ()

    def open(self, path: str, *, write: bool = False, create: bool = False) -> RealFile:
        """Open a file; ``create`` makes it when it is missing and empties it when it is not."""
        flags = os.O_CLOEXEC
        if create:
            flags |= os.O_RDWR | os.O_CREAT | os.O_TRUNC
        else:
            flags |= os.O_RDWR if write else os.O_RDONLY
        return RealFile(os.open(path, flags, FILE_MODE), path)

    def rename(self, source: str, target: str) -> None:
        """Give a file another name, replacing what had it."""
        os.replace(source, target)

    def unlink(self, path: str) -> None:
        """Remove a name."""
        os.unlink(path)

    def list_directory(self, path: str) -> list[str]:
        """Return the names in a directory, ascending."""
        return sorted(os.listdir(path))

    def exists(self, path: str) -> bool:
        """Return whether a name exists; it does not if its parent is missing or not a directory."""
        try:
            os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def is_directory(self, path: str) -> bool:
        """Return whether a path is a directory."""
        try:
            return stat.S_ISDIR(os.stat(path).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return False

    def size(self, path: str) -> int:
        """Return a file's length in bytes."""
        return os.stat(path).st_size

    def make_directory(self, path: str) -> None:
        """Make a directory, and its parents, where missing."""
        os.makedirs(path, DIRECTORY_MODE, exist_ok=True)

    def sync_directory(self, path: str) -> None:
        """Make the names of a directory durable."""
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _sync_all(descriptor)
        finally:
            os.close(descriptor)

    def make_read_only(self, path: str) -> None:
        """Take away the write permissions."""
        os.chmod(path, stat.S_IMODE(os.stat(path).st_mode) & ~0o222)

    def free_bytes(self, path: str) -> int:
        """Return the bytes that this process may still write where ``path`` lives."""
        usage = os.statvfs(path)
        return usage.f_bavail * usage.f_frsize


def join(directory: str, name: str) -> str:
    """Return the path of a name in a directory."""
    return f"{directory.rstrip('/')}/{name}" if directory != "/" else f"/{name}"


def parent(path: str) -> str:
    """Return the directory that holds a path's last name; that of ``/`` is ``/``."""
    return os.path.dirname(path.rstrip("/")) or ("/" if path.startswith("/") else ".")


def base_name(path: str) -> str:
    """Return a path's last name."""
    return path.rstrip("/").rsplit("/", 1)[-1]


def read_file(fs: FileSystem, path: str) -> bytes:
    """Read a whole small file."""
    file = fs.open(path)
    try:
        return file.pread(file.size(), 0)
    finally:
        file.close()
