"""The space of a controller's metadata log: the alarm, the reserve, and that both come back by themselves."""

from __future__ import annotations

import asyncio
import errno
import os
import random
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from kraftpy.model.errors import SyncFailedError
from kraftpy.node import metadata_disk
from kraftpy.node.metadata_disk import (
    ALARM_BYTES,
    RESERVE_BYTES,
    MetadataDisk,
    MetadataDiskMonitor,
    SpaceLimits,
)
from kraftpy.raft.ready import Role
from kraftpy.runtime.inbox import Inbox
from kraftpy.runtime.leader_handover import LeaderHandover
from tests.fakes.filesystem import SimulatedFileSystem
from tests.requirements.nodes import until

ALARM, RESERVE = 800_000, 300_000
CLEAR, RELEASE = 1_000_000, 100_000
PATH = "/data/kraftpy.metadata-reserve"
BALLAST = "/data/ballast"
TOTAL = 10_000_000


class Desk:
    """A disk of 10 MB, what else is on it, and the checks."""

    def __init__(self, *, alarm=ALARM, reserve=RESERVE):
        self.fs = SimulatedFileSystem(TOTAL)
        self.fs.make_directory("/data")
        self.limits = {"alarm_bytes": alarm, "reserve_bytes": reserve}
        self.disk = self.restarted()

    def restarted(self):
        """The checks of the next process."""
        self.disk = MetadataDisk(
            self.fs, "/data", draw=random.Random(1).randbytes, total_bytes=lambda _: TOTAL, **self.limits
        )
        return self.disk

    def leave(self, free):
        """Let something else take space, so that this much is left."""
        if self.fs.exists(BALLAST):
            self.fs.unlink(BALLAST)
        self.fs.open(BALLAST, create=True).pwrite(bytes(self.fs.free_bytes("/data") - free), 0)

    def check(self, free=None):
        """What a check finds: whether there is an alarm, and the size of the reserve."""
        if free is not None:
            self.leave(free)
        space = self.disk.check()
        return space.is_alarm, space.reserve_bytes

    @property
    def has_reserve(self):
        return self.fs.exists(PATH)


@pytest.mark.parametrize(
    ("total", "limits"),
    [
        (1 << 40, SpaceLimits(ALARM_BYTES, RESERVE_BYTES)),
        (20 * ALARM_BYTES, SpaceLimits(ALARM_BYTES, RESERVE_BYTES)),
        (4 << 20, SpaceLimits(209_715, 65_536)),
    ],
)
def test_the_limits_of_a_small_disk_are_parts_of_it(total, limits):
    """Unless the configuration has others."""
    assert SpaceLimits.of(None, None, total) == limits
    assert SpaceLimits.of(7, 0, total) == SpaceLimits(7, 0)


def test_a_first_check_writes_the_reserve():
    """Where there is enough space beside it; a restart keeps it."""
    desk = Desk()
    assert desk.check() == (False, RESERVE)
    inode = desk.fs._inode(PATH)
    desk.restarted()
    assert desk.check() == (False, RESERVE)
    assert desk.fs._inode(PATH) is inode
    scarce = Desk()
    assert scarce.check(CLEAR + RESERVE - 1) == (False, 0)
    assert scarce.check(CLEAR + RESERVE) == (False, RESERVE)


