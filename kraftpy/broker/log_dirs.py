"""The log directories of a broker and what became of them.

A directory that failed stays failed until the process restarts. Each must be reported to the controller within a
time limit, because until then it keeps leaders where the data cannot be read. A third state could be added here: the
saturated directory of KIP-928, which is neither served from nor lost.

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
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class LogDirectories:
    """The states of a broker's directories, ascending by id."""

    states: tuple[tuple[Uuid, LogDirState], ...] = ()

    @classmethod
    def of(cls, ids: Iterable[Uuid]) -> LogDirectories:
        """Start with all of them online."""
        return cls(tuple((one, LogDirState.ONLINE) for one in sorted(set(ids))))

    @property
    def online(self) -> tuple[Uuid, ...]:
        """The directories that serve."""
        return tuple(one for one, state in self.states if state is LogDirState.ONLINE)

    @property
    def offline(self) -> tuple[Uuid, ...]:
        """The directories that failed since the process started."""
        return tuple(one for one, state in self.states if state is LogDirState.OFFLINE)

    def with_failed(self, directory: Uuid) -> LogDirectories:
        """Return the states after a failure; a directory that was not listed is listed as failed."""
        states = dict(self.states)
        states[directory] = LogDirState.OFFLINE
        return LogDirectories(tuple(sorted(states.items(), key=lambda entry: entry[0])))


class UntoldFailures:
    """Failed directories that the controller did not confirm to know, each with its own deadline."""

    __slots__ = ("_deadlines", "_timeout_ms")

    def __init__(self, *, timeout_ms: int) -> None:
        self._timeout_ms = timeout_ms
        self._deadlines: dict[Uuid, int] = {}

    def add(self, directory: Uuid, now_ms: int) -> None:
        """Start the clock for a directory; a second report of the same one does not restart it."""
        self._deadlines.setdefault(directory, now_ms + self._timeout_ms)

    def told(self, directories: Iterable[Uuid]) -> None:
        """Stop the clock for directories that an answered heartbeat had named."""
        for directory in directories:
            self._deadlines.pop(directory, None)

    def overdue(self, now_ms: int) -> tuple[Uuid, ...]:
        """Return the directories whose time is up, ascending."""
        return tuple(sorted(one for one, deadline_ms in self._deadlines.items() if now_ms >= deadline_ms))

    def next_deadline_ms(self) -> int | None:
        """Return when the first of them is overdue."""
        return min(self._deadlines.values(), default=None)
