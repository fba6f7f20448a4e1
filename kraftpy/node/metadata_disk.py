"""The space on the disk of a controller's metadata log: a reserve, and an alarm that clears itself.

A controller whose log cannot be written ends. Before it comes to that, it refuses what makes the state larger
(``controller.growth``), so that what fills the disk is at least not the cluster. What removes something, elections and
all that brokers need is done until the very last byte, and a reserve gives that some space. A small check is made every
:data:`CHECK_INTERVAL_S`, in a thread of its own, as a disk may hang:

================================================  =================================================================
free space is                                     a check
================================================  =================================================================
below ``metadata.log.alarm.free.bytes``           raises the alarm; a leader hands over, if another voter follows
below an eighth of that                           removes the reserve as well
above it by a fourth, beside what the reserve     writes the reserve again, and clears the alarm
takes
================================================  =================================================================

The reserve is not written either where less than its own size would be left.

The first check is made before the log is opened, because recovery may need space. What an append does on a full disk
is not changed by all this: it fails, and ends the node, which closes its log in the space of the reserve.

Prior art: etcd's NOSPACE alarm, which has to be disarmed by hand; KIP-928 for the reserve.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from shutil import disk_usage
from typing import Final

import structlog
from prometheus_client.core import Metric

from kraftpy.model.errors import DiskFullError, StorageError, SyncFailedError
from kraftpy.node.daemon_threads import in_daemon_thread
from kraftpy.node.metric_families import counter, gauge
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.inbox import Inbox
from kraftpy.runtime.leader_handover import FULL_DISK_PAUSE_MS, LeaderHandover
from kraftpy.storage.filesystem import FileSystem
from kraftpy.storage.names import METADATA_RESERVE
from kraftpy.storage.os_errors import faults_of
from kraftpy.storage.reserve import has_reserve, remove_reserve, reserve_path, write_reserve

_log = structlog.get_logger("kraftpy.node")

CHECK_INTERVAL_S: Final = 1.0
"""How often the space is checked."""

ALARM_BYTES: Final = 64 << 20
"""With less free space the alarm is raised, unless the configuration has another limit."""

ALARM_SHARE: Final = 20
"""On a small disk this part of it is the limit."""

RESERVE_BYTES: Final = 16 << 20
"""Size of the reserve, unless the configuration has another one."""

RESERVE_SHARE: Final = 64
"""On a small disk the reserve is this part of it."""

RELEASE_SHARE: Final = 8
"""The reserve is removed when this part of the alarm's limit is left."""

CLEAR_SHARE: Final = 4
"""The alarm is cleared when its limit and this part of it are free, so that it does not come and go."""


