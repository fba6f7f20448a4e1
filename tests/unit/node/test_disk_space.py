"""The free space of a node's disks is asked for beside the loop, and shown while it is new."""

from __future__ import annotations

import asyncio
import threading

from kraftpy.node.disk_space import AGE_MAX_MS, DiskSpace, probe_metrics
from kraftpy.storage.disk_probe import SyncTimes
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


def test_a_disk_that_refuses_has_no_space(tmp_path):
    disk = Disk()
    disk.free = None
    assert DiskSpace(disk, [], lambda: 0).measure(str(tmp_path)) is None


async def test_a_disk_that_hangs_hides_no_other(tmp_path):
    """The metadata log's disk is shown while another one does not answer."""
    hangs, answers = tmp_path / "hangs", tmp_path / "answers"
    over = threading.Event()

    class HalfHung(Disk):
        def free_bytes(self, path):
            if path == str(hangs):
                over.wait()
            return 4_096

    answers.mkdir()
    space = DiskSpace(HalfHung(), [str(hangs), str(answers)], lambda: 0)
    task = asyncio.create_task(space.run())
    try:
        await until(lambda: shown(space), "the other disk was asked")
        assert {directory for _, directory in shown(space)} == {str(answers)}
    finally:
        task.cancel()
        over.set()


def test_what_the_probe_measured_is_shown():
    """By quantile; without a probe there is no series."""
    samples = [one for family in probe_metrics(SyncTimes(32, 0.25, 3.5, 4.0)) for one in family.samples]
    assert {(one.name, one.labels["quantile"]): one.value for one in samples} == {
        ("kraft_disk_probe_ms", "0.5"): 0.25, ("kraft_disk_probe_ms", "0.99"): 3.5,
    }  # fmt: skip
    assert [one for family in probe_metrics(None) for one in family.samples] == []
