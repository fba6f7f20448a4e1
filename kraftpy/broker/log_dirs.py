"""The log directories of a broker and their states.

===========  ===================================================  ======================================================
state        entered                                              left
===========  ===================================================  ======================================================
ONLINE       when the process starts; or when a saturated         when a write fails
             directory has free space and its reserve again
SATURATED    no space is left, at a metadata.version from 42 on   with free space, or when something else fails
OFFLINE      any other error                                      never, until the process restarts
===========  ===================================================  ======================================================

A saturated directory takes no writes of producers and no replication; retention and deletion go on, because they free
space. An offline one takes nothing. So a saturated directory may go offline, and an offline one never becomes
saturated.

Each offline directory must be reported to the controller within a time limit, because until then it keeps leaders where
the data cannot be read. A saturated one has no limit: the broker goes on without it, which is the point of KIP-928.

Source: KIP-112; KIP-858 §Log directory failure; KIP-928.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from kraftpy.model.ids import Uuid


class LogDirState(enum.Enum):
    """What may be done with a directory."""

    ONLINE = "online"
    SATURATED = "saturated"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class LogDirectories:
    """The states of a broker's directories, ascending by id."""

    states: tuple[tuple[Uuid, LogDirState], ...] = ()

    @classmethod
    def of(cls, ids: Iterable[Uuid], *, saturated: Iterable[Uuid] = ()) -> LogDirectories:
        """Start with all of them online, but for those that are full."""
        directories = cls(tuple((one, LogDirState.ONLINE) for one in sorted(set(ids))))
        for directory in saturated:
            directories = directories.with_saturated(directory)
        return directories

    @property
    def online(self) -> tuple[Uuid, ...]:
        """The directories that serve."""
        return self._in(LogDirState.ONLINE)

    @property
    def saturated(self) -> tuple[Uuid, ...]:
        """The directories that are full."""
        return self._in(LogDirState.SATURATED)

    @property
    def working(self) -> tuple[Uuid, ...]:
        """The directories that did not fail: online or saturated."""
        return self._in(LogDirState.ONLINE, LogDirState.SATURATED)

    @property
    def offline(self) -> tuple[Uuid, ...]:
        """The directories that failed since the process started."""
        return self._in(LogDirState.OFFLINE)

    def _in(self, *states: LogDirState) -> tuple[Uuid, ...]:
        return tuple(one for one, state in self.states if state in states)

    def with_failed(self, directory: Uuid) -> LogDirectories:
        """Return the states after a failure; a directory that was not listed is listed as failed."""
        return self._with(directory, LogDirState.OFFLINE)

    def with_saturated(self, directory: Uuid) -> LogDirectories:
        """Return the states after a directory became full; only one that is online can."""
        return self._with(directory, LogDirState.SATURATED) if directory in self.online else self

    def with_space(self, directory: Uuid) -> LogDirectories:
        """Return the states after a saturated directory has space again; others stay as they are."""
        return self._with(directory, LogDirState.ONLINE) if directory in self.saturated else self

    def _with(self, directory: Uuid, state: LogDirState) -> LogDirectories:
        states = {**dict(self.states), directory: state}
        return LogDirectories(tuple(sorted(states.items(), key=lambda entry: entry[0])))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDirStatus:
    """A log directory as it is shown to users.

    Attributes:
        path: of the directory.
        directory_id: ``None`` for a directory that could not be used at the start.
        reason: why it is not online; empty if it is.
        total_bytes: size of its file system; ``None`` when that is not known.
        usable_bytes: what the process may still write there; ``None`` when that is not known.
        reserve_bytes: size of its reserve; 0 without one.
        is_cordoned: whether it takes no new replicas.
    """

    path: str
    directory_id: Uuid | None
    state: LogDirState
    reason: str
    total_bytes: int | None = None
    usable_bytes: int | None = None
    reserve_bytes: int = 0
    is_cordoned: bool = False


class UntoldFailures:
    """Failed directories that the controller did not confirm to know, each with its own deadline."""

    __slots__ = ("_deadlines", "_timeout_ms")

    def __init__(self, *, timeout_ms: int) -> None:
        self._timeout_ms = timeout_ms
        self._deadlines: dict[Uuid, int] = {}

    def add(self, directory: Uuid, now_ms: int) -> None:
        """Start the clock for a directory; a second report of the same one does not restart it."""
        self._deadlines.setdefault(directory, now_ms + self._timeout_ms)

    def reported(self, directories: Iterable[Uuid]) -> None:
        """Stop the clock for directories that an answered heartbeat had named."""
        for directory in directories:
            self._deadlines.pop(directory, None)

    def overdue(self, now_ms: int) -> tuple[Uuid, ...]:
        """Return the directories whose time is up, ascending."""
        return tuple(sorted(one for one, deadline_ms in self._deadlines.items() if now_ms >= deadline_ms))

    def next_deadline_ms(self) -> int | None:
        """Return when the first of them is overdue."""
        return min(self._deadlines.values(), default=None)
