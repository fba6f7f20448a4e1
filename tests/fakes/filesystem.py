"""A disk in memory that forgets what was not synced, and can be killed before any operation.

Contents are remembered per 512-byte sector: at a crash each sector written since the last sync of its file keeps its
new bytes or falls back to its old ones (zeros where the file had none), and the file's length falls anywhere between
the old and the new. Names are remembered per directory: at a crash a prefix of the creates, renames and unlinks since
the directory's last sync survives, in their order (what a journaling file system gives), or any of them, each name by
itself (what POSIX allows). A new directory's own name is one of those of the directory above it, and goes with all that
is in it; one in the root is a mount point, and stays. A hook runs before every operation; one that raises
:class:`Killed` is a kill at that step, after which the disk refuses everything until ``crash`` has been called.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

SECTOR_BYTES = 512


class Killed(BaseException):
    """The process died at this operation."""


@dataclass(eq=False)
class Inode:
    """A file's bytes: what a reader sees, what a crash leaves for sure, and what it left before the last sync."""

    live: bytearray = field(default_factory=bytearray)
    durable: bytes = b""
    dirty: list[int] = field(default_factory=list)
    read_only: bool = False
    former: bytes = b""

    def write(self, data: bytes, position: int) -> None:
        if position > len(self.live):
            self.touch(len(self.live), position)
            self.live.extend(bytes(position - len(self.live)))
        self.live[position : position + len(data)] = data
        self.touch(position, position + len(data))

    def touch(self, start: int, end: int) -> None:
        self.dirty.extend(range(start // SECTOR_BYTES, (end + SECTOR_BYTES - 1) // SECTOR_BYTES))

    def truncate(self, size: int) -> None:
        old = len(self.live)
        if size < old:
            del self.live[size:]
        else:
            self.live.extend(bytes(size - old))
        self.touch(min(size, old), max(size, old))

    def sync(self) -> None:
        if self.dirty or len(self.durable) != len(self.live):
            self.former, self.durable = self.durable, bytes(self.live)
            self.dirty.clear()

    def put(self, data: bytes, position: int) -> None:
        """Put other bytes there than were written, without an error."""
        self.live[position : position + len(data)] = data
        self.durable = bytes(self.live)

    def sectors_of_last_sync(self) -> list[int]:
        """Return the sectors that the last sync changed."""
        size = SECTOR_BYTES
        return [
            sector
            for sector in range(-(-len(self.durable) // size))
            if self.durable[sector * size : (sector + 1) * size] != self.former[sector * size : (sector + 1) * size]
        ]

    def crash(self, rng: random.Random) -> None:
        written = list(dict.fromkeys(self.dirty))
        if not written and len(self.durable) == len(self.live):
            return
        mode = rng.choice(("none", "all", "prefix", "subset"))
        kept = {
            "none": list,
            "all": lambda: written,
            "prefix": lambda: written[: rng.randint(0, len(written))],
            "subset": lambda: [sector for sector in written if rng.random() < 0.5],
        }[mode]()
        sizes = {"none": len(self.durable), "all": len(self.live)}
        low, high = sorted((len(self.durable), len(self.live)))
        choices = [low, high, rng.randint(low, high), min(high, rng.randint(low, high) // SECTOR_BYTES * SECTOR_BYTES)]
        size = sizes.get(mode, max(low, rng.choice(choices)))
        content = bytearray(self.durable[:size].ljust(size, b"\0"))
        for sector in kept:
            start, end = sector * SECTOR_BYTES, min((sector + 1) * SECTOR_BYTES, size)
            piece = bytes(self.live[start:end])
            content[start : start + len(piece)] = piece[: max(0, size - start)]
        self.live = content
        self.durable = bytes(content)
        self.dirty.clear()


@dataclass
class Directory:
    """The names of one directory and the changes to them that are not durable yet."""

    names: dict[str, Inode] = field(default_factory=dict)
    durable: dict[str, Inode] = field(default_factory=dict)
    pending: list[dict[str, Inode]] = field(default_factory=list)

    def changed(self) -> None:
        self.pending.append(dict(self.names))

    def sync(self) -> None:
        self.durable = dict(self.names)
        self.pending.clear()

    def crash(self, rng: random.Random, *, in_order: bool) -> None:
        states = [self.durable, *self.pending]
        if in_order:
            self.names = dict(states[rng.randint(0, len(states) - 1)])
        else:
            found = {name: rng.choice(states).get(name) for name in sorted({*itertools.chain(*states)})}
            self.names = {name: inode for name, inode in found.items() if inode is not None}
        self.sync()


class SimulatedFile:
    """An open simulated file."""

    def __init__(self, fs: SimulatedFileSystem, inode: Inode, path: str, *, write: bool) -> None:
        self._fs, self._inode, self._path, self._write = fs, inode, path, write
        self._generation = fs.generation
        self.closed = False

    @property
    def path(self) -> str:
        return self._path

    def _step(self, operation: str) -> None:
        if self.closed or self._generation != self._fs.generation:
            raise OSError(errno.EBADF, f"{operation} of a closed file", self._path)
        self._fs.step(operation, self._path)

    def pread(self, size: int, position: int) -> bytes:
        self._step("pread")
        return bytes(self._inode.live[position : position + size])

    def pwrite(self, data: bytes, position: int) -> None:
        self._step("pwrite")
        if not self._write:
            raise OSError(errno.EBADF, "not open for writing", self._path)
        data = bytes(data)
        growth = max(0, position + len(data) - len(self._inode.live))
        free = self._fs.free_bytes(self._path)
        if growth > free:
            # As the real thing: what fits is written before the error.
            fitting = max(0, min(len(data), len(self._inode.live) + free - position))
            self._inode.write(data[:fitting], position)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._path)
        self._inode.write(data, position)

    def truncate(self, size: int) -> None:
        self._step("truncate")
        self._inode.truncate(size)

    def sync(self) -> None:
        self._step("sync")
        self._fs.check_sync(self._path)
        self._inode.sync()

    def size(self) -> int:
        return len(self._inode.live)

    def close(self) -> None:
        self.closed = True


class SimulatedFileSystem:
    """See the module.

    Attributes:
        unsynced: the directories whose own names are not durable yet, the oldest first.
        capacity: how many bytes the disk holds.
        failing_syncs: paths (or ``*``) whose next syncs raise EIO.
        syncs: how many syncs of files and directories there were.
        sync_cost_ms: what each of them costs; ``sync_ms`` is the sum, for a simulator that moves its clock by it.
        unreadable: paths of which every operation raises EIO.
        before: called with (operation, path) before every operation; may raise.
    """

    def __init__(self, capacity: int = 1 << 40) -> None:
        self.directories: dict[str, Directory] = {"/": Directory()}
        self.unsynced: list[str] = []
        self.capacity = capacity
        self.failing_syncs: set[str] = set()
        self.unreadable: set[str] = set()
        self.syncs = 0
        self.sync_cost_ms = 0
        self.sync_ms = 0
        self.operations = 0
        self.generation = 0
        self.dead = False
        self.before: Callable[[str, str], None] = lambda _operation, _path: None

    # Faults.

    def step(self, operation: str, path: str) -> None:
        if self.dead:
            raise Killed(operation, path)
        self.operations += 1
        try:
            self.before(operation, path)
        except Killed:
            self.dead = True
            raise
        if path in self.unreadable:
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    def kill_at(self, count: int) -> None:
        """Kill the process before its ``count``-th operation from now (0 is the next)."""
        deadline = self.operations + count + 1

        def before(operation: str, path: str) -> None:
            if self.operations >= deadline:
                raise Killed(operation, path)

        self.before = before

    def check_sync(self, path: str) -> None:
        self.syncs += 1
        self.sync_ms += self.sync_cost_ms
        if path in self.failing_syncs or "*" in self.failing_syncs:
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    def crash(self, rng: random.Random, *, in_order: bool = True) -> None:
        """Lose power: every open file is gone, and of the unsynced only what ``rng`` keeps.

        ``in_order``: whether the changes of a directory's names reach the disk in their order.
        """
        for path in self.unsynced:
            if rng.random() < 0.5:
                self._lose(path)
        self.unsynced.clear()
        inodes: dict[int, Inode] = {}
        for directory in self.directories.values():
            directory.crash(rng, in_order=in_order)
            inodes.update((id(inode), inode) for inode in directory.names.values())
        for inode in inodes.values():
            inode.crash(rng)
        self._restart()

    def _lose(self, path: str) -> None:
        for lost in [one for one in self.directories if one == path or one.startswith(path + "/")]:
            del self.directories[lost]

    def kill(self) -> None:
        """Lose the process but not the machine: everything written stays."""
        self._restart()

    def _restart(self) -> None:
        self.generation += 1
        self.dead = False
        self.before = lambda _operation, _path: None

    def flip_bit(self, path: str, position: int, bit: int = 0) -> None:
        inode = self._inode(path)
        inode.live[position] ^= 1 << bit
        inode.durable = bytes(inode.live)

    def copy(self) -> SimulatedFileSystem:
        """Return another disk with the same live and durable content."""
        other = SimulatedFileSystem(self.capacity)
        duplicates: dict[int, Inode] = {}

        def duplicate(inode: Inode) -> Inode:
            if id(inode) not in duplicates:
                duplicates[id(inode)] = replace(inode, live=bytearray(inode.live), dirty=list(inode.dirty))
            return duplicates[id(inode)]

        def names(source: dict[str, Inode]) -> dict[str, Inode]:
            return {name: duplicate(inode) for name, inode in source.items()}

        other.directories = {
            path: Directory(names(d.names), names(d.durable), [names(state) for state in d.pending])
            for path, d in self.directories.items()
        }
        other.unsynced = list(self.unsynced)
        return other

    # The port.

    def _split(self, path: str) -> tuple[Directory, str]:
        parent, _, name = path.rstrip("/").rpartition("/")
        directory = self.directories.get(parent or "/")
        if directory is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return directory, name

    def _inode(self, path: str) -> Inode:
        directory, name = self._split(path)
        if name not in directory.names:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return directory.names[name]

    def open(self, path: str, *, write: bool = False, create: bool = False) -> SimulatedFile:
        self.step("create" if create else "open", path)
        directory, name = self._split(path)
        if create and name not in directory.names:
            directory.names[name] = Inode()
            directory.changed()
        inode = self._inode(path)
        if (write or create) and inode.read_only:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        if create:
            inode.truncate(0)
        return SimulatedFile(self, inode, path, write=write or create)

    def rename(self, source: str, target: str) -> None:
        self.step("rename", source)
        old, old_name = self._split(source)
        new, new_name = self._split(target)
        new.names[new_name] = self._inode(source)
        del old.names[old_name]
        new.changed()
        if old is not new:
            old.changed()

    def unlink(self, path: str) -> None:
        self.step("unlink", path)
        self._inode(path)
        directory, name = self._split(path)
        del directory.names[name]
        directory.changed()

    def list_directory(self, path: str) -> list[str]:
        self.step("list", path)
        key = path.rstrip("/") or "/"
        if key not in self.directories:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        prefix = "/" if key == "/" else key + "/"
        below = {d[len(prefix) :] for d in self.directories if d.startswith(prefix) and d != "/"}
        return sorted({*self.directories[key].names, *(name for name in below if name and "/" not in name)})

    def exists(self, path: str) -> bool:
        self.step("exists", path)
        if (path.rstrip("/") or "/") in self.directories:
            return True
        parent, _, name = path.rstrip("/").rpartition("/")
        directory = self.directories.get(parent or "/")
        return directory is not None and name in directory.names

    def is_directory(self, path: str) -> bool:
        return (path.rstrip("/") or "/") in self.directories

    def size(self, path: str) -> int:
        return len(self._inode(path).live)

    def make_directory(self, path: str) -> None:
        self.step("mkdir", path)
        parts = path.strip("/").split("/")
        for depth in range(1, len(parts) + 1):
            made = "/" + "/".join(parts[:depth])
            if made not in self.directories:
                self.directories[made] = Directory()
                if depth > 1:
                    self.unsynced.append(made)

    def sync_directory(self, path: str) -> None:
        self.step("sync_directory", path)
        self.check_sync(path)
        key = path.rstrip("/") or "/"
        if key not in self.directories:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        self.directories[key].sync()
        self.unsynced = [one for one in self.unsynced if one.rpartition("/")[0] != key]

    def make_read_only(self, path: str) -> None:
        self.step("chmod", path)
        self._inode(path).read_only = True

    def free_bytes(self, path: str) -> int:
        inodes = {id(i): i for d in self.directories.values() for i in d.names.values()}
        return self.capacity - sum(len(inode.live) for inode in inodes.values())