@dataclass(frozen=True, slots=True)
class SpaceLimits:
    """What is little space on a disk.

    Attributes:
        alarm_bytes: with less free space the alarm is raised.
        reserve_bytes: size of the reserve; 0 is none.
    """

    alarm_bytes: int
    reserve_bytes: int

    @classmethod
    def of(cls, alarm_bytes: int | None, reserve_bytes: int | None, total_bytes: int) -> SpaceLimits:
        """Return the limits as configured; those that are ``None`` are chosen by the size of the disk."""
        return cls(
            min(ALARM_BYTES, total_bytes // ALARM_SHARE) if alarm_bytes is None else alarm_bytes,
            min(RESERVE_BYTES, total_bytes // RESERVE_SHARE) if reserve_bytes is None else reserve_bytes,
        )

    @property
    def release_bytes(self) -> int:
        """With less free space the reserve is removed."""
        return self.alarm_bytes // RELEASE_SHARE

    @property
    def clear_bytes(self) -> int:
        """With so much free space, beside the reserve, the alarm is cleared."""
        return self.alarm_bytes + self.alarm_bytes // CLEAR_SHARE

    @property
    def restore_bytes(self) -> int:
        """With so much free space beside it the reserve is written.

        At least as much as itself: where the alarm is off, or comes late, it would take back at a restart what it gave
        to a full disk.
        """
        return max(self.clear_bytes, self.reserve_bytes)


@dataclass(frozen=True, slots=True)
class MetadataSpace:
    """What a check found, and made of it.

    Attributes:
        free_bytes: what this process may still write.
        limit_bytes: below it the alarm is raised.
        owed_bytes: what the reserve lacks; the alarm is raised that much earlier.
        is_alarm: whether it is.
        reserve_bytes: size of the reserve that is there; 0 without one.
        problem: why the reserve could not be written or removed; empty if it could.
    """

    free_bytes: int
    limit_bytes: int
    owed_bytes: int
    is_alarm: bool
    reserve_bytes: int
    problem: str = ""


class MetadataDisk:
    """The checks: blocking calls on the directory of a metadata log. One at a time.

    Args:
        fs: the disk.
        directory: ``metadata.log.dir``.
        alarm_bytes: ``metadata.log.alarm.free.bytes``; ``None`` is by the size of the disk.
        reserve_bytes: ``metadata.log.reserve.bytes``; ``None`` likewise.
        draw: returns that number of random bytes.
        total_bytes: returns the size of the disk of a directory.

    Attributes:
        directory: as given.
        space: what the last check found; ``None`` before the first.
    """

    def __init__(
        self,
        fs: FileSystem,
        directory: str,
        *,
        alarm_bytes: int | None,
        reserve_bytes: int | None,
        draw: Callable[[int], bytes] = os.urandom,
        total_bytes: Callable[[str], int] = lambda path: disk_usage(path).total,
    ) -> None:
        self.directory = directory
        self.space: MetadataSpace | None = None
        self._fs = fs
        self._alarm_bytes = alarm_bytes
        self._reserve_bytes = reserve_bytes
        self._draw = draw
        self._total_bytes = total_bytes

    def follow(self, alarm_bytes: int | None) -> None:
        """Raise the alarm at another limit from the next check on."""
        self._alarm_bytes = alarm_bytes

    def check(self) -> MetadataSpace | None:
        """Look at the space, and remove or write the reserve; ``None`` while a disk has never answered.

        Raises:
            SyncFailedError: a sync failed; the node must stop.
        """
        try:
            limits = SpaceLimits.of(self._alarm_bytes, self._reserve_bytes, self._total_bytes(self.directory))
            free = self._fs.free_bytes(self.directory)
        except OSError:
            return self.space
        was_alarm = self.space is not None and self.space.is_alarm
        problem = ""
        try:
            if free < limits.release_bytes:
                self.release()
            elif free - self._missing_bytes(limits) >= limits.restore_bytes:
                self._restore(limits)
        except SyncFailedError:
            raise
        except StorageError as error:
            problem = str(error)
        try:
            free, reserve = self._fs.free_bytes(self.directory), self._reserve_size()
        except (OSError, StorageError):
            return self.space
        # What the reserve gave back, before a restart perhaps, is not there to be used up by clients.
        owed = max(0, limits.reserve_bytes - reserve)
        least = owed + (limits.clear_bytes if was_alarm else limits.alarm_bytes)
        is_alarm = limits.alarm_bytes > 0 and free < least
        self.space = MetadataSpace(free, limits.alarm_bytes, owed, is_alarm, reserve, problem)
        return self.space

    def release(self) -> None:
        """Remove the reserve, if it is there.

        Raises:
            StorageError: that failed.
        """
        remove_reserve(self._fs, self.directory, METADATA_RESERVE)

    def _restore(self, limits: SpaceLimits) -> None:
        """Make the reserve what the configuration says; a disk that filled up meanwhile stays without."""
        with suppress(DiskFullError):
            write_reserve(self._fs, self.directory, limits.reserve_bytes, self._draw, METADATA_RESERVE)

    def _missing_bytes(self, limits: SpaceLimits) -> int:
        return max(0, limits.reserve_bytes - self._reserve_size())

    def _reserve_size(self) -> int:
        if not has_reserve(self._fs, self.directory, METADATA_RESERVE):
            return 0
        path = reserve_path(self.directory, METADATA_RESERVE)
        with faults_of("reading the size of", path):
            return self._fs.size(path)


def refusal_text(node_id: int, directory: str, space: MetadataSpace) -> str:
    """Say what is refused, why, and what ends it."""
    owed = f", beside {space.owed_bytes} for the reserve that is missing" if space.owed_bytes else ""
    return (
        f"controller {node_id} has {space.free_bytes} bytes free in {directory}, less than the limit of its disk alarm "
        f"(metadata.log.alarm.free.bytes, {space.limit_bytes} here{owed}): it refuses what makes the metadata larger, "
        "and does what deletes, elects, or keeps brokers running. Free space on that disk, or enlarge it; the alarm "
        "clears itself then"
    )


class MetadataDiskMonitor:
    """Checks the space periodically, and lets the controller loop and the log know.

    Args:
        disk: the checks, of which the first was made.
        node_id: of this controller.
        host: refuses requests while there is an alarm.
        inbox: of the driver.
        handover: away from this node, if it leads.
        on_failed: called with an error that the node must stop for.
    """

    def __init__(
        self,
        disk: MetadataDisk,
        node_id: int,
        host: ControllerLoop,
        inbox: Inbox,
        handover: LeaderHandover,
        on_failed: Callable[[BaseException], None],
    ) -> None:
        self._disk = disk
        self._node_id = node_id
        self._host = host
        self._inbox = inbox
        self._handover = handover
        self._on_failed = on_failed
        self._seen: MetadataSpace | None = None

    @property
    def trouble(self) -> str | None:
        """What the operator has to do about the disk; ``None`` while there is enough space."""
        return self._host.refuses_growth

    def begin(self) -> None:
        """Take in what the check before the start found."""
        self._note(self._disk.space)

    async def run(self) -> None:
        """Check until it is cancelled."""
        while True:
            await asyncio.sleep(CHECK_INTERVAL_S)
            try:
                space = await in_daemon_thread(self._disk.check, "kraftpy-space")
            except StorageError as error:
                self._on_failed(error)
                return
            self._note(space)

    def _note(self, space: MetadataSpace | None) -> None:
        if space is None:
            return
        seen, self._seen = self._seen, space
        self._log_changes(seen, space)
        if space.is_alarm or self._host.refuses_growth is not None:
            self._inbox.put_unbounded(partial(self._take_in, space))

    def _take_in(self, space: MetadataSpace, now_ms: int) -> None:
        """Refuse requests, or do so no more, in the driver's turn."""
        if not space.is_alarm:
            self._host.refuses_growth = None
            return
        # While the leadership is being handed over, clients are asked to come again; they find the next leader.
        reason = "the disk of the metadata log has little space left"
        self._handover.attempt(now_ms, reason, FULL_DISK_PAUSE_MS)
        self._host.refuses_growth = refusal_text(self._node_id, self._disk.directory, space)

    def _log_changes(self, seen: MetadataSpace | None, space: MetadataSpace) -> None:
        facts = {"directory": self._disk.directory, "free_bytes": space.free_bytes}
        was_alarm, had_reserve = (seen is not None and seen.is_alarm), (seen is not None and seen.reserve_bytes > 0)
        if space.is_alarm and not was_alarm:
            _log.error("disk_alarm_raised", limit_bytes=space.limit_bytes, **facts)
        elif was_alarm and not space.is_alarm:
            _log.info("disk_alarm_cleared", limit_bytes=space.limit_bytes, **facts)
        if had_reserve and not space.reserve_bytes:
            _log.error("disk_reserve_released", **facts)
        elif seen is not None and space.reserve_bytes and not had_reserve:
            _log.info("disk_reserve_restored", reserve_bytes=space.reserve_bytes, **facts)
        if space.problem and (seen is None or seen.problem != space.problem):
            _log.warning("disk_reserve_failed", reason=space.problem, **facts)

    def make_room(self) -> None:
        """Give the space of the reserve to a log that is closed because the disk is full."""
        try:
            self._disk.release()
        except StorageError as error:
            # Why the node ends is what its last line says.
            _log.warning("disk_reserve_failed", directory=self._disk.directory, reason=str(error))

    def metrics(self) -> Iterable[Metric]:
        """Show the alarm, its limit, the reserve, and how often the leadership was handed over."""
        yield counter(
            "kraft_leader_handovers", "Times that this node handed the leadership over because of its disk",
            self._handover.count,
        )  # fmt: skip
        space = self._seen
        if space is None:
            return
        yield gauge(
            "kraft_metadata_disk_alarm", "Whether the disk of the metadata log has too little space left",
            int(space.is_alarm),
        )  # fmt: skip
        yield gauge(
            "kraft_metadata_disk_alarm_limit_bytes", "With less free space that alarm is raised", space.limit_bytes
        )
        yield gauge("kraft_metadata_disk_reserve_bytes", "Size of the reserve of the metadata log", space.reserve_bytes)
