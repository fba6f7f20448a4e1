"""The free space of a node's disks is asked for beside the loop, and shown while it is new."""

from __future__ import annotations

import asyncio

from kraftpy.node.disk_space import AGE_MAX_MS, DiskSpace
from kraftpy.storage.filesystem import RealFileSystem
from tests.requirements.nodes import until


class Disk(RealFileSystem):
    """Has a number of bytes free, or refuses to answer."""

    free = 4_096

    def free_bytes(self, path):
        if self.free is None:
            raise OSError("no answer")
        return self.free


def shown(space):
    return {
        (sample.name, sample.labels["log_directory"]): sample.value
        for family in space.metrics()
        for sample in family.samples
    }


async def test_what_was_found_is_shown_while_it_is_new(tmp_path):
    """Each directory once; what is too old is not shown, as a disk that hangs has no free space that is known."""
    now = [1_000_000]
    space = DiskSpace(Disk(), [str(tmp_path), str(tmp_path)], lambda: now[0])
    assert shown(space) == {}
    task = asyncio.create_task(space.run())
    await until(lambda: shown(space), "the disk was asked")
    task.cancel()
    found = shown(space)
    assert found["kraft_log_directory_free_bytes", str(tmp_path)] == 4_096
    assert found["kraft_log_directory_total_bytes", str(tmp_path)] > 4_096
    now[0] += AGE_MAX_MS
    assert shown(space) == found
    now[0] += 1
    assert shown(space) == {}


def test_a_disk_that_refuses_is_left_out(tmp_path):
    disk = Disk()
    disk.free = None
    assert DiskSpace(disk, [str(tmp_path)], lambda: 0).measure() == {}
