"""Run a node whose disk remembers what was not synced: ``python attacked_node.py controller --config FILE``.

It is the product's own node on the product's own file system. Beside the configuration is a directory ``undo``:
each write or truncation that is not synced yet is noted there with what it replaced, and ``sync`` removes the notes.
After a ``kill -9`` :mod:`tests.robustness.power` can then turn a killed process into a machine that lost its power,
sector by sector. The file ``fault`` beside the configuration injects more while the node runs; without it the disk
works:

==========  =========================================================================================
``slow N``  every sync takes N seconds
``lie``     no sync does anything, as with a disk that confirms what it has not written
``full``    what would make a segment of the log longer fails with ENOSPC, and no byte is free
``fail``    the next sync of a segment fails with EIO, once: the kernel has dropped the pages by then
==========  =========================================================================================

Names (creates, renames, unlinks) count as durable at once; the simulator's disk loses those, too.

The file ``clock`` beside the configuration says by how many seconds the wall clock is wrong, as Python code sees it.
"""

from __future__ import annotations

import errno
import os
import struct
import time
from pathlib import Path

from kraftpy.config.node_config import NodeConfig
from kraftpy.node.node import Node
from kraftpy.storage.filesystem import RealFile, RealFileSystem
from tests.fakes.altered_node import run_script, run_until_asked

NOTE = struct.Struct(">QQQ")
"""Of a write: where, how long the file was, how many replaced bytes follow."""


def word_in(fault: Path) -> str:
    """What the file asks for; nothing when there is none."""
    try:
        return fault.read_text()
    except FileNotFoundError:
        return ""


def set_wall_clock(path: Path) -> None:
    """Let this process see a wall clock that is as wrong as a file says; without the file it is right."""
    seconds, nanoseconds = time.time, time.time_ns

    def ahead_s() -> int:
        return int(word_in(path) or 0)

    time.time = lambda: seconds() + ahead_s()
    time.time_ns = lambda: nanoseconds() + ahead_s() * 1_000_000_000


class NotedFile:
    """A file whose unsynced changes are noted under its inode."""

    def __init__(self, file: RealFile, undo: Path, fault: Path) -> None:
        self._file = file
        self._fault = fault
        self._notes = os.open(undo / str(Path(file.path).stat().st_ino), os.O_RDWR | os.O_CREAT | os.O_APPEND)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def pwrite(self, data, position):
        self._check_room(position + len(data))
        self._note(position, len(data))
        self._file.pwrite(data, position)

    def truncate(self, size):
        self._check_room(size)
        self._note(size, max(0, self._file.size() - size))
        self._file.truncate(size)

    def sync(self):
        word, _, seconds = word_in(self._fault).partition(" ")
        if word == "lie":
            return
        if word == "slow":
            time.sleep(float(seconds))
        if word == "fail" and self._is_segment:
            # A second sync would succeed, and lie.
            self._fault.unlink()
            raise OSError(errno.EIO, os.strerror(errno.EIO), self._file.path)
        self._file.sync()
        os.ftruncate(self._notes, 0)

    def close(self):
        self._file.close()
        if self._notes >= 0:
            os.close(self._notes)
            self._notes = -1

    @property
    def _is_segment(self):
        return self._file.path.endswith(".log")

    def _check_room(self, size):
        if self._is_segment and word_in(self._fault) == "full" and size > self._file.size():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._file.path)

    def _note(self, position, size):
        before = self._file.pread(size, position) if size else b""
        os.write(self._notes, NOTE.pack(position, self._file.size(), len(before)) + before)


class NotedFileSystem(RealFileSystem):
    """Hands out noted files."""

    def __init__(self, directory: Path) -> None:
        self._undo = directory / "undo"
        self._undo.mkdir(exist_ok=True)
        self._fault = directory / "fault"

    def open(self, path, *, write=False, create=False):
        file = super().open(path, write=write, create=create)
        return NotedFile(file, self._undo, self._fault) if write or create else file

    def free_bytes(self, path):
        return 0 if word_in(self._fault) == "full" else super().free_bytes(path)

    def unlink(self, path):
        notes = self._undo / str(Path(path).stat().st_ino)
        super().unlink(path)
        notes.unlink(missing_ok=True)


async def run(config: NodeConfig, path: Path) -> None:
    set_wall_clock(path.with_name("clock"))
    await run_until_asked(Node(config, fs=NotedFileSystem(path.parent)))


if __name__ == "__main__":
    run_script(run)
