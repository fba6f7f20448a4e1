"""Run a controller on a disk that fails on command: ``python faulty_node.py controller --config FILE``.

It is the product's own node on the product's own file system; only what the file ``fault`` beside the configuration
asks for is done to the metadata log's segments. The file holds one word, and may come and go while the node runs:

=============  =================================================================
``full``       writes that make a segment longer fail with ENOSPC
``sync``       fdatasync fails with EIO, once; the file is counted as ``syncs``
``slow N``     fdatasync takes N seconds
=============  =================================================================
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sys
import time
from pathlib import Path

from kraftpy.cli.errors import report
from kraftpy.model.errors import KraftError
from kraftpy.node.config import load_config
from kraftpy.node.logs import configure_logging
from kraftpy.node.node import Node
from kraftpy.storage.filesystem import RealFile, RealFileSystem


class FaultyFile:
    """A segment whose disk does what the fault file says."""

    def __init__(self, file: RealFile, fault: Path) -> None:
        self._file = file
        self._fault = fault

    def __getattr__(self, name):
        return getattr(self._file, name)

    def _word(self) -> str:
        try:
            return self._fault.read_text()
        except FileNotFoundError:
            return ""

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
        if word.startswith("slow"):
            time.sleep(float(word.split()[1]))
        self._file.sync()


class FaultyFileSystem(RealFileSystem):
    """Hands out faulty segments."""

    def __init__(self, fault: Path) -> None:
        self._fault = fault

    def open(self, path, *, write=False, create=False):
        file = super().open(path, write=write, create=create)
        return FaultyFile(file, self._fault) if path.endswith(".log") else file

    def free_bytes(self, path):
        if self._fault.exists() and self._fault.read_text() == "full":
            return 0
        return super().free_bytes(path)


async def main(path: str) -> None:
    config = load_config(path)
    configure_logging(level=config.log_level, form=config.log_format, node_id=config.node_id)
    node = Node(config, fs=FaultyFileSystem(Path(path).with_name("fault")))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, node.request_stop)
    await node.run()


if __name__ == "__main__":
    sys.setswitchinterval(0.0005)
    try:
        asyncio.run(main(sys.argv[3]))
    except KraftError as error:
        sys.exit(report(error))
