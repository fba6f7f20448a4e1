"""How much space is free where a node's directories are, for its metrics.

A call on a disk that hangs may never return, so it is made in a thread of its own, and what Prometheus gets is what the
last call found. What is too old is not shown: a disk that does not answer has no free space that is known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from shutil import disk_usage
from typing import Final

from prometheus_client.core import Metric

from kraftpy.node.daemon_threads import in_daemon_thread
from kraftpy.node.metric_families import gauges
from kraftpy.storage.filesystem import FileSystem

INTERVAL_S: Final = 10.0
"""How often the disks are asked."""

AGE_MAX_MS: Final = 60_000
"""What was found so long ago is not shown any more."""


@dataclass(frozen=True, slots=True)
class Space:
    """What a disk has, in bytes; ``free_bytes`` is what this process may still write."""

    free_bytes: int
    total_bytes: int


class DiskSpace:
    """Asks the disks of some directories periodically.

    Args:
        fs: the disk.
        directories: their paths; more than one may be on one disk.
        now_ms: the node's clock.
    """

    def __init__(self, fs: FileSystem, directories: Sequence[str], now_ms: Callable[[], int]) -> None:
        self._fs = fs
        self._directories = tuple(dict.fromkeys(directories))
        self._now_ms = now_ms
        self._found: dict[str, Space] = {}
        self._found_ms = 0

    async def run(self) -> None:
        """Ask until it is cancelled."""
        while True:
            self._found = await in_daemon_thread(self.measure, "kraftpy-space")
            self._found_ms = self._now_ms()
            await asyncio.sleep(INTERVAL_S)

    def measure(self) -> dict[str, Space]:
        """Ask every disk; one that refuses is left out."""
        found = {}
        for path in self._directories:
            with suppress(OSError):
                found[path] = Space(self._fs.free_bytes(path), disk_usage(path).total)
        return found

    def metrics(self) -> Iterable[Metric]:
        """Show what was found, as long as it is new."""
        is_new = self._now_ms() - self._found_ms <= AGE_MAX_MS
        found = self._found if is_new else {}
        yield gauges(
            "kraft_log_directory_free_bytes", "Bytes that this node may still write where a directory is",
            "log_directory", {path: space.free_bytes for path, space in found.items()},
        )  # fmt: skip
        yield gauges(
            "kraft_log_directory_total_bytes", "Size of the disk where a directory is", "log_directory",
            {path: space.total_bytes for path, space in found.items()},
        )  # fmt: skip
