"""Full and broken log directories of a broker, on a simulated disk. Source: KIP-928."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import threading
from types import SimpleNamespace

import pytest

from kraftpy.broker.log_dirs import LogDirState
from kraftpy.config.node_config import LogDirConfig
from kraftpy.model.errors import DiskFullError, StorageError
from kraftpy.node.log_dir_monitor import UNCHANGED, LogDirChecks, LogDirFinding, LogDirMonitor
from kraftpy.runtime.registration_drivers import BrokerLifecycleDriver
from kraftpy.storage.reserve import has_reserve, write_reserve
from tests.fakes.filesystem import SimulatedFileSystem
from tests.unit.broker.test_lifecycle import DIR_A, DIR_B, published, running

CAPACITY = 1_000_000
RESERVE = 100_000
PATHS = ("/a", "/b")
ONLINE, SATURATED, OFFLINE = LogDirState.ONLINE, LogDirState.SATURATED, LogDirState.OFFLINE


def config(**changes):
    fields = {
        "cordoned": (),
        "reserve_bytes": RESERVE,
        "check_interval_ms": 5_000,
        "saturated_free_bytes": 0,
        "recovery_free_bytes": None,
        "counts_quota": False,
        "may_start_saturated": False,
    }
    return LogDirConfig(**{**fields, **changes})


class Desk:
    """A disk with one log directory and its reserve."""

    def __init__(self, **changes):
        self.fs = SimulatedFileSystem(CAPACITY)
        self.fs.make_directory("/a")
        write_reserve(self.fs, "/a", RESERVE, random.Random(1).randbytes)
        self.checks = LogDirChecks(self.fs, config(**changes), random.Random(2).randbytes)

    def fill(self, free=0):
        file = self.fs.open("/a/ballast", write=True, create=True)
        file.pwrite(bytes(self.fs.free_bytes("/a") - free), 0)

    def check(self, state=ONLINE):
        return self.checks.check("/a", state).finding

    def refuse(self, number, *, of="pwrite"):
        def before(operation, path):
            if operation == of:
                raise OSError(number, os.strerror(number), path)

        self.fs.before = before


def test_a_directory_with_space_stays_as_it_is():
    """A check changes nothing: neither the state nor the files."""
    desk = Desk()
    assert desk.checks.check("/a", ONLINE) is UNCHANGED
    assert desk.fs.list_directory("/a") == ["kraftpy.reserve"]


def test_a_full_directory_gives_up_its_reserve():
    """Only the full directory's; afterwards as much space is free as the reserve took."""
    desk = Desk()
    desk.fill()
    assert desk.check() is LogDirFinding.FULL
    assert not has_reserve(desk.fs, "/a")
    assert desk.fs.free_bytes("/a") == RESERVE
    assert desk.check(SATURATED) is LogDirFinding.UNCHANGED


@pytest.mark.parametrize(
    ("number", "changes", "expected"),
    [
        (errno.ENOSPC, {}, LogDirFinding.FULL),
        (errno.EDQUOT, {}, LogDirFinding.BROKEN),
        (errno.EDQUOT, {"counts_quota": True}, LogDirFinding.FULL),
        (errno.EIO, {}, LogDirFinding.BROKEN),
        (errno.EROFS, {}, LogDirFinding.BROKEN),
        (errno.EMFILE, {}, LogDirFinding.UNCHANGED),
    ],
)
def test_what_an_error_makes_of_a_directory(number, changes, expected):
    """Only a full disk saturates it; an error of the process is none of the disk (K928-3)."""
    desk = Desk(**changes)
    desk.refuse(number)
    assert desk.check() is expected


def test_a_sync_may_find_the_disk_full():
    """Where the file system looks for space no earlier; another error of it breaks the directory."""
    desk = Desk()
    desk.refuse(errno.ENOSPC, of="sync")
    assert desk.check() is LogDirFinding.FULL
    desk = Desk()
    desk.refuse(errno.EIO, of="sync")
    assert desk.check() is LogDirFinding.BROKEN


def test_a_saturated_directory_that_breaks_is_broken():
    """Another error than a full disk: saturated to offline (K928-19)."""
    desk = Desk()
    desk.refuse(errno.EIO)
    assert desk.check(SATURATED) is LogDirFinding.BROKEN
    desk.refuse(errno.ENOSPC)
    assert desk.check(SATURATED) is LogDirFinding.UNCHANGED


