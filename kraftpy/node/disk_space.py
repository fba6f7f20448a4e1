"""How much space is free where a node's directories are, for its metrics and its status page; and how fast its disk is.

A call on a disk that hangs may never return, so each directory has a thread of its own, and what Prometheus gets is
what the last call found. What is too old is not shown: a disk that does not answer has no free space that is known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from shutil import disk_usage
from typing import Final

from prometheus_client.core import Metric

from kraftpy.node.daemon_threads import in_daemon_thread
from kraftpy.node.metric_families import gauges
from kraftpy.storage.disk_probe import SyncTimes
from kraftpy.storage.filesystem import FileSystem

INTERVAL_S: Final = 10.0
"""How often the disks are asked."""

AGE_MAX_MS: Final = 60_000
"""What was found so long ago is not shown any more."""


@dataclass(frozen=True, slots=True)
class Space:
    """What a disk has.

    Attributes:
        free_bytes: what this process may still write.
        total_bytes: its size.
        found_ms: when that was found, by the node's clock.
    """

    free_bytes: int
    total_bytes: int
    found_ms: int


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

    async def run(self) -> None:
        """Ask until it is cancelled; a directory whose disk hangs keeps no other one waiting."""
        async with asyncio.TaskGroup() as tasks:
            for path in self._directories:
                tasks.create_task(self._follow(path))

    async def _follow(self, path: str) -> None:
        while True:
            space = await in_daemon_thread(partial(self.measure, path), "kraftpy-space")
            if space is not None:
                self._found[path] = space
            await asyncio.sleep(INTERVAL_S)

    def measure(self, path: str) -> Space | None:
        """Ask the disk of a directory; ``None`` if it refuses."""
        try:
            return Space(self._fs.free_bytes(path), disk_usage(path).total, self._now_ms())
        except OSError:
            return None

    def newest(self) -> dict[str, Space | None]:
        """Return what was found of each directory; ``None`` of one whose disk has not answered for long."""
        oldest_ms = self._now_ms() - AGE_MAX_MS
        found = {path: self._found.get(path) for path in self._directories}
        return {path: None if space is None or space.found_ms < oldest_ms else space for path, space in found.items()}

    def metrics(self) -> Iterable[Metric]:
        """Show what was found, as long as it is new."""
        found = {path: space for path, space in self.newest().items() if space is not None}
        yield gauges(
            "kraft_log_directory_free_bytes", "Bytes that this node may still write where a directory is",
            "log_directory", {path: space.free_bytes for path, space in found.items()},
        )  # fmt: skip
        yield gauges(
            "kraft_log_directory_total_bytes", "Size of the disk where a directory is", "log_directory",
            {path: space.total_bytes for path, space in found.items()},
        )  # fmt: skip


def probe_metrics(times: SyncTimes | None) -> Iterable[Metric]:
    """Show what the probe at the start measured, if there was one."""
    yield gauges(
        "kraft_disk_probe_ms", "How long an fsync took at the start where the metadata log is, in ms", "quantile",
        {} if times is None else {"0.5": times.p50_ms, "0.99": times.p99_ms},
    )  # fmt: skip
