"""Check a broker's log directories: full ones lose their reserve and are saturated, broken ones go offline (KIP-928).

Nothing here stores topic data, so nothing would notice a full disk. A small file is written to each directory
periodically instead, in a thread of its own: a disk that hangs holds up neither Raft nor heartbeats, nor the end of
the process.

=========  =======================================================  ==========
state      what a check finds                                       afterwards
=========  =======================================================  ==========
online     no space for the small file, or less than                saturated, without its reserve
           ``log.dir.saturated.free.bytes``
online     another error                                            offline
saturated  an error other than a full disk                          offline
saturated  ``log.dir.recovery.free.bytes`` beside a new reserve     online
=========  =======================================================  ==========

The states are the lifecycle's (``broker.log_dirs``), which reports them to the controller. An offline directory is
looked at no more.
"""

from __future__ import annotations

import asyncio
import enum
import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from shutil import disk_usage
from typing import Final

import structlog

from kraftpy.broker.log_dirs import LogDirState, LogDirStatus
from kraftpy.config.node_config import LogDirConfig
from kraftpy.model.errors import StorageError
from kraftpy.model.ids import Uuid
from kraftpy.node.daemon_threads import in_daemon_thread
from kraftpy.node.startup import OpenedNode
from kraftpy.runtime.registration_drivers import BrokerLifecycleDriver
from kraftpy.storage.filesystem import FileSystem
from kraftpy.storage.os_errors import faults_of
from kraftpy.storage.reserve import is_full, probe, remove_reserve, reserve_path, write_reserve

_log = structlog.get_logger("kraftpy.node")


