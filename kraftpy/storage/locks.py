"""One process per directory: the ``.lock`` file.

Kafka takes a POSIX record lock (``fcntl``), which ``flock`` does not conflict with, so this must be a record lock too:
then a kraftpy and a Kafka process exclude each other. Record locks have two traps. They belong to the *process*: the
same process may lock twice, hence the table of held paths below. And they vanish when *any* descriptor of the file is
closed: nothing else may ever open ``.lock``.

The file is deleted at release, as Kafka does. Kafka unlocks and then deletes, which lets a second process lock the file
in between and a third make a new one; here the file is deleted while the lock is still held, and a process that gets
the lock of a file without a name retries.

Source: Kafka ``FileLock``; on-disk formats §8.6.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from kraftpy.model.errors import StorageError
from kraftpy.storage.filesystem import FILE_MODE, join
from kraftpy.storage.os_errors import storage_error

LOCK_FILE = ".lock"
LOCK_ATTEMPTS_MAX = 16
"""How often a lock that was deleted under us is tried again: each time another process has just left."""

_FLOCK = "qqihh" if sys.platform == "darwin" else "hhqqi"
"""``struct flock``: start, length, pid, type, whence there; type, whence, start, length, pid on Linux."""

_held: set[tuple[int, int]] = set()
"""Device and inode of every lock this process holds."""


class DirectoryInUseError(StorageError):
    """Another process holds the lock."""


class DirectoryLock:
    """The exclusive right of this process to a directory."""

    __slots__ = ("_descriptor", "_identity", "path")

    def __init__(self, path: str, descriptor: int, identity: tuple[int, int]) -> None:
        self.path = path
        self._descriptor = descriptor
        self._identity = identity
        _held.add(identity)

    @classmethod
    def acquire(cls, directory: str) -> DirectoryLock:
        """Lock a directory, without waiting.

        Raises:
            DirectoryInUseError: another process, or this one, holds it.
            StorageError: the file cannot be made.
        """
        path = join(directory, LOCK_FILE)
        for _ in range(LOCK_ATTEMPTS_MAX):
            lock = cls._try_acquire(directory, path)
            if lock is not None:
                return lock
        raise StorageError(f"{path} was deleted {LOCK_ATTEMPTS_MAX} times while locking it; try again.")

    @classmethod
    def _try_acquire(cls, directory: str, path: str) -> DirectoryLock | None:
        # A second descriptor of a file that this process has locked would drop that lock when it is closed.
        if _identity_of(path) in _held:
            raise _in_use(directory, "this process")
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        except OSError as error:
            raise storage_error("creating", path, error) from error
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if error.errno in (errno.EACCES, errno.EAGAIN):
                raise _in_use(directory, "another process") from error
            raise storage_error("locking", path, error) from error
        status = os.fstat(descriptor)
        if _identity_of(path) != (status.st_dev, status.st_ino):
            os.close(descriptor)
            return None
        return cls(path, descriptor, (status.st_dev, status.st_ino))

    def release(self) -> None:
        """Delete the file and unlock it, once."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor < 0:
            return
        _held.discard(self._identity)
        try:
            if _identity_of(self.path) == self._identity:
                os.unlink(self.path)
        except OSError as error:
            raise storage_error("removing", self.path, error) from error
        finally:
            os.close(descriptor)


def holder_of(directory: str) -> int | None:
    """Return the id of the process that holds a directory's lock, else ``None``; nothing is written or locked.

    A lock of this process itself is not found. For a holder on another machine, over a network file system, the process
    id has no meaning here.

    Raises:
        StorageError: the file is there and cannot be read.
    """
    path = join(directory, LOCK_FILE)
    if _identity_of(path) in _held:
        return os.getpid()
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise storage_error("reading", path, error) from error
    try:
        wanted = (
            (0, 0, 0, fcntl.F_WRLCK, os.SEEK_SET) if sys.platform == "darwin" else (fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        )
        found = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, struct.pack(_FLOCK, *wanted)))
    except OSError as error:
        raise storage_error("reading the lock of", path, error) from error
    finally:
        os.close(descriptor)
    kind, pid = (found[3], found[2]) if sys.platform == "darwin" else (found[0], found[4])
    return None if kind == fcntl.F_UNLCK else int(pid)


def check_not_running(directories: Iterable[str]) -> None:
    """Check that no running node uses these directories; nothing is written.

    Raises:
        DirectoryInUseError: a process holds one of the locks.
    """
    for directory in directories:
        pid = holder_of(directory)
        if pid is not None:
            raise DirectoryInUseError(f"{directory} is in use by process {pid}. Stop that node first.")


@contextmanager
def locked(directories: Iterable[str]) -> Iterator[None]:
    """Hold the locks of several directories.

    Raises:
        DirectoryInUseError: another process holds one of them; this one then holds none.
        StorageError: a lock cannot be created.
    """
    with ExitStack() as stack:
        for directory in sorted(set(directories)):
            lock = DirectoryLock.acquire(directory)
            stack.callback(lock.release)
        yield


def _identity_of(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise storage_error("reading", path, error) from error
    return status.st_dev, status.st_ino


def _in_use(directory: str, holder: str) -> DirectoryInUseError:
    return DirectoryInUseError(
        f"Failed to acquire lock on file .lock in {directory}. {holder.capitalize()} is using this directory. "
        "Stop it first, or give this node a log.dirs of its own: two nodes on one log would destroy it."
    )