@pytest.mark.parametrize("alarm", [0, RESERVE // 2])
def test_a_restart_does_not_take_back_what_the_reserve_gave_to_a_full_disk(alarm):
    """With an alarm that is off or late, too: otherwise each start would end for want of space."""
    desk = Desk(alarm=alarm)
    assert desk.check() == (False, RESERVE)
    desk.leave(0)
    desk.disk.release()
    desk.restarted()
    assert desk.check()[1] == 0
    assert desk.fs.free_bytes("/data") == RESERVE
    assert desk.check(2 * RESERVE - 1)[1] == 0
    assert desk.check(2 * RESERVE) == (False, RESERVE)


def test_another_alarm_holds_from_the_next_check_on():
    """Its limit is changed while the node runs; nothing of it is a limit of the disk."""
    desk = Desk()
    desk.check()
    assert desk.check(ALARM) == (False, RESERVE)
    desk.disk.follow(ALARM + 1)
    assert desk.check() == (True, RESERVE)
    desk.disk.follow(0)
    assert desk.check() == (False, RESERVE)


def test_the_alarm_comes_and_goes_with_the_space():
    """Between its two limits nothing changes."""
    desk = Desk()
    desk.check()
    assert desk.check(ALARM) == (False, RESERVE)
    assert desk.check(ALARM - 1) == (True, RESERVE)
    assert desk.check(CLEAR - 1) == (True, RESERVE)
    assert desk.check(CLEAR) == (False, RESERVE)


def test_the_reserve_goes_when_nearly_nothing_is_left():
    """What it gives back is no reason to clear the alarm; with space for it, too, both come back in one check."""
    desk = Desk()
    desk.check()
    assert desk.check(RELEASE) == (True, RESERVE)
    assert desk.check(RELEASE - 1) == (True, 0)
    assert desk.fs.free_bytes("/data") == RELEASE - 1 + RESERVE
    assert desk.check(CLEAR) == (True, 0)
    assert desk.check(CLEAR + RESERVE - 1) == (True, 0)
    assert desk.check(CLEAR + RESERVE) == (False, RESERVE)
    assert desk.fs.size(PATH) == RESERVE
    desk.fs.crash(random.Random(1))
    assert desk.fs.size(PATH) == RESERVE


def test_a_reserve_larger_than_the_limit_does_not_clear_the_alarm():
    """Its removal leaves more than the limit: what fills the disk would take that as well."""
    desk = Desk(reserve=3_000_000)
    desk.check()
    assert desk.check(10) == (True, 0)
    assert desk.fs.free_bytes("/data") > CLEAR
    assert desk.check() == (True, 0)
    desk.restarted()
    assert desk.check() == (True, 0), "a restart does not forget it"


def test_a_start_on_a_full_disk_makes_room_for_recovery():
    """The reserve is gone before the log is opened, and a disk without one is no worse."""
    desk = Desk()
    desk.check()
    desk.leave(0)
    desk.restarted()
    assert desk.check() == (True, 0)
    assert desk.fs.free_bytes("/data") == RESERVE
    desk.restarted()
    assert desk.check() == (True, 0)


def test_without_an_alarm_nothing_is_refused():
    """The reserve is for the end of a node whose disk is full all the same."""
    desk = Desk(alarm=0)
    desk.check()
    assert desk.check(0) == (False, RESERVE)
    desk.disk.release()
    assert desk.check(0) == (False, 0)


def test_without_a_reserve_there_is_an_alarm():
    """One that an earlier configuration had is removed."""
    desk = Desk()
    desk.check()
    desk.limits["reserve_bytes"] = 0
    desk.restarted()
    assert desk.check() == (False, 0)
    assert not desk.has_reserve
    assert desk.check(0) == (True, 0)


def test_a_disk_that_does_not_answer_changes_nothing():
    desk = Desk()
    desk.check()
    desk.check(ALARM - 1)
    found = desk.disk.space
    desk.fs.free_bytes = refuse
    assert desk.disk.check() is found
    assert desk.restarted().check() is None


def test_a_reserve_that_cannot_be_looked_at_ends_no_node():
    """It was removed by hand a moment ago, for example."""
    desk = Desk()
    desk.check()
    found, size = desk.disk.space, desk.fs.size
    desk.fs.size = refuse
    assert desk.disk.check() is found
    desk.fs.size = size
    assert desk.check() == (False, RESERVE)


def refuse(path):
    raise OSError(errno.EIO, os.strerror(errno.EIO), path)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_a_reserve_that_cannot_be_written_is_tried_again(number):
    """A disk that fills up meanwhile is no problem to report; another error is."""
    desk = Desk()

    def before(operation, path):
        if operation == "create":
            raise OSError(number, os.strerror(number), path)

    desk.fs.before = before
    assert desk.disk.check().reserve_bytes == 0
    assert bool(desk.disk.space.problem) is (number != errno.ENOSPC)
    desk.fs.before = lambda _operation, _path: None
    assert desk.check() == (False, RESERVE)
    assert desk.disk.space.problem == ""


def test_a_failed_sync_is_final():
    desk = Desk()
    desk.fs.failing_syncs.add("*")
    with pytest.raises(SyncFailedError):
        desk.disk.check()


class Watched:
    """A monitor of a disk, a host and a replica that does not lead."""

    def __init__(self, desk):
        self.host = SimpleNamespace(refuses_growth=None)
        self.inbox = Inbox()
        replica = SimpleNamespace(role=Role.FOLLOWER)
        self.failures = []
        handover = LeaderHandover(replica)
        self.monitor = MetadataDiskMonitor(desk.disk, 7, self.host, self.inbox, handover, self.failures.append)

    def turn(self):
        self.inbox.work_off(0, lambda: 0)

    def shown(self):
        return {one.name: one.value for family in self.monitor.metrics() for one in family.samples}


async def test_requests_are_refused_from_the_start_to_the_end_of_an_alarm(monkeypatch):
    """With a text that names the disk and the way out; the log and the metrics say the same."""
    monkeypatch.setattr(metadata_disk, "CHECK_INTERVAL_S", 0.001)
    desk = Desk()
    desk.check()
    desk.check(5)
    watched = Watched(desk)
    assert set(watched.shown()) == {"kraft_leader_handovers_total"}
    with capture_logs() as lines:
        watched.monitor.begin()
        assert watched.host.refuses_growth is None, "in the driver's turn"
        watched.turn()
        text = watched.host.refuses_growth
        assert f"controller 7 has {RESERVE + 5} bytes free in /data" in text
        assert f"(metadata.log.alarm.free.bytes, {ALARM} here, beside {RESERVE} for the reserve" in text
        assert watched.monitor.trouble == text
        assert watched.shown() == {
            "kraft_leader_handovers_total": 0,
            "kraft_metadata_disk_alarm": 1, "kraft_metadata_disk_alarm_limit_bytes": ALARM,
            "kraft_metadata_disk_reserve_bytes": 0,
        }  # fmt: skip
        desk.leave(CLEAR + RESERVE)
        task = asyncio.create_task(watched.monitor.run())
        await until(lambda: watched.shown()["kraft_metadata_disk_alarm"] == 0, "the alarm is cleared")
        watched.turn()
        assert (watched.host.refuses_growth, watched.monitor.trouble) == (None, None)
        desk.leave(5)
        await until(lambda: watched.shown()["kraft_metadata_disk_reserve_bytes"] == 0, "the reserve is gone")
        task.cancel()
    assert [one["event"] for one in lines] == [
        "disk_alarm_raised", "disk_alarm_cleared", "disk_reserve_restored", "disk_alarm_raised",
        "disk_reserve_released",
    ]  # fmt: skip
    assert {one["directory"] for one in lines} == {"/data"}


async def test_a_failed_sync_stops_the_node(monkeypatch):
    """And ends the checks: nothing is tried again."""
    monkeypatch.setattr(metadata_disk, "CHECK_INTERVAL_S", 0.001)
    desk = Desk()
    watched = Watched(desk)
    desk.fs.failing_syncs.add("*")
    await watched.monitor.run()
    assert [type(one) for one in watched.failures] == [SyncFailedError]


def test_the_end_of_a_node_on_a_full_disk_has_the_space_of_the_reserve():
    desk = Desk()
    desk.check()
    watched = Watched(desk)
    watched.monitor.make_room()
    assert not desk.has_reserve
    desk.check(CLEAR + RESERVE)
    desk.fs.unreadable.add(PATH)
    with capture_logs() as lines:
        watched.monitor.make_room()
    assert [one["event"] for one in lines] == ["disk_reserve_failed"]