class LogDirFinding(enum.Enum):
    """What a check found."""

    UNCHANGED = enum.auto()
    FULL = enum.auto()
    BROKEN = enum.auto()
    HAS_SPACE = enum.auto()


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check, with the reason."""

    finding: LogDirFinding
    reason: str = ""


UNCHANGED = Checked(LogDirFinding.UNCHANGED)


MEASURE_TIMEOUT_S: Final = 10
"""How long a description of the directories waits for their disks."""

NOT_OF_THE_DISK = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EINTR})
"""Errors that a process has with any disk: too many open files, no memory."""


class LogDirChecks:
    """The checks: blocking calls on the directories.

    Args:
        fs: the disk.
        config: what is full, and what a reserve is.
        draw: returns that number of random bytes.
    """

    def __init__(self, fs: FileSystem, config: LogDirConfig, draw: Callable[[int], bytes] = os.urandom) -> None:
        self._fs = fs
        self._config = config
        self._draw = draw

    def follow(self, *, saturated_free_bytes: int, recovery_free_bytes: int | None) -> None:
        """Keep to other limits from the next check on; the arguments are those of ``LogDirConfig``."""
        self._config = replace(
            self._config, saturated_free_bytes=saturated_free_bytes, recovery_free_bytes=recovery_free_bytes
        )

    def check(self, path: str, state: LogDirState) -> Checked:
        """Find out whether a directory changes its state; a reserve is removed or written when it does."""
        try:
            found = self._look(path, state)
            if found.finding is LogDirFinding.FULL:
                remove_reserve(self._fs, path)
        except (StorageError, OSError) as error:
            return Checked(LogDirFinding.BROKEN, str(error))
        return found

    def _look(self, path: str, state: LogDirState) -> Checked:
        try:
            probe(self._fs, path)
            if state is LogDirState.SATURATED:
                return self._recover(path)
        except StorageError as error:
            if isinstance(error.__cause__, OSError) and error.__cause__.errno in NOT_OF_THE_DISK:
                return UNCHANGED
            if not is_full(error, counts_quota=self._config.counts_quota):
                raise
            return UNCHANGED if state is LogDirState.SATURATED else Checked(LogDirFinding.FULL, str(error))
        least = self._config.saturated_free_bytes
        if least and (free := self._free_bytes(path)) < least:
            reason = f"{free} bytes are free in {path}, less than log.dir.saturated.free.bytes={least}"
            return Checked(LogDirFinding.FULL, reason)
        return UNCHANGED

    def _recover(self, path: str) -> Checked:
        """Write the reserve again, if enough space would be left."""
        config = self._config
        if config.recovery_free_bytes is None:
            return UNCHANGED
        least = max(config.recovery_free_bytes, config.saturated_free_bytes)
        if self._free_bytes(path) < least + config.reserve_bytes:
            return UNCHANGED
        write_reserve(self._fs, path, config.reserve_bytes, self._draw)
        return Checked(LogDirFinding.HAS_SPACE)

    def measured(self, status: LogDirStatus) -> LogDirStatus:
        """Return a status with the sizes of its directory, as far as they can be read."""
        path = status.path
        try:
            reserve = reserve_path(path)
            return replace(
                status,
                total_bytes=disk_usage(path).total,
                usable_bytes=self._fs.free_bytes(path),
                reserve_bytes=self._fs.size(reserve) if self._fs.exists(reserve) else 0,
            )
        except OSError:
            return status

    def _free_bytes(self, path: str) -> int:
        with faults_of("asking for the free space of", path):
            return self._fs.free_bytes(path)


class LogDirMonitor:
    """Checks the directories periodically, and steps the broker's lifecycle.

    Args:
        checks: the blocking part.
        config: how often.
        opened: the node's directories.
        broker: whose lifecycle has the states.

    Attributes:
        reasons: why a directory is not online, by its path.
    """

    def __init__(
        self,
        checks: LogDirChecks,
        config: LogDirConfig,
        opened: OpenedNode,
        broker: BrokerLifecycleDriver,
    ) -> None:
        self._checks = checks
        self._config = config
        self._opened = opened
        self._broker = broker
        self._measuring: asyncio.Future[tuple[LogDirStatus, ...]] | None = None
        self.reasons = {**dict(opened.offline_log_dirs), **opened.saturated}

    def follow(self, *, saturated_free_bytes: int, recovery_free_bytes: int | None) -> None:
        """Keep to other limits from the next check on; the arguments are those of ``LogDirConfig``."""
        self._checks.follow(saturated_free_bytes=saturated_free_bytes, recovery_free_bytes=recovery_free_bytes)

    @property
    def states(self) -> dict[str, LogDirState]:
        """The states of all directories by their paths, ascending."""
        known = dict(self._broker.lifecycle.directories.states)
        found = {path: known.get(directory_id, LogDirState.OFFLINE) for path, directory_id in self._opened.log_dirs}
        offline = {path: LogDirState.OFFLINE for path, _ in self._opened.offline_log_dirs}
        return dict(sorted({**offline, **found}.items()))

    async def describe(self) -> tuple[LogDirStatus, ...]:
        """Describe all directories, ascending by path.

        Calls that come while directories are measured share the result, so a disk that hangs holds one thread.

        Raises:
            TimeoutError: a disk did not answer within ``MEASURE_TIMEOUT_S``.
        """
        if self._measuring is None or self._measuring.done():
            self._measuring = asyncio.ensure_future(self._measure())
        async with asyncio.timeout(MEASURE_TIMEOUT_S):
            return await asyncio.shield(self._measuring)

    async def _measure(self) -> tuple[LogDirStatus, ...]:
        ids, cordoned = dict(self._opened.log_dirs), self._broker.lifecycle.cordoned
        statuses = [
            LogDirStatus(
                path=path,
                directory_id=ids.get(path),
                state=state,
                reason=self.reasons.get(path, ""),
                is_cordoned=ids.get(path) in cordoned,
            )
            for path, state in self.states.items()
        ]
        return await in_daemon_thread(lambda: tuple(map(self._checks.measured, statuses)), "kraftpy-measure")

    async def run(self) -> None:
        """Check until it is cancelled."""
        interval_ms = self._config.check_interval_ms
        if interval_ms is None:
            return
        while True:
            await asyncio.sleep(interval_ms / 1_000)
            await self.check_all()

    async def check_all(self) -> None:
        """Check every directory that is not offline, one after the other."""
        for path, directory_id in self._opened.log_dirs:
            state = self.states[path]
            if state is not LogDirState.OFFLINE:
                checked = await in_daemon_thread(partial(self._checks.check, path, state), "kraftpy-check")
                self._note(path, directory_id, checked)

    def meets(self, error: StorageError, path: str, directory_id: Uuid) -> None:
        """Note an error that something else had with a directory; a full one is saturated, another one fails."""
        is_its_end = not is_full(error, counts_quota=self._config.counts_quota)
        (self._failed if is_its_end else self._saturated)(path, directory_id, str(error))

    def _saturated(self, path: str, directory_id: Uuid, reason: str) -> None:
        """Note that a directory is full; below metadata.version 42 that makes it offline."""
        self.reasons[path] = reason
        self._broker.log_dir_saturated(directory_id)
        state = dict(self._broker.lifecycle.directories.states)[directory_id]
        _log.error("log_dir_full", directory=path, state=state.value, reason=reason)

    def _failed(self, path: str, directory_id: Uuid, reason: str) -> None:
        """Note that a directory is broken."""
        self.reasons[path] = reason
        _log.error("log_dir_failed", directory=path, reason=reason)
        self._broker.log_dir_failed(directory_id)

    def _note(self, path: str, directory_id: Uuid, checked: Checked) -> None:
        match checked.finding:
            case LogDirFinding.FULL:
                self._saturated(path, directory_id, checked.reason)
            case LogDirFinding.BROKEN:
                self._failed(path, directory_id, checked.reason)
            case LogDirFinding.HAS_SPACE:
                self.reasons.pop(path, None)
                _log.info("log_dir_has_space", directory=path)
                self._broker.log_dir_has_space(directory_id)
            case LogDirFinding.UNCHANGED:
                pass