def test_a_reserve_that_cannot_be_removed_breaks_the_directory():
    """The disk does not do what it has to do when it is full."""
    desk = Desk()
    desk.fill()

    def before(operation, path):
        if operation == "unlink" and path.endswith("reserve"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    desk.fs.before = before
    assert desk.check() is LogDirFinding.BROKEN


def test_little_free_space_can_count_as_full():
    """With a threshold, the directory is saturated before a write fails (K928-25)."""
    desk = Desk(saturated_free_bytes=50_000)
    desk.fill(free=50_000)
    assert desk.check() is LogDirFinding.UNCHANGED
    desk.fill(free=49_999)
    checked = desk.checks.check("/a", ONLINE)
    assert checked.finding is LogDirFinding.FULL
    assert "49999 bytes are free in /a, less than log.dir.saturated.free.bytes=50000" in checked.reason


def test_other_limits_hold_from_the_next_check_on():
    desk = Desk()
    desk.fill(free=50_000)
    assert desk.check() is LogDirFinding.UNCHANGED
    desk.checks.follow(saturated_free_bytes=60_000, recovery_free_bytes=None)
    assert desk.check() is LogDirFinding.FULL
    desk.checks.follow(saturated_free_bytes=0, recovery_free_bytes=20_000)
    assert desk.check(SATURATED) is LogDirFinding.HAS_SPACE


def test_by_default_space_alone_brings_nothing_back():
    """A saturated directory stays so until the broker restarts (K928-20)."""
    desk = Desk()
    desk.fill()
    desk.check()
    desk.fs.unlink("/a/ballast")
    assert desk.check(SATURATED) is LogDirFinding.UNCHANGED
    assert not has_reserve(desk.fs, "/a")


def test_with_enough_space_and_its_reserve_a_directory_is_online_again():
    """The space that the reserve takes does not count: else it would be full again at once (K928-20)."""
    desk = Desk(recovery_free_bytes=20_000)
    desk.fill()
    desk.check()
    assert desk.check(SATURATED) is LogDirFinding.UNCHANGED, "what the reserve left is not enough"
    desk.fill(free=RESERVE + 19_999)
    assert desk.check(SATURATED) is LogDirFinding.UNCHANGED
    assert not has_reserve(desk.fs, "/a")
    desk.fill(free=RESERVE + 20_000)
    assert desk.check(SATURATED) is LogDirFinding.HAS_SPACE
    assert desk.fs.size("/a/kraftpy.reserve") == RESERVE
    assert desk.check() is LogDirFinding.UNCHANGED


class Channel:
    async def call(self, request, timeout_ms):
        raise AssertionError("the machine is stepped without its task")


class Broker(BrokerLifecycleDriver):
    """The driver of a machine that runs; nothing is sent."""

    def __init__(self, level=42):
        machine = running()
        published(machine, level)
        self.given_up = []
        super().__init__(
            lifecycle=machine,
            channel=Channel(),
            clock=SimpleNamespace(now_ms=lambda: 100),
            on_give_up=self.given_up.append,
        )
        self._calls = SimpleNamespace(create_task=lambda call: call.close())


class ScriptedChecks:
    def __init__(self, **found):
        self.found = found
        self.asked = []

    def check(self, path, state):
        self.asked.append((path, state))
        return SimpleNamespace(finding=self.found.get(path[1:], LogDirFinding.UNCHANGED), reason=f"why {path}")


def monitor(checks, broker, *, offline=(("/c", "gone"),), saturated=()):
    opened = SimpleNamespace(
        log_dirs=tuple(zip(PATHS, (DIR_A, DIR_B), strict=True)), offline_log_dirs=offline, saturated=dict(saturated)
    )
    return LogDirMonitor(checks, config(), opened, broker)


async def test_what_is_found_steps_the_lifecycle():
    """Full, then with space again, then broken; an offline directory is checked no more."""
    broker = Broker()
    checks = ScriptedChecks(a=LogDirFinding.FULL)
    watching = monitor(checks, broker)
    await watching.check_all()
    assert watching.states == {"/a": SATURATED, "/b": ONLINE, "/c": OFFLINE}
    assert watching.reasons == {"/a": "why /a", "/c": "gone"}
    checks.found = {"a": LogDirFinding.HAS_SPACE}
    await watching.check_all()
    assert watching.states["/a"] is ONLINE
    assert watching.reasons == {"/c": "gone"}
    checks.found = {"a": LogDirFinding.BROKEN}
    await watching.check_all()
    assert watching.states["/a"] is OFFLINE
    checks.asked.clear()
    await watching.check_all()
    assert checks.asked == [("/b", ONLINE)]
    assert broker.given_up == []


async def test_below_42_a_full_directory_goes_offline():
    """The log could not express it: the broker does what Kafka does."""
    watching = monitor(ScriptedChecks(a=LogDirFinding.FULL), Broker(level=40))
    await watching.check_all()
    assert watching.states["/a"] is OFFLINE


@pytest.mark.parametrize(("number", "state"), [(errno.ENOSPC, SATURATED), (errno.EIO, OFFLINE)])
async def test_errors_of_others_are_judged_alike(number, state):
    """A failed write of meta.properties is judged as a failed check is."""
    broker = Broker()
    watching = monitor(ScriptedChecks(), broker)
    error = DiskFullError("full") if number == errno.ENOSPC else StorageError("broken")
    error.__cause__ = OSError(number, os.strerror(number))
    watching.meets(error, "/a", DIR_A)
    assert watching.states["/a"] is state


def test_a_disk_that_hangs_does_not_keep_the_process():
    """A check that never returns is left behind when the node ends."""
    hangs, begun = threading.Event(), threading.Event()

    def check(_path, _state):
        begun.set()
        hangs.wait()

    async def node():
        checking = asyncio.create_task(monitor(SimpleNamespace(check=check), Broker()).check_all())
        await asyncio.get_running_loop().run_in_executor(None, begun.wait)
        checking.cancel()

    process = threading.Thread(target=lambda: asyncio.run(node()), daemon=True)
    process.start()
    process.join(10)
    ended = not process.is_alive()
    hangs.set()
    assert ended


async def test_descriptions_of_a_disk_that_hangs_share_one_thread(monkeypatch):
    """Each call ends in time, and none leaves another thread behind."""
    monkeypatch.setattr("kraftpy.node.log_dir_monitor.MEASURE_TIMEOUT_S", 0.01)
    hangs, asked = threading.Event(), []

    def measured(status):
        asked.append(status.path)
        hangs.wait()
        return status

    watching = monitor(SimpleNamespace(measured=measured), Broker())
    for _ in range(3):
        with pytest.raises(TimeoutError):
            await watching.describe()
    assert asked == ["/a"]
    hangs.set()
    monkeypatch.setattr("kraftpy.node.log_dir_monitor.MEASURE_TIMEOUT_S", 10)
    assert [status.path for status in await watching.describe()] == ["/a", "/b", "/c"]
