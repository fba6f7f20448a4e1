"""Run a controller that dies at a stated step on its disk: ``python dying_node.py controller --config FILE``.

It is the product's own node on the product's own file system. The file ``die`` beside the configuration holds
``OPERATION ENDING COUNT``: before the COUNT-th such operation of this process, on a path with that ending, it kills
itself, as SIGKILL does. Operations are ``rename`` (to the path), ``write`` (of a batch of records that are no control
records) and ``sync`` (after such a write).
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from kraftpy.config.node_config import NodeConfig
from kraftpy.node.node import Node
from kraftpy.records.batch import BATCH_HEADER_BYTES, CONTROL_BIT
from kraftpy.storage.filesystem import RealFile, RealFileSystem
from kraftpy.storage.scan import MAGIC
from tests.fakes.altered_node import run_script, run_until_asked

LENGTH_END = 12
"""A batch's length counts from here; it is in the four bytes before."""


class Death:
    """When to die."""

    def __init__(self, order: Path) -> None:
        words = order.read_text().split() if order.exists() else ["never", "-", "1"]
        self._operation, self._ending, self._left = words[0], words[1], int(words[2])

    def at(self, operation: str, path: str) -> None:
        """Die if this is the step."""
        if operation == self._operation and path.endswith(self._ending):
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def holds_records(data) -> bool:
    """Whether a write has a batch whose control bit is not set (zeros are no batch)."""
    at = 0
    while len(data) - at > BATCH_HEADER_BYTES and data[at + 16] == MAGIC:
        if not data[at + 22] & CONTROL_BIT:
            return True
        at += LENGTH_END + int.from_bytes(data[at + 8 : at + LENGTH_END])
    return False


class MortalFile:
    """A file whose writes and syncs may be the last thing."""

    def __init__(self, file: RealFile, death: Death) -> None:
        self._file = file
        self._death = death
        self._is_dirty = False

    def __getattr__(self, name):
        return getattr(self._file, name)

    def pwrite(self, data, position):
        if holds_records(data):
            self._death.at("write", self._file.path)
            self._is_dirty = True
        self._file.pwrite(data, position)

    def sync(self):
        if self._is_dirty:
            self._death.at("sync", self._file.path)
        self._file.sync()


class MortalFileSystem(RealFileSystem):
    """Hands out such files."""

    def __init__(self, death: Death) -> None:
        self._death = death

    def open(self, path, *, write=False, create=False):
        return MortalFile(super().open(path, write=write, create=create), self._death)

    def rename(self, source, target):
        self._death.at("rename", target)
        super().rename(source, target)


async def run(config: NodeConfig, path: Path) -> None:
    await run_until_asked(Node(config, fs=MortalFileSystem(Death(path.with_name("die")))))


if __name__ == "__main__":
    run_script(run)
