"""Run a controller on a disk that fails on command: ``python faulty_node.py controller --config FILE``.

It is the product's own node on the product's own file system; only what the file ``fault`` beside the configuration
asks for is done. The file holds one word, and may come and go while the node runs:

=============  ====================================================================================
``full``       writes that make a segment of the metadata log longer fail with ENOSPC
``sync``       fdatasync of a segment fails with EIO, once; the file is counted as ``syncs``
``slow N``     every sync, of whatever file or directory, takes N seconds
``refuse N D`` no file below the directory D can be created; the errno is N
=============  ====================================================================================
"""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

from kraftpy.config.node_config import NodeConfig
from kraftpy.node.node import Node
from kraftpy.storage.filesystem import RealFile, RealFileSystem
from tests.fakes.altered_node import run_script, run_until_asked


def word_in(fault: Path) -> str:
    """What the file asks for; nothing when there is none."""
    try:
        return fault.read_text()
    except FileNotFoundError:
        return ""


def take_time(fault: Path) -> None:
    """Be slow if that is asked for."""
    word = word_in(fault)
    if word.startswith("slow"):
        time.sleep(float(word.split()[1]))


class SlowFile:
    """A file whose disk may be slow."""

    def __init__(self, file: RealFile, fault: Path) -> None:
        self._file = file
        self._fault = fault

    def __getattr__(self, name):
        return getattr(self._file, name)

    def sync(self):
        take_time(self._fault)
        self._file.sync()


class FaultySegment(SlowFile):
    """A segment whose disk does all that the fault file says."""

    def _word(self) -> str:
        return word_in(self._fault)

    def pwrite(self, data, position):
        if self._word() == "full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._file.path)
        self._file.pwrite(data, position)

    def truncate(self, size):
        if self._word() == "full" and size > self._file.size():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._file.path)
        self._file.truncate(size)

    def sync(self):
        word = self._word()
        if word == "sync":
            with self._fault.with_name("syncs").open("a") as counted:
                counted.write("failed\n")
            # A kernel that lost the pages reports it once; a second fsync would succeed and lie.
            self._fault.unlink()
            raise OSError(errno.EIO, os.strerror(errno.EIO), self._file.path)
        super().sync()


class FaultyFileSystem(RealFileSystem):
    """Hands out faulty files."""

    def __init__(self, fault: Path) -> None:
        self._fault = fault

    def open(self, path, *, write=False, create=False):
        word = word_in(self._fault)
        if create and word.startswith("refuse"):
            _, number, directory = word.split(maxsplit=2)
            if path.startswith(directory):
                raise OSError(int(number), os.strerror(int(number)), path)
        file = super().open(path, write=write, create=create)
        return FaultySegment(file, self._fault) if path.endswith(".log") else SlowFile(file, self._fault)

    def sync_directory(self, path):
        take_time(self._fault)
        super().sync_directory(path)

    def free_bytes(self, path):
        if self._fault.exists() and self._fault.read_text() == "full":
            return 0
        return super().free_bytes(path)


async def run(config: NodeConfig, path: Path) -> None:
    await run_until_asked(Node(config, fs=FaultyFileSystem(path.with_name("fault"))))


if __name__ == "__main__":
    run_script(run)
